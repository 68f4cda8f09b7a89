"""What is on the studio's page, in a real browser: classes, map, progress, export, the widget."""

import base64
import csv
import io
import json

import numpy as np
import pytest

from tests import studio_browser as sb

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")
from tests.studio_fixtures import browser, chromium, graph, limit, right, server, sitting

__all__ = ["browser", "chromium", "graph", "limit", "right", "server", "sitting"]
pytestmark = pytest.mark.skipif(bool(sb.missing()), reason=sb.missing() or "-")
CLASSES = list("0123456789")
EDGES = "a,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n"


def place_on_screen(server, graph, page, index):
    """Where the map shows a node: fitted into the picture, as large as it can be."""
    page.wait_for_selector(".canvas[data-drawn]")
    page.wait_for_selector(".arranging", state="detached")
    reply = page.request.get(f"{server.address}/v1/graphs/{graph}/layout")
    places = np.frombuffer(reply.body(), "<f4").reshape(-1, 2)
    box = page.locator(".canvas").bounding_box()
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([box["width"] - 90, box["height"] - 150])
    scale = (room / (high - low)).min()
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    return (places[index] - (low + high) / 2) * scale + middle


def test_the_first_visit_says_what_this_is_and_a_key_begins_and_answers(server, graph, sitting):
    """The table of docs/studio.md, line by line."""
    session = server.session(graph, CLASSES)
    sitting.open(f"{server.address}/?session={session}")
    page, node = sitting.page, sitting.node
    assert page.inner_text(".graph") == "digits · 1,797 nodes · 8,727 edges"
    assert page.inner_text(".chip") == "Connected"
    assert len(page.locator(".first li").all()) == 3
    assert len(page.locator(".first button").all()) == 1
    assert page.inner_text(".why b") == "1"
    assert page.inner_text(".reason").startswith("First look at a region")
    assert "No guess yet" in page.inner_text(".guess")
    assert page.locator(".class").all_inner_texts() == CLASSES
    assert page.locator(".actions kbd").all_inner_texts() == ["S", "N", "U"]
    foot = page.inner_text(".foot")
    for words in ("of 1,797 nodes", "not known yet", "first spot checks come soon", "goal: 10%"):
        assert words in foot
    page.keyboard.press(sitting.right[node])
    sitting.asked_other_than(node)
    sitting.saved()
    assert server.labels(session) == {node: sitting.right[node]}


def test_more_classes_than_keys_are_found_by_typing_and_new_ones_are_named(server, graph, sitting):
    session = server.session(graph, [f"kind {k:02d}" for k in range(40)])
    sitting.begin(f"{server.address}/?session={session}")
    page, first = sitting.page, sitting.node
    assert page.locator(".class kbd").all_inner_texts()[:11] == [*"1234567890", "A"]
    page.keyboard.press("f")
    page.keyboard.type("d 37")
    page.wait_for_function("() => document.querySelectorAll('.class').length === 1")
    assert sitting.node == first  # d, 3 and 7 are keys of classes, but not while a field is open
    page.keyboard.press("Enter")
    sitting.asked_other_than(first)
    second = sitting.node
    page.keyboard.press("f")
    page.keyboard.type("quite new")
    page.keyboard.press("Enter")
    sitting.asked_other_than(second)
    sitting.saved()
    assert server.labels(session) == {first: "kind 37", second: "quite new"}


def test_yes_or_no_unsure_redo_and_the_last_answers(server, graph, sitting):
    session = server.session(graph, CLASSES, audit_share=0.0)
    sitting.begin(f"{server.address}/?session={session}")
    page = sitting.page
    sitting.answer(12)
    sitting.saved()
    page.wait_for_selector(".actions .yes:not([disabled])")
    page.click("text=Yes or no")
    page.wait_for_selector(".isit")
    page.evaluate("document.activeElement.blur()")
    node, guess = sitting.node, page.inner_text(".guess strong")
    page.keyboard.press("y")
    sitting.asked_other_than(node)
    page.wait_for_selector(".isit")
    page.keyboard.press("n")
    page.wait_for_selector(".classes")  # no: then which?
    unsure = sitting.node
    page.keyboard.press("n")  # now it means not sure
    sitting.asked_other_than(unsure)
    sitting.saved()
    assert server.labels(session)[node] == guess
    assert unsure not in server.labels(session)
    page.click(".last li:first-child button")
    page.wait_for_selector(f".card[data-node='{node}']")
    page.keyboard.press("3")
    sitting.asked_other_than(node)
    sitting.saved()
    assert server.labels(session)[node] == "3"


