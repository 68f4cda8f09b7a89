"""Run trials on all cores and write every result to disk at once."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any

from lapwing.errors import LapwingError
from lapwing.reproduce.plan import Trial
from lapwing.reproduce.trials import done

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
TrialRecord = dict[str, Any]
"""A trial's key, what it measured or why it failed, and the seconds it took."""
Elsewhere = Callable[
    [Callable[[Trial], TrialRecord], Sequence[Trial]], Generator[TrialRecord, None, None]
]
"""Runs a function of every trial and yields each result when it is there."""


def records(
    trials: Sequence[Trial],
    journal: Path,
    *,
    jobs: int = 1,
    each: Callable[[TrialRecord], None] = lambda _: None,
    elsewhere: Elsewhere | None = None,
) -> list[TrialRecord]:
    """The records of all trials: those in the journal, then the others as they are done.

    `elsewhere` runs the trials in other places than `jobs` processes of this machine.

    The journal is a file of JSON lines. After an interruption, the same call continues; a failed
    trial is tried again.

    Examples
    --------
    >>> import tempfile
    >>> from lapwing.reproduce import load_study, planned
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Path(folder) / "trials.jsonl"
    ...     wanted = planned(load_study("herbster2006/octopus"), quick=True)[:1]
    ...     first = records(wanted, journal)
    ...     again = records(wanted, journal)
    >>> first == again
    True
    """
    before = kept_records(journal)
    kept = [before[trial.key] for trial in trials if trial.key in before]
    missing = [trial for trial in trials if trial.key not in before]
    for record in kept:
        each(record)
    if not missing:
        return kept
    journal.parent.mkdir(parents=True, exist_ok=True)
    with (
        journal.open("a", encoding="utf-8") as file,
        _finished(missing, jobs, elsewhere) as finished,
    ):
        for record in finished:
            if "failed" not in record:
                file.write(json.dumps(record, separators=(",", ":")) + "\n")
                file.flush()
            kept.append(record)
            each(record)
    return kept


def kept_records(journal: Path) -> dict[str, TrialRecord]:
    """What a journal holds, by key; a line cut short by a crash is left out.

    Examples
    --------
    >>> kept_records(Path("there-is-none.jsonl"))
    {}
    """
    if not journal.exists():
        return {}
    found = {}
    for line in journal.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[record["key"]] = record
    return found


def record_of(trial: Trial) -> TrialRecord:
    """Do one trial; a failure that the user can act on becomes part of the record."""
    start = perf_counter()
    record: TrialRecord = {
        "key": trial.key,
        "graph": trial.graph,
        "method": trial.method,
        "at": trial.at,
        "seed": trial.seed,
    }
    try:
        record["measured"] = done(trial)
    except LapwingError as problem:
        record["failed"] = str(problem)
    record["seconds"] = round(perf_counter() - start, 4)
    return record


@contextmanager
def _finished(
    trials: Sequence[Trial], jobs: int, elsewhere: Elsewhere | None
) -> Iterator[Iterator[TrialRecord]]:
    if elsewhere is not None:
        with closing(elsewhere(record_of, trials)) as found:
            yield found
        return
    if jobs == 1 or len(trials) == 1:
        yield (record_of(trial) for trial in trials)
        return
    with _single_threads():
        pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ready)
        try:
            yield _as_done(pool, trials, jobs)
        except BrokenProcessPool:
            raise LapwingError(
                "a process ended before its trial was done, perhaps for lack of memory; what is "
                "done is kept, and the same command continues: --jobs 1 needs the least memory"
            ) from None
        except BaseException:
            for process in (pool._processes or {}).values():
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _as_done(
    pool: ProcessPoolExecutor, trials: Sequence[Trial], jobs: int
) -> Iterator[TrialRecord]:
    """Yield results when they are ready; few trials are queued, so interrupting is quick."""
    waiting: set[Future[TrialRecord]] = set()
    rest = iter(trials)
    while True:
        for trial in rest:
            waiting.add(pool.submit(record_of, trial))
            if len(waiting) >= 2 * jobs:
                break
        if not waiting:
            return
        ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in ready:
            yield future.result()


@contextmanager
def _single_threads() -> Iterator[None]:
    """Use one thread per process, since the processes already use every core."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _ready() -> None:
    """Ctrl-C is for the parent, which then ends its processes; if it dies, they end, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
