"""Yang 2018's studies: what is counted, and that the runs are the paper's."""

from dataclasses import replace

import pytest

from lapwing.catalog.protocols import PROTOCOLS
from lapwing.reproduce import load_study, planned
from lapwing.reproduce.trials import done

SIZES = {"coauthor": 1711, "cora": 2485, "movies": 17046, "pubmed": 19717}
UPDATES_ALWAYS = ("Confidit", "OSLG-Bandit")


def test_table_1_prints_every_row_of_every_public_graph():
    study = load_study("yang2018/table1")
    rows = {"GPA", "MSG", "OSLG", "MOLG-F", "Confidit", "OSLG-Bandit", "MOLG-B"}
    assert set(study.printed) == {"coauthor", "cora", "movies", "pubmed"}
    for graph, printed in study.printed.items():
        assert set(printed) == rows
        assert all({"error", "error_sd", "updates"} <= set(row) for row in printed.values())
        for name in UPDATES_ALWAYS:
            assert printed[name]["updates"] == SIZES[graph]
        assert printed["GPA"]["updates"] == 2 * SIZES[graph]


@pytest.mark.parametrize("name", ["table1", "figure1", "figure2"])
def test_settings_are_those_of_the_protocol(name):
    """A study spells out what `lapwing play --protocol yang2018` does."""
    study = load_study(f"yang2018/{name}")
    for trial in planned(study, seeds=1):
        if study.method(trial.method).beyond:
            continue
        wanted = PROTOCOLS["yang2018"].parameters_for(trial.learner, SIZES[trial.graph])
        varied = {study.grid.name: trial.at} if study.grid and trial.at is not None else {}
        told = {key: trial.settings.get(key) for key in wanted}
        if name == "figure1" and trial.at is None:
            wanted.pop("phi", None), told.pop("phi", None)
        assert told == wanted | {key: varied[key] for key in varied if key in wanted}


def on_karate(learner, vectors, **settings) -> dict:
    trial = planned(load_study("yang2018/table1"), seeds=1)[0]
    rows = {"rank": 10, "normalized": True, "unit_rows": True}
    small = {"graph": "karate", "source": {}, "learner": learner, "settings": rows | settings}
    return done(replace(trial, **small, options={"vectors": vectors}, seed=1))


def test_updates_are_counted_in_vectors():
    """OSLG: one per class on each mistake; MOLG-F: two per update; both as shares of rounds."""
    oslg = on_karate("oslg", "classes", b=10.0)
    assert oslg["updated_share"] == pytest.approx(oslg["error"])
    assert oslg["updates"] == pytest.approx(2 * 34 * oslg["error"])
    few, many = (on_karate("molg-f", 2, b=10.0, phi=phi) for phi in (0.01, 10.0))
    assert few["updated_share"] == pytest.approx(few["updates"] / 2 / 34)
    assert few["error"] <= few["updated_share"] <= many["updated_share"] <= 1
    assert on_karate("oslg-bandit", 1, b=10.0)["updated_share"] == 1


def test_cora_s_rows_are_near_the_printed_ones(dataset):
    """Those that the paper's text is enough to reproduce."""
    dataset("cora")
    study = load_study("yang2018/table1")
    trials = [t for t in planned(study, seeds=3, graphs=("cora",)) if t.method in
              ("OSLG", "MOLG-F", "MOLG-B", "OSLG-Bandit")]  # fmt: skip
    found: dict[str, list[dict]] = {}
    for trial in trials:
        found.setdefault(trial.method, []).append(done(trial))
    error = {name: sum(run["error"] for run in runs) / 3 for name, runs in found.items()}
    assert error["OSLG"] == pytest.approx(0.2077, abs=0.012)
    assert error["MOLG-F"] == pytest.approx(0.1816, abs=0.012)
    assert all(run["updates"] == 7 * round(2485 * run["error"]) for run in found["OSLG"])
    assert all(run["updates"] == 2485 for run in found["OSLG-Bandit"])
    assert all(1100 < run["updates"] < 1500 for run in found["MOLG-B"])