def test_a_click_asks_and_a_spot_check_is_blind_under_the_pointer_and_in_the_list(
    server, graph, sitting
):
    session = server.session(graph, CLASSES, audit_share=1.0)
    page = sitting.page
    sitting.begin(f"{server.address}/?session={session}")
    sitting.answer(6)
    sitting.saved()
    page.reload()
    page.wait_for_selector(".card[data-audit='true']")
    names = page.request.get(f"{server.address}/v1/graphs/{graph}/names").text().split()
    x, y = place_on_screen(server, graph, page, names.index(sitting.node))
    page.mouse.move(x, y)
    page.wait_for_selector(".tip >> text=hidden during a spot check")
    page.click("text=List")
    page.wait_for_selector(".list tbody tr")
    while not page.locator(f".list tr:has(th:text-is('{sitting.node}'))").count():
        before = page.inner_text(".list tbody th")
        page.click("text=Later")
        page.wait_for_function(
            "was => !['', was].includes(document.querySelector('.list tbody th').innerText)",
            arg=before,
        )
    row = page.locator(f".list tr:has(th:text-is('{sitting.node}'))").inner_text()
    assert "hidden during a spot check" in row
    assert "%" not in row
    page.click(".list-tools >> text=Map")
    other = next(k for k, name in enumerate(names) if name != sitting.node and name not in
                 server.labels(session))  # fmt: skip
    x, y = place_on_screen(server, graph, page, other)
    before = sitting.node
    page.mouse.click(x, y)
    sitting.asked_other_than(before)
    page.wait_for_selector(".card[data-audit='false']")  # it was chosen, not drawn


def test_when_the_goal_is_reached_the_page_says_so_and_exports(server, graph, sitting, right):
    session = server.session(graph, CLASSES, audit_share=0.5, target_error=0.9)
    path = f"/sessions/{session}"
    for _ in range(60):
        if server.call(f"{path}/status")["advice"]["stop"]:
            break
        for each in server.call(f"{path}/next?k=1")["questions"]:
            answer = {"node": each["node"], "label": right[each["node"]]}
            server.call(f"{path}/labels", {"answers": [answer]})
    page = sitting.page
    sitting.open(f"{server.address}/?session={session}")
    page.wait_for_selector(".notice >> text=You may stop here")
    assert page.inner_text(".figure.bound b").startswith("at most")
    assert "goal reached" in page.inner_text(".goal")
    page.click("text=Why?")
    page.wait_for_selector("dialog >> text=The colours are guesses")
    page.keyboard.press("Escape")
    page.click("text=Export predictions")
    files = {}
    for place, button in enumerate(page.locator(".export button").all_inner_texts()):
        with page.expect_download() as coming:
            page.locator(".export button").nth(place).click()
        files[button, place] = coming.value.path().read_bytes()
    found = {name if name != "CSV" else ("CSV", place): content
             for (name, place), content in files.items()}  # fmt: skip
    predicted = list(csv.DictReader(io.StringIO(found["CSV", 0].decode())))
    assert len(predicted) == 1797
    assert found["Parquet"][:4] == b"PAR1"
    labels = next(content for key, content in found.items() if key[0] == "CSV" and key[1])
    told = {row["node"]: row["label"] for row in csv.DictReader(io.StringIO(labels.decode()))}
    assert told == server.labels(session)
    assert b"<graphml" in found["GraphML"][:400]
    events = [json.loads(line) for line in found["JSONL"].decode().splitlines()[1:]]
    assert len([event for event in events if event["kind"] == "told"]) == len(told)


