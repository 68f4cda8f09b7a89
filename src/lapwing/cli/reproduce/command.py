"""``lapwing reproduce``: the papers' tables and figures, run again, with a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.progress import Progress

from lapwing import data
from lapwing.cli.cluster.opening import ClusterOption, connected
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, errors, print_json, progress, rows_table, waiting
from lapwing.cli.reproduce.outputs import Ran, print_outcomes, write
from lapwing.cli.reproduce.outputs import check as differing
from lapwing.cluster.tasks import DaskTasks
from lapwing.errors import InputError, LapwingError
from lapwing.io.tables import check_writable
from lapwing.reproduce import Results, Study, load_study, names, planned, records
from lapwing.reproduce.committed_pages import refresh as rewrite
from lapwing.reproduce.committed_results import committed_numbers
from lapwing.reproduce.counts import counts_page
from lapwing.reproduce.graphs import needed
from lapwing.reproduce.runs import Elsewhere, TrialRecord, kept_records

JOURNAL = "trials.jsonl"


@dataclass(frozen=True)
class Wanted:
    """What a user asked for, the same for every study."""

    output: Path
    quick: bool
    seeds: int | None
    graphs: tuple[str, ...]
    only: tuple[str, ...]
    jobs: int
    variants: bool
    results: Path
    elsewhere: Elsewhere | None = None

    def command(self, study: Study) -> str:
        """The command that gives this study's numbers."""
        words = ["lapwing reproduce", study.name.removesuffix("-variants")]
        words += ["--variants"] if self.variants else []
        words += ["--quick"] if self.quick else []
        words += [f"--seeds {self.seeds}"] if self.seeds else []
        words += [f"--graphs {','.join(self.graphs)}"] if self.graphs else []
        words += [f"--only '{name}'" for name in self.only]
        return " ".join(words)


def reproduce(
    study: Annotated[
        list[str] | None,
        typer.Argument(help="Studies (gu2013/table2), papers (gu2013) or files (own.toml)."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Run every study.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="About a minute per study: fewer graphs and seeds.")
    ] = False,
    seeds: Annotated[int | None, typer.Option(min=1, help="How often each trial is run.")] = None,
    graphs: Annotated[
        str | None, typer.Option(help="Only these graphs of a study, such as cora,pubmed.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Run only this row or, with --variants, this experiment; may be repeated. "
            "--record then keeps the other rows."
        ),
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
    variants: Annotated[
        bool,
        typer.Option("--variants", help="Run the studies' experiments instead of their own rows."),
    ] = False,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh", help="Rewrite the text of committed reports without running anything."
        ),
    ] = False,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Run the papers' tables and figures again, and report ours beside the printed ones.

    Without a name, lists the studies. Ctrl-C keeps what is done; run the same command to continue.
    Examples: lapwing reproduce gu2013/table2 --quick · lapwing reproduce --all · lapwing
    reproduce yang2018/table1 --variants
    """
    wanted = Wanted(
        output=output,
        quick=quick or check,
        seeds=seeds,
        graphs=tuple(graphs.split(",")) if graphs else (),
        only=tuple(only or ()),
        jobs=jobs or os.cpu_count() or 1,
        variants=variants,
        results=results,
    )
    chosen = _chosen(names() if every else study or [])
    if not chosen:
        _list(wanted, json)
        return
    if refresh:
        _refresh(chosen, results)
        return
    if variants:
        chosen = _experiments(chosen)
    for folder in (output, record):
        if folder is not None:
            check_writable(folder / "report.html")
    with connected(cluster) as held:
        if held is not None:
            wanted = replace(wanted, elsewhere=DaskTasks(held).as_done)
        runs = _run(chosen, wanted)
    write(runs, output, record, some_rows=bool(only))
    if json:
        print_json({"studies": [run.as_dict() for run in runs]})
    else:
        print_outcomes(runs, output)
    if check and (wrong := differing(runs, results)):
        raise InputError(f"{wrong} numbers differ from the committed ones")


def _chosen(wanted: Sequence[str]) -> list[Study]:
    """Studies by name or in files; a paper's name stands for all of its studies."""
    chosen: dict[str, Study] = {}
    for name in wanted:
        of_paper = [each for each in names() if each.startswith(f"{name}/")]
        for each in of_paper or [name]:
            chosen[each] = load_study(each)
    return list(chosen.values())


