"""Every page says what is true: its Python and its commands run, and print what it shows."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

import pytest

from lapwing.cli import main

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w+)( \{[^}\n]*\})?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_RUN = {
    "index.md": ['pip install ".[all]"    # in a checkout; Python 3.11 or newer'],
    "start.md": ['pip install ".[all]"'],
    "find-the-rare-ones.md": [
        "lapwing label edges.csv --nodes accounts.csv --find fraud",
    ],
    "label-my-graph.md": ["lapwing label edges.csv --classes fraud,fine"],
    "beyond-one-machine.md": [
        "dask scheduler --host 127.0.0.1 --port 8786 & "
        "dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1",
        "lapwing convert edges/ graph.parts --cluster tcp://127.0.0.1:8786",
        "lapwing classify graph.parts --labels told.csv -o predictions "
        "--cluster tcp://127.0.0.1:8786",
    ],
    "label-as-a-team.md": ["lapwing serve --folder work --port 8400"],
    "studio.md": [
        "lapwing studio digits --classes 0,1,2,3,4,5,6,7,8,9",
        "lapwing studio edges.csv --nodes pages.csv --classes spam,fine",
        "lapwing studio",
    ],
}
"""What no test can type: an installation, and questions for a person."""


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Language, attributes and words of each block of code."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = FENCE.findall(text)
    assert 2 * len(found) == len(re.findall(r"^```", text, re.MULTILINE)), "an open fence"
    return found


def test_all_pages_are_found():
    assert {"start.md", "bridges.md", "how-lapwing-learns.md", "label-my-graph.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_and_prints_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAPWING_DB", str(tmp_path / "sessions.db"))
    monkeypatch.setenv("COLUMNS", "120")
    names: dict[str, object] = {}
    printed, skipped = "", []
    for language, attributes, words in blocks(page):
        if ".not-run" in attributes:
            skipped += words.strip().splitlines()
        elif language == "python":
            printed = _run_python(words, page, names)
        elif language == "sh":
            printed = "".join(map(_run_command, words.strip().splitlines()))
        else:
            assert language == "text", f"{page}: a block of {language} is checked by nobody"
            assert _as_shown(words, printed), f"{page} shows\n{words}\nbut this came\n{printed}"
    assert skipped == NOT_RUN.get(page, [])


def _run_python(words: str, page: str, names: dict[str, object]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(words, page, "exec"), names)
    return out.getvalue()


def _run_command(line: str) -> str:
    """One line of a shell, as if it were typed; it must end well."""
    program, *arguments = shlex.split(line, comments=True)
    assert program == "lapwing", f"only lapwing's commands are run, got {line}"
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code in (0, None), f"{line}: exit code {ended.value.code}"
    return out.getvalue()


def _as_shown(shown: str, printed: str) -> bool:
    return OutputChecker().check_output(shown, printed, ELLIPSIS | NORMALIZE_WHITESPACE)
