"""``lapwing reproduce``: the papers' tables and figures, run again, with a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.progress import Progress

from lapwing import data
from lapwing.cli.app import app
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, errors, listing, print_json, progress
from lapwing.errors import InputError
from lapwing.figures.page import Page
from lapwing.reproduce import Results, Study, load, names, planned, records
from lapwing.reproduce.check import departures
from lapwing.reproduce.compare import verdicts
from lapwing.reproduce.report import Circumstances, headline, page_of, summary_csv, whole_page
from lapwing.reproduce.results import write_database
from lapwing.reproduce.run import Record, recorded
from lapwing.reproduce.sources import needed

JOURNAL = "trials.jsonl"


@dataclass(frozen=True)
class Wanted:
    """What a user asked for, the same for every study."""

    output: Path
    quick: bool
    seeds: int | None
    graphs: tuple[str, ...]
    jobs: int


@dataclass
class Ran:
    """A study that was run, and what could not be."""

    results: Results
    seconds: float
    left_out: dict[str, str] = field(default_factory=dict)


@app.command()
def reproduce(
    study: Annotated[
        list[str] | None,
        typer.Argument(help="Names of studies, as gu2013/table2, or of a paper, as gu2013."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Run every study.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="About a minute a study: fewer graphs and seeds.")
    ] = False,
    seeds: Annotated[int | None, typer.Option(min=1, help="How often each trial is run.")] = None,
    graphs: Annotated[
        str | None, typer.Option(help="Only these graphs of a study, as cora,pubmed.")
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for results and reports.")
    ] = Path("reproduced"),
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores unless given.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare a quick run with the committed results.")
    ] = False,
    results: Annotated[
        Path, typer.Option(help="The folder of committed results that --check reads.")
    ] = Path("bench/results"),
    record: Annotated[
        Path | None, typer.Option(help="Also write tables and pictures here, to be committed.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run the papers' tables and figures again, and report ours beside the printed ones.

    Without a name, lists the studies. Ctrl-C keeps what is done; the same command goes on.
    Examples: lapwing reproduce gu2013/table2 --quick · lapwing reproduce --all
    """
    wanted = Wanted(
        output=output,
        quick=quick or check,
        seeds=seeds,
        graphs=tuple(graphs.split(",")) if graphs else (),
        jobs=jobs or os.cpu_count() or 1,
    )
    chosen = list(names()) if every else _chosen(study or [])
    if not chosen:
        _list(wanted, json)
        return
    runs = _run([load(name) for name in chosen], wanted)
    _written(runs, wanted, record)
    if json:
        print_json({"studies": [_as_dict(run) for run in runs]})
    else:
        _told(runs, wanted)
    if check:
        _checked(runs, results)


def _chosen(wanted: Sequence[str]) -> list[str]:
    """Studies by name, a paper's name standing for all of its studies."""
    chosen = []
    for name in wanted:
        of_paper = [each for each in names() if each.startswith(f"{name}/")]
        chosen += of_paper or [load(name).name]
    return list(dict.fromkeys(chosen))


def _list(wanted: Wanted, json: bool) -> None:
    rows = []
    for name in names():
        study = load(name)
        done = recorded(wanted.output / name / JOURNAL)
        whole = planned(study, seeds=wanted.seeds)
        quick = planned(study, quick=True)
        rows.append(
            [name, study.title, len(whole), len(quick), sum(each.key in done for each in whole)]
        )
    columns = ["study", "title", "trials", "quick", "done"]
    if json:
        print_json({"studies": [dict(zip(columns, row, strict=True)) for row in rows]})
        return
    console.print(listing(columns, rows))
    console.print("\nlapwing reproduce STUDY [--quick] · lapwing reproduce --all [--quick]")


def _run(studies: Sequence[Study], wanted: Wanted) -> list[Ran]:
    runs = []
    with progress() as bar:
        for study in studies:
            try:
                runs.append(_one(study, wanted, bar))
            except KeyboardInterrupt:
                bar.stop()
                done = len(recorded(wanted.output / study.name / JOURNAL))
                errors.print(
                    f"interrupted in {study.name}: {done} of its trials are kept in "
                    f"{wanted.output}; the same command goes on from there"
                )
                raise typer.Exit(130) from None
    return runs


