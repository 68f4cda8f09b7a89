"""The sections of a report that need only means, spreads and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lapwing.catalog import ENTRIES
from lapwing.figures.page import Page
from lapwing.reproduce.comparison import checked, paired_tests, verdict
from lapwing.reproduce.gains import gain_outcomes, tally_counts
from lapwing.reproduce.parts import Variant
from lapwing.reproduce.reasons import EXPLAINED, REPRODUCED, reasons, varied_verdict
from lapwing.reproduce.results import Cell, Numbers, Results
from lapwing.reproduce.study import Study

CELLS = "Each cell: our mean ± standard deviation over the seeds"
PRINTED = (
    ", and under it the printed number, marked = where ours differs from it by no more than the "
    "tolerance or two standard errors of the difference, and ≠ where it differs by more"
)
BEYOND = " Rows that begin with + are not in the paper."
PROTOCOL, DIFFERENCES, EXPERIMENTS, GAINS, CLAIMS = (
    "Protocol",
    "Not reproduced, and why",
    "Experiments: one thing read differently",
    "Gains and tallies that the text prints",
    "What the paper says of it",
)


def headline(results: Numbers, varied: Numbers | None = None) -> str:
    """The outcome of a study in a few sentences.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load_study
    >>> headline(Results(load_study("gu2013/table2"), []))
    'Nothing was run.'
    """
    if not results.measured_at():
        return "Nothing was run."
    kinds = [each.kind for each in reasons(results, varied) if each.kind]
    words = []
    if kinds:
        same, met = kinds.count(REPRODUCED), kinds.count(EXPLAINED)
        words.append(f"{same} of {len(kinds)} printed numbers are reproduced")
        rest = len(kinds) - same
        if rest and results.study.variants:
            words[-1] += f", {met} more are met by an experiment, {rest - met} are not explained"
    outcomes = [checked(results, claim) for claim in results.study.claims if not claim.beyond]
    stood = [each for each in outcomes if each.points]
    if stood:
        whole = sum(each.holds == each.points for each in stood)
        holds, points = sum(each.holds for each in stood), sum(each.points for each in stood)
        words.append(
            f"{whole} of {len(stood)} claims of the paper hold at every point, "
            f"{holds} of {points} points in all"
        )
    return (". ".join(words) or "There are no printed numbers to compare with") + "."


def add_protocol(page: Page, study: Study) -> None:
    """How it is done, which settings are fitted, and what a cell holds."""
    page.heading(PROTOCOL, level=3).text(study.protocol.strip())
    page.points(study.notes)
    page.points(f"Fitted: {name}. {why}" for name, why in study.fitted.items())
    page.points(_readings(study))
    if study.tables:
        page.text(_legend(study))


def _readings(study: Study) -> list[str]:
    """How the learners of the paper's own rows read their texts, each said once."""
    told: dict[str, list[str]] = {}
    for method in study.methods:
        entry = ENTRIES.get(method.learner)
        if entry is None or method.beyond or not study.printed:
            continue
        for each in entry.departures:
            if each.startswith("reading: "):
                told.setdefault(each, []).append(method.name)
    return [f"{', '.join(dict.fromkeys(names))}: {each}." for each, names in told.items()]


def _legend(study: Study) -> str:
    """What a cell holds; printed numbers and rows beyond the paper only where there are some."""
    rows = BEYOND if any(method.beyond for method in study.methods) else ""
    return f"{CELLS}{PRINTED if study.printed else ''}.{rows}"