def _experiments(studies: Sequence[Study]) -> list[Study]:
    """The studies' experiments as studies; an error if there are none."""
    found = [study.experiments() for study in studies]
    some = [study for study in found if study.methods]
    if not some:
        raise InputError(
            f"there is no experiment to run in {', '.join(study.name for study in studies)}"
        )
    return some


def _refresh(studies: Sequence[Study], folder: Path) -> None:
    for study in studies:
        if (folder / f"{study.name}.csv").exists() or len(studies) == 1:
            rewrite(study, folder)
            console.print(f"written again: {folder / study.name}.md", soft_wrap=True)
        varied = study.experiments()
        if (folder / f"{varied.name}.csv").exists():
            rewrite(varied, folder)
    (folder / "reproduced.md").write_text(counts_page(folder), encoding="utf-8")


def _list(wanted: Wanted, json: bool) -> None:
    rows = []
    for name in names():
        study = load_study(name)
        done = kept_records(wanted.output / name / JOURNAL)
        whole = planned(study, seeds=wanted.seeds)
        quick = planned(study, quick=True)
        rows.append(
            [name, study.title, len(whole), len(quick), sum(each.key in done for each in whole)]
        )
    columns = ["study", "title", "trials", "quick", "done"]
    if json:
        print_json({"studies": [dict(zip(columns, row, strict=True)) for row in rows]})
        return
    console.print(rows_table(columns, rows))
    console.print("\nlapwing reproduce STUDY [--quick] · lapwing reproduce --all [--quick]")


def _run(studies: Sequence[Study], wanted: Wanted) -> list[Ran]:
    runs = []
    with progress() as bar:
        for study in studies:
            try:
                runs.append(_one(study, wanted, bar))
            except KeyboardInterrupt:
                bar.stop()
                done = len(kept_records(wanted.output / study.name / JOURNAL))
                errors.print(
                    f"interrupted in {study.name}: {done} of its trials are kept in "
                    f"{wanted.output}; the same command continues from there"
                )
                raise typer.Exit(130) from None
    return runs


def _one(study: Study, wanted: Wanted, bar: Progress) -> Ran:
    unknown = [name for name in wanted.graphs if name not in study.graphs]
    if unknown:
        raise InputError(
            f"{study.name} has no graph {unknown[0]!r}; it has {', '.join(study.graphs)}"
        )
    wished = wanted.graphs or tuple(study.graphs)
    missing = {name: why for name in wished if (why := _missing(study, name))}
    for name, why in missing.items():
        errors.print(f"{study.name}: {name} is left out: {why}", soft_wrap=True)
    trials = [
        trial
        for trial in planned(
            study,
            quick=wanted.quick,
            seeds=wanted.seeds,
            graphs=wanted.graphs,
            only=wanted.only,
        )
        if trial.graph not in missing
    ]
    if wanted.only and not trials:
        raise InputError(f"{study.name} has no row {' or '.join(map(repr, wanted.only))}")
    task = bar.add_task(study.name, total=len(trials))
    failed: dict[str, str] = dict(missing)

    def each(record: TrialRecord) -> None:
        bar.advance(task)
        if "failed" in record:
            failed[f"{record['method']} on {record['graph']}"] = record["failed"]

    start = perf_counter()
    found = records(
        trials,
        wanted.output / study.name / JOURNAL,
        jobs=wanted.jobs,
        each=each,
        elsewhere=wanted.elsewhere,
    )
    bar.update(task, description=f"{study.name} report")
    varied = committed_numbers(study.experiments(), wanted.results)
    return Ran(Results(study, found), wanted.command(study), perf_counter() - start, failed, varied)


def _missing(study: Study, graph: str) -> str:
    """Why a graph cannot be had; empty if it can. What must be downloaded is downloaded now."""
    name = needed(graph, study.graphs[graph])
    where = {entry.name: entry.where for entry in data.catalog()}
    if name is None or where.get(name) not in ("missing", "download"):
        return ""
    return _unobtainable(name)


@cache
def _unobtainable(name: str) -> str:
    """Why a data set cannot be had, and how to provide it; tried once, not once per trial."""
    try:
        with waiting(f"downloading {name}"):
            data.fetch(name)
    except LapwingError as why:
        return str(why)
    return ""
