"""The documentation site: what is made of docstrings, results and notebooks, and that it builds."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from docsite import algorithms, docstrings, reference, results, studies
from lapwing.catalog import ENTRIES

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
HEAD = "study,graph,method,learner,at,measure,mean,sd,n,printed,verdict,reason\n"


@pytest.fixture
def committed(tmp_path):
    """A folder of results like ``bench/results``."""
    folder = tmp_path / "gu2013"
    folder.mkdir()
    (folder / "table2.csv").write_text(
        HEAD
        + "table2,cora,SSLGC,sslgc,,error,0.12345,0.0021,20,0.121,reproduced,\n"
        + "table2,cora,GPA,gpa,,queries,2485,,20,2485,reproduced,\n"
        + 'table2,pubmed,SSLGC,sslgc,,error,0.2,0.01,20,0.15,not reproduced,"|mu|, not stated"\n'
    )
    (folder / "table2.md").write_text("# Table 2\n")
    (folder / "figure1.csv").write_text(
        HEAD
        + "figure1,cora,GPA,gpa,10,error,0.3,0.01,20,0.3,reproduced,\n"
        + "figure1,cora,GPA,gpa,100,error,0.2,0,20,0.1,not reproduced,why\n"
    )
    (folder / "notes.csv").write_text("a,b\n1,2\n")
    return tmp_path


def test_committed_rows_are_read_and_other_tables_left_alone(committed):
    found = results.rows(committed)
    assert [row.learner for row in found] == ["gpa", "gpa", "sslgc", "gpa", "sslgc"]
    assert [row.value for row in found[2:]] == [
        "0.1235\xa0±\xa00.0021",
        "2,485",
        "0.2\xa0±\xa00.01",
    ]
    assert results.rows(committed / "nowhere") == []


def test_an_algorithms_page_has_its_rows_and_no_others(committed):
    pages = algorithms.pages(results.rows(committed))
    page = pages["algorithms/sslgc.md"]
    assert page.count("[gu2013/table2](../results/gu2013/table2.md)") == 2
    assert "not reproduced: \\|mu\\|, not stated" in page
    assert "## Benchmarks" in pages["algorithms/gpa.md"]
    assert (
        "| cora | GPA | error | 10: 0.3 ± 0.01<br>100: 0.2 | 10: 0.3<br>100: 0.1 "
        "| 1 of 2 reproduced: why |" in pages["algorithms/gpa.md"].replace("\xa0", " ")
    )
    assert "## Benchmarks" not in pages["algorithms/ollgc.md"]


def test_committed_pages_are_listed_by_paper(committed):
    (committed / "questions.md").write_text("# Questions\n")
    listed = results.index(committed)
    assert "- [Questions](questions.md)\n\n## gu2013\n\n- [Table 2](gu2013/table2.md)" in listed
    (committed / "questions.md").write_text("# Questions\n\nAll are\nquick.\n\nMethod.\n")
    assert "- [Questions](questions.md)<br>All are quick.\n" in results.index(committed)
    (committed / "README.md").write_text("# All\n")
    assert results.index(committed) == "# All\n"
    assert committed / "README.md" not in results.files(committed)
    assert "No results" in results.index(committed / "nowhere")


def test_a_studys_page_opens_with_the_verdict_and_a_picture(committed):
    path = committed / "gu2013" / "table2.md"
    path.write_text("# Table 2\n\n1 of 3 holds.\n\n### Protocol\n\nHow.\n")
    own = [row for row in results.rows(committed) if row.study == "table2"]
    words, drawn = studies.page(path, own)
    assert words.startswith("# Table 2\n\n**1 of 3 holds.**\n\n![Our numbers against")
    assert words.endswith("### Protocol\n\nHow.\n")
    assert drawn["table2-overview.png"].startswith(b"\x89PNG")
    path.write_text("# Table 2\n\nHolds.\n\n### Protocol\n\nHow.\n\n![Drawn](a.png)\n\nEnd.\n")
    words, drawn = studies.page(path, own)
    assert drawn == {}
    assert words == "# Table 2\n\n**Holds.**\n\n![Drawn](a.png)\n\n### Protocol\n\nHow.\n\nEnd.\n"


def test_where_nothing_is_printed_the_leader_is_named(committed):
    (committed / "gu2013" / "split.csv").write_text(
        HEAD
        + "split,cora,A,a,0.1,micro,0.5,0,5,,,\nsplit,cora,A,a,0.2,micro,0.6,0,5,,,\n"
        + "split,cora,B,b,0.1,micro,0.4,0,5,,,\nsplit,cora,B,b,0.2,micro,0.7,0,5,,,\n"
    )
    own = [row for row in results.rows(committed) if row.study == "split"]
    assert studies.leaders(own) == "Highest micro-F1 at 0.2: B on cora."
    errors = [replace(row, measure="error") for row in own]
    assert studies.leaders(errors) == "Lowest error at 0.2: A on cora."


def test_every_algorithm_has_a_page_that_says_its_settings():
    pages = algorithms.pages([])
    assert len(pages) == len(ENTRIES) + 1
    for entry in ENTRIES.values():
        page, index = pages[algorithms.path(entry)], pages["algorithms/index.md"]
        assert f"({entry.name}.md)" in index
        for name, default in entry.parameters.items():
            assert f"| `{name}` | `{default!r}` |" in page
        assert entry.paper in page
        assert ">>>" in page, f"{entry.name} shows no example"


def test_every_setting_of_an_algorithm_is_explained():
    silent = {
        (entry.name, line.split("`")[1])
        for entry in ENTRIES.values()
        for line in algorithms.pages([])[algorithms.path(entry)].splitlines()
        if re.fullmatch(r"\| `\w+` \| `.*` \|  \|", line)
    }
    assert silent == set()


@pytest.mark.parametrize("module", [docstrings, results], ids=lambda module: module.__name__)
def test_examples_in_the_sites_own_code_are_true(module):
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0


def test_departures_stand_apart():
    said = docstrings.parsed(inspect.getdoc(ENTRIES["wvgn"].about))
    assert len(said.departures) == 1
    assert "Departures" not in " ".join(said.parameters.values())
    page = algorithms.page(ENTRIES["wvgn"], [])
    assert "## Departures from the paper\n\nThe gradient of the penalty" in page


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mu\n    Penalty.\nnu\n    Other.", {"mu": "Penalty.", "nu": "Other."}),
        ("mu:\n    Penalty.", {"mu": "Penalty."}),
        ("mu: penalty,\n    at least 0.", {"mu": "penalty, at least 0."}),
        ("p, q\n    Both.\n\nA note: at the end.", {"p": "Both.", "q": "Both."}),
    ],
)
def test_parameters_are_read_however_they_are_written(written, expected):
    found = docstrings.parsed(f"Does.\n\nParameters\n----------\n{written}\n")
    assert found.parameters == expected


def test_the_reference_knows_every_room_and_only_public_names():
    pages = reference.pages()
    assert {
        f"reference/lapwing.{room}.md" for room in ("graph", "online", "play", "learner")
    } <= set(pages)
    assert not any("cli" in path for path in pages)
    assert "::: lapwing.online.SSLGC" in pages["reference/lapwing.online.md"]
    assert not re.search(r"^::: .*\._", "".join(pages.values()), re.MULTILINE)


def test_notebooks_are_stored_without_outputs():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            assert not cell.get("outputs"), path.name
            assert cell.get("execution_count") is None, path.name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebooks_code_runs(path):
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), path.name, "exec"), names)
    assert names["digits"].name == "digits"


@pytest.mark.skipif(find_spec("mkdocs") is None, reason='needs mkdocs: pip install -e ".[docs]"')
def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path):
    site = tmp_path / "site"
    settings = {"LAPWING_DOCS_EXECUTE": "0", "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(ENTRIES)
    for page in pages:
        fetched = re.findall(
            r'<(?:script|img|iframe|link)\b[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text()
        )
        assert not fetched, f"{page.name} fetches {fetched}"
    sslgc = (site / "algorithms" / "sslgc.html").read_text()
    assert "<math" in sslgc
    assert ":math:" not in sslgc