def add_differences(page: Page, results: Numbers, varied: Numbers | None) -> None:
    """Every printed number that was not reached, those of one reason together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in reasons(results, varied):
        if each.words:
            cell = each.verdict.cell
            at = "" if cell.at is None else f" at {cell.at}"
            groups.setdefault((each.words, each.remark), []).append(
                f"{cell.method} on {cell.graph}{at} ({cell.measure})"
            )
    if groups:
        page.heading(DIFFERENCES, level=3)
        rows = [["; ".join(where), *why] for why, where in groups.items()]
        page.numbers(["numbers", "reason", "remark"], rows)


def add_experiments(page: Page, results: Numbers, varied: Numbers | None) -> None:
    """Each experiment beside the printed numbers and the study's own."""
    rows = [row for each in results.study.variants for row in _tried(results, varied, each)]
    if not rows:
        return
    page.heading(EXPERIMENTS, level=3)
    page.points(
        f"{each.name}{' (fitted)' if each.fitted else ''}: {each.says}"
        for each in results.study.variants
    )
    page.numbers(
        ["experiment", "row", "printed", "as the study has it", "experiment's", "met, of"], rows
    )


def _tried(results: Numbers, varied: Numbers | None, variant: Variant) -> Iterator[list[str]]:
    study = results.study
    for graph in results.graphs:
        for method in variant.methods:
            for measure, shown in study.measures.items():
                found = []
                for at in results.places(graph, method):
                    own = results.cell(graph, method, measure, at)
                    new = own and varied_verdict(results, varied, variant, own)
                    if own and new and new.same is not None and new.printed is not None:
                        found.append((new.printed, verdict(study, own).cell, new))
                if not found:
                    continue
                met = sum(bool(new.same) for _, _, new in found)
                before = sum(bool(verdict(study, own).same) for _, own, _ in found)
                n = min(new.cell.n for _, _, new in found)
                yield [
                    variant.name + (" (fitted)" if variant.fitted else ""),
                    f"{method} on {graph}, {measure}",
                    " / ".join(shown.shown(printed) for printed, _, _ in found),
                    " / ".join(shown.shown(own.mean) for _, own, _ in found),
                    " / ".join(_mean(shown.shown, new.cell) for _, _, new in found)
                    + f" ({n} seed{'s' if n > 1 else ''})",
                    f"{met} of {len(found)} (before: {before})",
                ]


def _mean(shown: Callable[[float], str], cell: Cell) -> str:
    return shown(cell.mean) + (f" ± {shown(cell.sd)}" if cell.n > 1 and cell.sd > 0 else "")


def add_gains(page: Page, results: Numbers) -> None:
    """Relative gains and tallies of the text, in the printed table and in ours."""
    rows = []
    for each in gain_outcomes(results):
        ours = _percent(each.ours)
        if each.rival != each.gain.rival:
            ours += f"; ours is the {each.gain.extreme} over {each.rival}: "
            ours += _percent(each.ours_over_rival)
        rows.append([each.gain.says, f"{each.gain.printed:g} %", _percent(each.in_table), ours])
    counts = [
        [tally.says, method, str(said), str(table), str(ours)]
        for tally in results.study.tallies
        for method, said, table, ours in tally_counts(results, tally)
    ]
    if rows or counts:
        page.heading(GAINS, level=3)
    if rows:
        page.numbers(["gain", "in the text", "in the printed table", "ours"], rows)
    if counts:
        head = ["tally", "method", "best in, says the text", "best in the printed table", "ours"]
        page.numbers(head, counts)


def _percent(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.1f} %"


def add_tests(page: Page, results: Results) -> None:
    """The paired t-tests that the study asks for."""
    told = [
        [each.graph, each.measure, f"{each.method} less {each.rival}", f"{each.difference:+.4f}",
         f"{each.t:.1f}", f"{each.p:.1e}", "yes" if each.significant else "no"]
        for each in paired_tests(results)
    ]  # fmt: skip
    if told:
        page.heading("Paired t-tests over seeds", level=3)
        page.numbers(
            ["graph", "measure", "difference", "mean", "t", "p", "significant at 5%"], told
        )


def add_claims(page: Page, results: Numbers) -> None:
    """The paper's claims, and at how many points each holds."""
    told = []
    for claim in results.study.claims:
        outcome = checked(results, claim)
        if outcome.points:
            words = ("+ " if claim.beyond else "") + claim.says
            told.append([words, f"{outcome.holds} of {outcome.points}", "; ".join(outcome.fails)])
    if told:
        page.heading(CLAIMS, level=3)
        page.numbers(["claim", "holds at", "does not hold at"], told)