def _one(study: Study, wanted: Wanted, bar: Progress) -> Ran:
    unknown = [name for name in wanted.graphs if name not in study.graphs]
    if unknown:
        raise InputError(
            f"{study.name} has no graph {unknown[0]!r}; it has {', '.join(study.graphs)}"
        )
    missing = {name: why for name in study.graphs if (why := _missing(study, name))}
    trials = [
        trial
        for trial in planned(study, quick=wanted.quick, seeds=wanted.seeds, graphs=wanted.graphs)
        if trial.graph not in missing
    ]
    task = bar.add_task(study.name, total=len(trials))
    failed: dict[str, str] = dict(missing)

    def each(record: Record) -> None:
        bar.advance(task)
        if "failed" in record:
            failed[f"{record['method']} on {record['graph']}"] = record["failed"]

    start = perf_counter()
    found = records(trials, wanted.output / study.name / JOURNAL, jobs=wanted.jobs, each=each)
    bar.update(task, description=f"{study.name} report")
    return Ran(Results(study, found), perf_counter() - start, failed)


def _missing(study: Study, graph: str) -> str:
    """Why a graph cannot be had; empty if it can."""
    name = needed(graph, study.graphs[graph])
    where = {entry.name: entry.where for entry in data.catalog()}
    if name is not None and where.get(name) == "missing":
        return f"the files of {name} are not here, and there is no public address for them"
    return ""


def _written(runs: Sequence[Ran], wanted: Wanted, record: Path | None) -> None:
    """Reports, tables and pictures of each study, and of all together."""
    pages: dict[str, Page] = {}
    for run in runs:
        name = run.results.study.name
        page = page_of(run.results, Circumstances(_command(name), run.left_out))
        pages[name] = page
        _files(page, run, wanted.output / name, "report", html=True)
        if record is not None:
            _files(page, run, (record / name).parent, Path(name).name, html=False)
    if len(runs) > 1:
        whole_page(pages, "The papers, reproduced").written(wanted.output / "report.html")
    write_database([run.results for run in runs], wanted.output)


def _files(page: Page, run: Ran, folder: Path, stem: str, *, html: bool) -> None:
    if html:
        page.written(folder / f"{stem}.html")
    page.written(folder / f"{stem}.md")
    (folder / f"{stem}.csv").write_text(summary_csv(run.results), encoding="utf-8")


def _command(name: str) -> str:
    """The command that makes this study's report, with the options that change its numbers."""
    kept = [word for word in sys.argv[1:] if word.startswith(("--quick", "--check"))]
    for option in ("--seeds", "--graphs"):
        if option in sys.argv:
            kept += [option, sys.argv[sys.argv.index(option) + 1]]
    return " ".join(["lapwing reproduce", name, *kept])


def _told(runs: Sequence[Ran], wanted: Wanted) -> None:
    rows = [
        [run.results.study.name, len(run.results.records), f"{run.seconds:.0f} s",
         headline(run.results, verdicts(run.results))]
        for run in runs
    ]  # fmt: skip
    console.print(listing(["study", "trials", "took", "outcome"], rows))
    for run in runs:
        for what, why in run.left_out.items():
            console.print(f"left out of {run.results.study.name}: {what}: {why}", style="yellow")
    report = wanted.output if len(runs) > 1 else wanted.output / runs[0].results.study.name
    console.print(f"report:  {report / 'report.html'}", soft_wrap=True)
    console.print(f"numbers: {wanted.output / 'results.parquet'}", soft_wrap=True)


def _as_dict(run: Ran) -> dict[str, Any]:
    found = verdicts(run.results)
    compared = [each for each in found if each.same is not None]
    return {
        "study": run.results.study.name,
        "trials": len(run.results.records),
        "seconds": run.seconds,
        "printed": len(compared),
        "reproduced": sum(bool(each.same) for each in compared),
        "left_out": run.left_out,
    }


def _checked(runs: Sequence[Ran], folder: Path) -> None:
    wrong = 0
    for run in runs:
        found, compared = departures(run.results, folder)
        wrong += len(found)
        console.print(
            f"{run.results.study.name}: {compared - len(found)} of {compared} numbers fit"
        )
        for each in found:
            console.print(f"  {each}", style="red", markup=False)
    if wrong:
        errors.print(f"lapwing: {wrong} numbers differ from the committed ones", style="bold red")
        raise typer.Exit(1)
