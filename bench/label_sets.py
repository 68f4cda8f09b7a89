"""Several labels per node: which method, how many labels a node gets, and whether chances hold.

A share of each class is labelled, as in Ye et al. (2017), and the rest predicted: by class shares
alone, by wvGN, and by the default of ``lapwing classify``, which tries wvGN among others and
chooses inside the labels. Draws from 100 on: none of them played a part in any choice. Writes
``bench/results/label-sets.md``.

``python -m bench.label_sets [--draws 5] [--graphs wikipedia:0.05 imdb:0.01]``
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from bench.pictures import RESULTS, drawn
from lapwing import data, make
from lapwing.batch.calibration.label_rules import RULES
from lapwing.batch.calibration.label_sets import LabelSets
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.metrics import calibration_error, f1, label_calibration_error
from lapwing.reproduce.trials.split import labelled_nodes, truth_of

FIRST = 100
METHODS = ("class shares", "wvgn", "default")
MEASURES = ("micro", "macro", "written")
GAPS = ("top raw", "top calibrated", "raw", "calibrated")


def measured(name: str, share: float, seed: int) -> dict[str, dict[str, Any]]:
    """Every method on one draw."""
    found = data.load(name)
    truth = truth_of(found)
    given = labelled_nodes(truth, {"labels": share}, seed)
    rest = np.setdiff1d(np.flatnonzero(truth.any(axis=1)), given)
    shares = np.tile(truth[given].mean(axis=0), (len(rest), 1))
    wvgn = make("wvgn", found.graph, n_classes=found.n_classes)
    default = CrossValidated(found.graph, found.n_classes).fit(given, truth[given])
    told = {
        "class shares": _scores(shares, truth[rest]) | {"rule": "none", "chosen": ""},
        "wvgn": _sets(wvgn, given, rest, truth) | {"chosen": ""},
        "default": _sets(default.candidate(), given, rest, truth) | {"chosen": default.chosen},
    }
    told["default"] |= _scores(default.scores(rest), truth[rest])
    chances = default.predict_proba(rest)
    told["default"]["raw"] = label_calibration_error(chances, truth[rest])
    told["default"]["top raw"] = calibration_error(chances, truth[rest])
    return told


def _scores(said: np.ndarray, true: np.ndarray) -> dict[str, float]:
    both = f1(said, true)
    return {"micro": both.micro, "macro": both.macro * float(true.any(axis=0).mean())}


def _sets(model: Any, given: np.ndarray, rest: np.ndarray, truth: np.ndarray) -> dict[str, Any]:
    """A method alone, and the sets and probabilities that are made of it."""
    model.fit(given, truth[given])
    alone = _scores(model.scores(rest), truth[rest])
    own = model.predict_proba(rest)
    alone |= {"raw": label_calibration_error(own, truth[rest])}
    alone |= {"top raw": calibration_error(own, truth[rest])}
    sets = LabelSets(model).fit(given, truth[given])
    chances = sets.predict_proba(rest)
    found: dict[str, Any] = dict(alone)
    found["calibrated"] = label_calibration_error(chances, truth[rest])
    found["top calibrated"] = calibration_error(chances, truth[rest])
    found["rule"] = sets.rule_.name
    for name, learned in RULES.items():
        rule = learned(sets._mapped(sets._raised), sets._truth)
        found[name] = _written(rule.sets(chances, most=sets.most_), truth[rest])
    found["written"] = _written(sets.label_sets(rest), truth[rest])
    return found


def _written(said: np.ndarray, true: np.ndarray) -> float:
    """Micro-F1 of the labels that are written, however many they are."""
    return 2 * float((said * true).sum()) / float(said.sum() + true.sum())


def page(rows: list[dict[str, Any]]) -> str:
    """The results as Markdown; each row is a graph, a share, a draw and what each method did."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(f"{row['graph']}, {row['share']:.0%}", []).append(row["methods"])
    first, second, third = [], [], []
    for name, told in groups.items():
        for method in METHODS:
            first.append(_row(name, method, MEASURES, told))
            if method != "class shares":
                taken = Counter(each[method]["rule"] for each in told)
                rules = ", ".join(f"{rule} {count}" for rule, count in taken.most_common())
                second.append(f"{_row(name, method, (*RULES, 'written'), told)} {rules} |")
                third.append(_row(name, method, GAPS, told))
    return "\n".join([
        "# Several labels per node",
        "",
        verdict(groups),
        "",
        "![Micro-F1 of each method](label-sets.png)",
        "",
        "*Micro-F1* and *Macro-F1* give a node as many labels as it has, the papers' rule. "
        "*Written* is the Micro-F1 of the sets that `lapwing classify` writes, whose size it must "
        "find itself. "
        f"Draws {FIRST} and on, none of which played a part in any choice; mean ± standard "
        "deviation.",
        "",
        "| graph, labelled | method | Micro-F1 | Macro-F1 | written |",
        "|---|---|---|---|---|",
        *first,
        "",
        "## How many labels a node gets",
        "",
        "Each rule alone, scored on the hidden nodes, and the rule that was chosen on held-out "
        "labels, with how often each was taken.",
        "",
        "| graph, labelled | method | threshold per class | one threshold | count | chosen "
        "| taken |",
        "|---|---|---|---|---|---|---|",
        *second,
        "",
        "## Whether the probabilities hold",
        "",
        "The mean gap between a probability and how often it is right: of each node's most "
        "probable label, and of every label of every node, most of which are improbable. *Alone* "
        "is what the method itself says, *written* what `lapwing classify` writes.",
        "",
        "| graph, labelled | method | most probable, alone | most probable, written "
        "| every label, alone | every label, written |",
        "|---|---|---|---|---|---|",
        *third,
        "",
        "The default takes: "
        + "; ".join(
            f"{name}: "
            + ", ".join(
                f"{chosen} {count} of {len(told)}"
                for chosen, count in Counter(x["default"]["chosen"] for x in told).most_common()
            )
            for name, told in groups.items()
        )
        + ".",
        "",
        "`python -m bench.label_sets` makes this page.",
        "",
    ])  # fmt: skip