def test_a_bad_file_is_refused_with_its_line_and_columns_are_chosen(server, sitting, tmp_path):
    page = sitting.page
    bad, good, nodes = (tmp_path / name for name in ("bad.csv", "edges.csv", "nodes.csv"))
    bad.write_text("a,b\nc\n")
    good.write_text(EDGES)
    nodes.write_text("node,title,year\n" + "".join(f"{n},Page {n},1999\n" for n in "abcxyz"))
    page.goto(server.address)
    page.set_input_files("input[type=file]", [str(bad)])
    page.click(".drop .yes")
    page.wait_for_selector("[role=alert] >> text=line 2")
    page.set_input_files("input[type=file]", [str(good), str(nodes)])
    page.click(".drop .yes")
    page.wait_for_selector(".begin")
    page.click(".begin .yes")  # no classes yet: they are named while labelling
    page.wait_for_selector(".card:not([data-node=''])")
    page.click(".first .yes")
    page.fill("#class-filter", "red")
    page.keyboard.press("Enter")
    sitting.saved()
    page.wait_for_selector(".class >> text=red")
    page.wait_for_selector(".face >> text=1999")
    page.click("text=Columns")
    page.click("dialog label:has-text('year')")
    page.wait_for_selector(".face >> text=1999", state="detached")
    page.reload()
    page.wait_for_selector(".card h1 >> text=Page")
    assert page.locator(".face >> text=1999").count() == 0


def test_small_and_dark_screens_show_everything_in_their_width(server, graph, sitting):
    session = server.session(graph, CLASSES)
    sitting.begin(f"{server.address}/?session={session}")
    page = sitting.page
    for width, height in ((390, 844), (768, 1024), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in (".card h1", ".classes", ".actions", ".chip", ".canvas"):
            assert page.locator(part).first.is_visible()
    paper = "getComputedStyle(document.querySelector('.app')).backgroundColor"
    light = page.evaluate(paper)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) != light
    assert sitting.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    moves = "getComputedStyle(document.querySelector('.button')).transitionDuration"
    assert page.evaluate(moves) == "0s"


def test_the_notebooks_widget_labels_through_the_kernel(sitting, server):
    pytest.importorskip("anywidget")
    from lapwing import Graph, Session  # noqa: PLC0415
    from lapwing.studio.kernel import NotebookKernel  # noqa: PLC0415

    edges = [line.split(",") for line in EDGES.split()]
    session = Session(Graph.from_edges([tuple(pair) for pair in edges]), ["red", "blue"])
    kernel, page = NotebookKernel(session), sitting.page

    def asked(message):
        reply = kernel.reply(
            message["method"], message["path"], message["body"], message["headers"]
        )
        content = base64.b64encode(reply.content).decode()
        return {"status": reply.status, "headers": reply.headers, "content": content}

    script = (sb.PAGE / "widget.js").read_text(encoding="utf-8")
    page.expose_function("asked", asked)
    page.route("**/widget.js", lambda way: way.fulfill(body=script, content_type="text/javascript"))
    page.route("**/cell", lambda way: way.fulfill(body="<body></body>", content_type="text/html"))
    page.goto(f"{server.address}/cell")
    page.evaluate(
        """async () => {
          const { default: widget } = await import("/widget.js");
          const facts = { session: "here", person: "", place: "test", height: 600 };
          const ears = new Set();
          const send = async (message) => {
            const reply = await window.asked(message);
            const bytes = Uint8Array.from(atob(reply.content), (letter) => letter.charCodeAt(0));
            const view = new DataView(bytes.buffer);
            for (const ear of ears) ear({ id: message.id, ...reply }, [view]);
          };
          const model = { get: (name) => facts[name], send, on: (_, ear) => ears.add(ear),
            off: (_, ear) => ears.delete(ear) };
          const el = document.createElement("div");
          document.body.replaceChildren(el);
          widget.render({ model, el });
        }"""
    )
    page.wait_for_selector(".card:not([data-node=''])")
    page.click(".first .yes")
    for key in "121":
        node = sitting.node
        page.locator(".app").press(key)
        page.wait_for_selector(f".card:not([data-node='{node}'])")
    page.wait_for_selector(".chip[data-waiting='0'][data-answers='3']")
    assert sorted(session.labels().values()) == ["blue", "red", "red"]
