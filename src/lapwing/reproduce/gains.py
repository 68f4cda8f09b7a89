"""Relative gains and tallies of best results: as the text says, in its table, and in ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lapwing.reproduce.comparison import printed_value
from lapwing.reproduce.parts import Gain, Method, WinTally
from lapwing.reproduce.results import Numbers
from lapwing.reproduce.study import Study

Lookup = Callable[[str, str, object], float | None]
"""A number by method, measure and grid value."""


@dataclass(frozen=True)
class GainOutcome:
    """A gain in percent: as the text says, as its table has it, and ours."""

    gain: Gain
    in_table: float | None
    ours: float | None
    rival: str
    """Our rival where the text speaks of the least or greatest gain, otherwise the text's."""
    ours_over_rival: float | None


def gain_outcomes(results: Numbers) -> Iterator[GainOutcome]:
    """Every gain that the text prints of a study of one graph, beside ours."""
    for graph in results.graphs:
        ours, table = _measured(results, graph), _printed(results.study, graph)
        for gain in results.study.gains:
            rival = _extreme(results.study, gain, ours)
            yield GainOutcome(
                gain,
                _percent(gain, table, gain.rival),
                _percent(gain, ours, gain.rival),
                rival,
                _percent(gain, ours, rival),
            )


def tally_counts(results: Numbers, tally: WinTally) -> Iterator[tuple[str, int, int, int]]:
    """For each method: columns in which it is best as the text says, in its table, and in ours.

    A tie counts for both. Rows that are not in the paper do not take part.
    """
    study = results.study
    for graph in results.graphs:
        in_table = _best(study, tally, _printed(study, graph))
        ours = _best(study, tally, _measured(results, graph))
        for method in study.methods:
            numbers = (tally.printed.get(method.name, 0), in_table.count(method.name))
            if any(numbers) or method.name in ours:
                yield (method.name, *numbers, ours.count(method.name))


def _measured(results: Numbers, graph: str) -> Lookup:
    def value(method: str, measure: str, at: object) -> float | None:
        cell = results.cell(graph, method, measure, at)
        return None if cell is None else cell.mean

    return value


def _printed(study: Study, graph: str) -> Lookup:
    told = study.printed.get(graph, {})
    return lambda method, measure, at: printed_value(study, told.get(method, {}).get(measure), at)


def _percent(gain: Gain, value: Lookup, rival: str) -> float | None:
    ours, theirs = (value(name, gain.measure, gain.at) for name in (gain.method, rival))
    if ours is None or not theirs:
        return None
    return 100 * (ours / theirs - 1)


def _extreme(study: Study, gain: Gain, value: Lookup) -> str:
    if not gain.extreme:
        return gain.rival
    found = {
        method.name: percent
        for method in _rivals(study, gain.method)
        if (percent := _percent(gain, value, method.name)) is not None
    }
    if not found:
        return gain.rival
    return (min if gain.extreme == "least" else max)(found, key=lambda name: found[name])


def _rivals(study: Study, method: str) -> list[Method]:
    """The paper's other rows; a method's own variants begin with its name."""
    return [each for each in study.methods if not each.beyond and not each.name.startswith(method)]


def _best(study: Study, tally: WinTally, value: Lookup) -> list[str]:
    """The best methods of each column, one after the other."""
    best: list[str] = []
    names = [method.name for method in study.methods if not method.beyond]
    for measure in tally.measures:
        for at in study.grid.values if study.grid else (None,):
            column = {name: value(name, measure, at) for name in names}
            have = {name: number for name, number in column.items() if number is not None}
            best += [name for name, number in have.items() if number == max(have.values())]
    return best