def verdict(groups: dict[str, list[dict[str, Any]]]) -> str:
    """The first sentences of the page: the default beside wvGN and the class shares."""
    told = []
    for name, rows in groups.items():
        mean = {m: np.mean([row[m]["micro"] for row in rows]) for m in METHODS}
        gap = {m: np.mean([row["wvgn"][m] for row in rows]) for m in GAPS[:2]}
        told.append(
            f"On {name} labelled, the default has a Micro-F1 of {mean['default']:.3f}, wvgn "
            f"{mean['wvgn']:.3f} and class shares {mean['class shares']:.3f}. The "
            f"probability of wvgn's best label is off by {gap['top raw']:.3f} as the method "
            f"says it, and by {gap['top calibrated']:.3f} as it is written."
        )
    return " ".join(told)


def _row(name: str, method: str, measures: tuple[str, ...], told: list[dict[str, Any]]) -> str:
    cells = []
    for measure in measures:
        values = [each[method][measure] for each in told if measure in each[method]]
        spread = f" ± {np.std(values, ddof=1):.3f}" if len(values) > 1 else ""
        cells.append(f"{np.mean(values):.3f}{spread}" if values else "")
    return f"| {name} | {method} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--graphs", nargs="*", default=["wikipedia:0.05", "imdb:0.01"])
    parser.add_argument("--kept", type=Path, default=Path("label-sets.jsonl"))
    told = parser.parse_args()
    kept = told.kept.read_text(encoding="utf-8").splitlines() if told.kept.exists() else []
    rows = [json.loads(line) for line in kept]
    done = {(row["graph"], row["share"], row["seed"]) for row in rows}
    for each in told.graphs:
        name, _, share = each.partition(":")
        for seed in range(FIRST, FIRST + told.draws):
            if (name, float(share), seed) not in done:
                found = measured(name, float(share), seed)
                row = {"graph": name, "share": float(share), "seed": seed, "methods": found}
                rows.append(row)
                with told.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                print(each, seed, found["default"], flush=True)
    (RESULTS / "label-sets.md").write_text(page(rows), encoding="utf-8")
    drawn("label-sets")


if __name__ == "__main__":
    main()
