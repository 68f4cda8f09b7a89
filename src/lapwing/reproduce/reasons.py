"""Explain why a printed number is not reproduced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lapwing.reproduce.comparison import Verdict, verdict, verdicts
from lapwing.reproduce.parts import Variant
from lapwing.reproduce.results import Cell, Numbers

REPRODUCED = "reproduced"
EXPLAINED = "explained by an experiment"
UNEXPLAINED = "not explained"


@dataclass(frozen=True)
class TriedVariant:
    """A variant's number beside the printed one of the row that it is a variant of."""

    variant: Variant
    verdict: Verdict
    row_met: int
    """How many of the row's printed numbers it meets on this graph."""
    row_met_before: int
    """And how many of the same numbers the study's own reading meets."""

    @property
    def explains(self) -> bool:
        """Whether it meets the number, and not fewer of the row's others than the study's row."""
        return bool(self.verdict.same) and self.row_met >= self.row_met_before


@dataclass(frozen=True)
class Reason:
    """The outcome for one printed number."""

    verdict: Verdict
    experiments: tuple[TriedVariant, ...] = field(default=())
    remark: str = ""
    not_run: tuple[str, ...] = ()
    of_variant: bool = False
    """Whether the number is that of an experiment, which explains others or does not."""

    @property
    def kind(self) -> str:
        """One of REPRODUCED, EXPLAINED and UNEXPLAINED; empty where nothing was printed."""
        if self.verdict.same is None:
            return ""
        if self.verdict.same:
            return REPRODUCED
        return EXPLAINED if self.by else UNEXPLAINED

    @property
    def by(self) -> str:
        """The first experiment that explains the number, or nothing."""
        return next((each.variant.name for each in self.experiments if each.explains), "")

    @property
    def words(self) -> str:
        """The reason in words, without numbers; empty for a number that is reproduced."""
        if self.kind == EXPLAINED:
            found = next(each.variant for each in self.experiments if each.explains)
            return f'Met by the experiment "{found.name}"' + (
                ", whose setting is fitted to such numbers." if found.fitted else "."
            )
        if self.kind == UNEXPLAINED and self.of_variant:
            return "This experiment does not meet the number."
        if self.kind == UNEXPLAINED:
            tried = "; ".join(dict.fromkeys(each.variant.name for each in self.experiments))
            waiting = "; ".join(self.not_run)
            return (
                "No reading tried explains this"
                + (f" (tried: {tried})." if tried else "; none was tried.")
                + (f" Not run here: {waiting}." if waiting else "")
            )
        return ""


def reasons(own: Numbers, varied: Numbers | None = None) -> list[Reason]:
    """What became of every number of a study, given its own results and its experiments'.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load_study
    >>> study = load_study("yang2018/table1")
    >>> def ran(study, method, error):
    ...     told = {"graph": "cora", "method": method, "at": None, "seed": 0}
    ...     return Results(study, [told | {"measured": {"error": error}}])
    >>> own = ran(study, "OSLG-Bandit", 0.19)
    >>> varied = ran(study.experiments(), "OSLG-Bandit: exploration 5", 0.287)
    >>> [(each.kind, each.by) for each in reasons(own, varied)]
    [('explained by an experiment', 'exploration 5')]
    >>> [each.kind for each in reasons(own)]
    ['not explained']
    """
    return [_reason(own, varied, each) for each in verdicts(own)]


def _reason(own: Numbers, varied: Numbers | None, found: Verdict) -> Reason:
    if found.same is not False:
        return Reason(found)
    cell = found.cell
    tried, waiting = [], []
    for variant in own.study.variants:
        if variant.concerns(cell.graph, cell.method, cell.at):
            there = _experiment(own, varied, variant, cell)
            if there is None:
                waiting.append(variant.name)
            else:
                tried.append(there)
    remark = next(
        (
            each.reason
            for each in own.study.known
            if each.concerns(cell.graph, cell.method, cell.measure)
        ),
        "",
    )
    return Reason(found, tuple(tried), remark, tuple(waiting), own.study.is_of_variants)


def _experiment(
    own: Numbers, varied: Numbers | None, variant: Variant, cell: Cell
) -> TriedVariant | None:
    mine = varied_verdict(own, varied, variant, cell)
    if mine is None:
        return None
    pairs = list(_row(own, varied, variant, cell))
    return TriedVariant(
        variant, mine, sum(bool(new.same) for _, new in pairs), sum(bool(old) for old, _ in pairs)
    )


def _row(
    own: Numbers, varied: Numbers | None, variant: Variant, cell: Cell
) -> Iterator[tuple[bool, Verdict]]:
    """All numbers of a row on one graph that the variant has, too: met as it is, and varied."""
    for at in own.places(cell.graph, cell.method):
        for measure in own.study.measures:
            other = own.cell(cell.graph, cell.method, measure, at)
            found = None if other is None else varied_verdict(own, varied, variant, other)
            if other is not None and found is not None and found.same is not None:
                yield bool(verdict(own.study, other).same), found


def varied_verdict(
    own: Numbers, varied: Numbers | None, variant: Variant, cell: Cell
) -> Verdict | None:
    """A variant's number in the place of a cell, held against what is printed there."""
    source = own if variant.row else varied
    if source is None:
        return None
    row = variant.row_of(cell.method)
    found = source.cell(cell.graph, row, cell.measure, cell.at)
    return None if found is None else verdict(own.study, replace(found, method=cell.method))
