"""A server, a browser and a person at a page, for the studio's tests in a real browser."""

import threading

import pytest

from tests import studio_browser as sb

playwright = pytest.importorskip("playwright.sync_api")
LIMIT = 240
"""Seconds after which a test's browser and server are killed, whatever it waits for."""


@pytest.fixture(scope="module")
def right():
    return sb.truth()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    found = sb.Server(tmp_path_factory.mktemp("studio") / "service")
    try:
        found.start()
        yield found
    finally:
        found.kill()


@pytest.fixture(scope="module")
def graph(server):
    return server.call("/examples/digits", {})["graph"]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    found = sb.Chromium(tmp_path_factory.mktemp("chromium"))
    yield found
    found.kill()


@pytest.fixture(scope="module")
def browser(chromium):
    with playwright.sync_playwright() as started:
        yield started.chromium.connect_over_cdp(chromium.address, timeout=60_000)
        chromium.kill()  # now nothing is left that could keep the connection waiting


@pytest.fixture(autouse=True)
def limit(chromium, server):
    """A test that waits too long loses its browser and its server, and fails by that."""
    timer = threading.Timer(LIMIT, lambda: (chromium.kill(), server.kill()))
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


@pytest.fixture
def sitting(browser, right):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(sb.PATIENCE)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda wrong: problems.append(str(wrong)))
    page.on("request", lambda asked: asked.url.startswith(("http://127.0.0.1:", "data:", "blob:"))
            or problems.append(f"asked another host: {asked.url}"))  # fmt: skip
    yield sb.Sitting(page, right)
    context.close()
    assert problems == []
