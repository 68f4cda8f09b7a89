"""The studio's page on a service that wants tokens: asking for one, exporting with it, refusals."""

import csv
import io
import subprocess
import sys

import pytest

from tests import studio_browser as sb

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")
from tests.studio_fixtures import browser, chromium, graph, limit, right, sitting

__all__ = ["browser", "chromium", "graph", "limit", "right", "sitting"]
pytestmark = pytest.mark.skipif(bool(sb.missing()), reason=sb.missing() or "-")
CLASSES = list("0123456789")


def created(folder, name, role):
    command = [sys.executable, "-m", "lapwing", "token", "create", name, "--role", role]
    done = subprocess.run(
        [*command, "--folder", str(folder)],
        capture_output=True, text=True, check=True, env=sb.with_compiled_modules(),
    )  # fmt: skip
    return done.stdout.split()[-1]


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio") / "service"
    people = {"ada": "owner", "bo": "annotator"}
    return folder, {name: created(folder, name, role) for name, role in people.items()}


@pytest.fixture(scope="module")
def server(tokens):
    folder, known = tokens
    found = sb.Server(folder, token=known["ada"])
    try:
        found.start()
        yield found
    finally:
        found.kill()


def downloaded(page, place):
    """The content and name of the file behind a button of the dialog, by its place."""
    with page.expect_download() as coming:
        page.locator(".export button").nth(place).click()
    return coming.value.path().read_bytes(), coming.value.suggested_filename


def test_the_page_asks_for_a_token_and_exports_with_it(server, graph, sitting, tokens):
    session, page = server.session(graph, CLASSES), sitting.page
    page.goto(f"{server.address}/?session={session}")
    page.wait_for_selector("input[name=token]")
    page.fill("input[name=token]", tokens[1]["ada"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".card:not([data-node=''])")
    page.click(".first .yes")
    sitting.answer(3)
    sitting.saved()
    page.click(".bar >> text=Export")
    files = [downloaded(page, k) for k in range(page.locator(".export button").count())]
    assert [name for _, name in files] == [
        "predictions.csv", "predictions.parquet", "predictions.arrow", "labels.csv",
        "session.graphml", "session.jsonl",
    ]  # fmt: skip
    rows = {name: list(csv.DictReader(io.StringIO(content.decode())))
            for content, name in files if name.endswith("csv")}  # fmt: skip
    assert {row["node"]: row["label"] for row in rows["labels.csv"]} == sitting.said
    assert len(rows["predictions.csv"]) == 1797
    assert files[1][0][:4] == b"PAR1"
    assert b"<graphml" in files[4][0][:400]


def test_a_link_brings_the_token_and_what_a_role_may_not_is_said(server, graph, sitting, tokens):
    session, page = server.session(graph, CLASSES), sitting.page
    sitting.open(f"{server.address}/?session={session}#token={tokens[1]['bo']}")
    assert "token" not in page.url
    page.click(".first .yes")
    sitting.answer(1)
    sitting.saved()
    page.click(".bar >> text=Export")
    page.click(".export button >> text=JSONL")  # the whole log is the owners'
    page.wait_for_selector(".saved >> text=owner")
    page.click(".bar >> text=Export")
    content, name = downloaded(page, 3)
    assert name == "labels.csv"
    assert content.decode().splitlines()[0].startswith("node,label")
