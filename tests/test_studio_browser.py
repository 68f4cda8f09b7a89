"""The studio in a real browser: nothing is lost or doubled, keys alone suffice, nothing leaks."""

import io

import numpy as np
import pytest

from tests import studio_browser as sb

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")
from tests.studio_fixtures import browser, chromium, graph, limit, right, server, sitting

__all__ = ["browser", "chromium", "graph", "limit", "right", "server", "sitting"]
pytestmark = pytest.mark.skipif(bool(sb.missing()), reason=sb.missing() or "-")
CLASSES = list("0123456789")
NEIGHBOURS = """() => [...document.querySelectorAll('.neighbours button')].map(
    (each) => [each.querySelector('img').alt, each.querySelector('.label').innerText])"""


def test_thirty_digits_with_undo_reload_a_killed_server_and_a_broken_line(server, graph, sitting):
    session = server.session(graph, CLASSES)
    address = f"{server.address}/?session={session}"
    sitting.open(address)
    sitting.page.keyboard.press("Enter")  # the first visit's one button
    sitting.answer(8)
    sitting.undo()
    sitting.undo()
    sitting.saved()
    sitting.open(address)
    sitting.answer(8)
    server.kill()
    sitting.answer(3)
    sitting.waits(3)
    server.start()
    sitting.saved()
    sitting.answer(3)
    sitting.saved()
    sitting.stocked(10)
    sitting.page.context.set_offline(True)
    sitting.answer(10)
    sitting.waits(10)
    sitting.page.context.set_offline(False)
    sitting.saved()
    assert len(sitting.said) == 30
    assert server.labels(session) == sitting.said
    events = server.told(session)
    assert len([e for e in events if e["kind"] == "withdrawn"]) == 2
    assert len([e for e in events if e["kind"] == "told"]) == 32
    assert "30 answers saved" in sitting.page.inner_text(".chip")


def test_two_people_see_each_other_and_are_asked_about_different_nodes(
    server, graph, browser, right
):
    session = server.session(graph, CLASSES)
    sittings = []
    for name in ("ada", "bo"):
        page = browser.new_context(viewport={"width": 1300, "height": 800}).new_page()
        page.set_default_timeout(sb.PATIENCE)
        sittings.append(sb.Sitting(page, right))
        sittings[-1].open(f"{server.address}/?session={session}&person={name}")
        page.keyboard.press("Enter")
    ada, bo = sittings
    for _ in range(4):
        for each in sittings:
            each.page.wait_for_selector(".card:not([data-node=''])")
        assert ada.node != bo.node
        ada.answer(1)
        bo.answer(1)
    for each in sittings:
        each.page.wait_for_selector(".chip[data-answers='8']", timeout=sb.PATIENCE)
        assert each.page.locator(".person").count() == 2
    assert not set(ada.said) & set(bo.said)
    assert server.labels(session) == ada.said | bo.said
    ada.page.click(".people")
    ada.page.wait_for_selector(f"dialog >> text=bo is looking at {bo.node}")
    ada.page.keyboard.press("Escape")
    other = next(iter(bo.said))
    ada.page.keyboard.press("/")
    ada.page.fill(".search input", other)
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector(f".card[data-node='{other}']")
    ada.page.keyboard.press(str((int(bo.said[other]) + 1) % 10))
    ada.asked_other_than(other)
    bo.page.click(".people")
    bo.page.wait_for_selector(f"dialog >> text=bo: {bo.said[other]}")
    assert "Agreement on 1 shared node" in bo.page.inner_text("dialog")
    bo.page.click("dialog button:text-is('Settle')")
    bo.page.wait_for_selector(f".card[data-node='{other}']")
    for each in sittings:
        each.page.context.close()


def test_a_spot_check_is_blind_and_the_guess_is_told_afterwards(server, graph, sitting):
    session = server.session(graph, CLASSES, audit_share=1.0)
    sitting.open(f"{server.address}/?session={session}")
    page = sitting.page
    page.keyboard.press("Enter")
    sitting.answer(12)
    sitting.saved()
    page.wait_for_selector(".card[data-audit='true']")
    assert page.locator(".guess.blind").count() == 1
    assert page.locator(".bars").count() == 0
    assert page.locator(".class.guessed").count() == 0
    assert page.locator(".actions .yes").is_disabled()
    answered = set(server.labels(session))
    page.wait_for_selector(".neighbours img")
    near = page.evaluate(NEIGHBOURS)  # at one time: the card may be drawn anew between two looks
    assert near
    assert all(label == "?" for name, label in near if name not in answered)
    node = sitting.node
    page.keyboard.press("Enter")  # means nothing here: the search opens on the same node
    page.keyboard.press("/")
    page.keyboard.type(node)
    page.wait_for_selector("#found button")
    assert "hidden" in page.locator("#found button").first.inner_text()
    assert sitting.node == node
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    sitting.answer(1)
    page.wait_for_function(
        "() => document.querySelector('.saved').innerText.includes('hidden guess')"
    )


def test_an_answer_that_looks_wrong_is_asked_about_again_and_a_measure_is_certified(
    server, graph, sitting, right
):
    session = server.session(graph, CLASSES, second_looks=True, certify="recall:3>=0.9", seed=3)
    for turn in range(48):
        (asked,) = server.call(f"/sessions/{session}/next")["questions"]
        label = str((int(right[asked["node"]]) + (turn > 40)) % 10)
        answers = [{"node": asked["node"], "label": label}]
        server.call(f"/sessions/{session}/labels", {"answers": answers})
    sitting.open(f"{server.address}/?session={session}")
    page = sitting.page
    assert "Recall of 3" in page.inner_text(".foot")
    assert "goal: 90%" in page.inner_text(".foot")
    for _ in range(16):
        page.wait_for_selector(".card[data-node]:not([data-node=''])")
        if "Second look" in page.inner_text(".card"):
            break
        sitting.answer(1)
    node = sitting.node
    before = server.labels(session)[node]
    assert page.locator(".bars").count() == 0
    assert page.locator(".actions .yes").is_disabled()
    sitting.answer(1)
    sitting.saved()
    assert before != right[node] == server.labels(session)[node]


def test_odd_answers_are_offered_listed_and_corrected(server, graph, sitting, right):
    session = server.session(graph, CLASSES, audit_share=0)
    nodes = sorted(right)[:: len(right) // 160][:160]
    wrong = set(nodes[40:160:40])
    answers = [
        {"node": node, "label": str((int(right[node]) + (node in wrong)) % 10)} for node in nodes
    ]
    server.call(f"/sessions/{session}/labels", {"answers": answers})
    sitting.open(f"{server.address}/?session={session}")
    page = sitting.page
    page.wait_for_selector("text=look odd", timeout=sb.PATIENCE)
    page.click("text=All of them, the oddest first")
    listed = page.locator("details li").all_inner_texts()
    assert all(any(line.startswith(f"{node}: you said") for line in listed) for node in wrong)
    assert len(listed) <= 2 * len(wrong)
    node = next(iter(wrong))
    page.locator("details li button", has_text=f"{node}: you said").first.click()
    page.wait_for_selector(f".card[data-node='{node}']", timeout=sb.PATIENCE)
    assert page.locator(".bars").count() == 0
    assert page.locator(".actions .yes").is_disabled()
    sitting.answer(1)
    sitting.saved()
    assert server.labels(session)[node] == right[node]


def test_the_whole_flow_by_keyboard_and_no_key_acts_in_a_text_field(server, graph, sitting):
    session = server.session(graph, CLASSES)
    sitting.open(f"{server.address}/?session={session}")
    page, node = sitting.page, sitting.node
    page.keyboard.press("Enter")
    page.keyboard.press("f")
    page.keyboard.type("7su")
    assert sitting.node == node
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    sitting.asked_other_than(node)
    sitting.answer(2)
    sitting.undo()
    again = sitting.node
    page.keyboard.press("Shift+U")
    sitting.asked_other_than(again)
    page.keyboard.press("/")
    page.keyboard.type("123")
    page.wait_for_selector("#found button")
    page.keyboard.type("4")
    page.keyboard.press("Enter")  # before the results of 1234 are there: those of 123 do not count
    page.wait_for_selector(".card[data-node='1234']")
    sitting.saved()
    assert len(server.labels(session)) == 2


def test_a_lasso_labels_many_after_a_question_back_and_one_undo_takes_it_back(
    server, graph, sitting
):
    session = server.session(graph, CLASSES)
    sitting.open(f"{server.address}/?session={session}")
    page = sitting.page
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-drawn]", timeout=sb.PATIENCE)
    page.keyboard.press("l")
    box = page.locator(".canvas").bounding_box()
    corners = [(0.42, 0.3), (0.62, 0.3), (0.62, 0.5), (0.42, 0.5)]
    points = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=5)
    page.mouse.up()
    page.wait_for_selector(".panel")
    page.select_option(".panel select", "3")
    assert server.labels(session) == {}
    page.click(".panel .yes")
    page.wait_for_function("() => Number(document.querySelector('.chip').dataset.answers) > 10")
    many = server.labels(session)
    assert set(many.values()) == {"3"}
    assert server.call(f"/sessions/{session}/status")["audits"] == 0
    page.keyboard.press("u")
    page.wait_for_selector(".chip[data-answers='0'][data-waiting='0']", timeout=sb.PATIENCE)
    assert server.labels(session) == {}


def test_both_painters_draw_the_same_map(server, graph, sitting):
    image = pytest.importorskip("PIL.Image")
    session = server.session(graph, CLASSES)
    sitting.page.set_viewport_size({"width": 900, "height": 560})  # emulated WebGL is slow
    seen = {}
    for painter in ("canvas", "sigma"):
        sitting.open(f"{server.address}/?session={session}&painter={painter}")
        sitting.page.wait_for_selector(f"[data-drawn][data-painter={painter}]", timeout=sb.PATIENCE)
        sitting.drawn()
        sitting.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        sitting.page.evaluate("document.querySelector('.first').remove()")
        picture = sitting.page.locator(".canvas").screenshot(animations="disabled")
        seen[painter] = np.asarray(image.open(io.BytesIO(picture)).convert("L"), dtype=int)
    ink = {painter: each < 215 for painter, each in seen.items()}
    both = ink["canvas"] & ink["sigma"]
    assert ink["canvas"].sum() > 5_000
    assert both.sum() > 0.9 * max(ink["canvas"].sum(), ink["sigma"].sum())


def test_axe_finds_nothing_serious(server, graph, sitting):
    if not sb.AXE.is_file():
        pytest.skip("axe-core is not installed (make page)")
    session = server.session(graph, CLASSES)
    page, found = sitting.page, []

    def look(state):
        page.evaluate(sb.AXE.read_text())
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found.extend(
            (state, each["id"], each["nodes"][0]["html"][:200])
            for each in result["violations"]
            if each["impact"] in ("serious", "critical")
        )

    page.goto(server.address)
    page.wait_for_selector(".drop")
    look("start")
    sitting.open(f"{server.address}/?session={session}")
    page.wait_for_selector("[data-drawn]", timeout=sb.PATIENCE)
    look("first visit")
    page.keyboard.press("Enter")
    sitting.answer(3)
    sitting.saved()
    look("question")
    page.emulate_media(color_scheme="dark")
    look("dark")
    for key in ("/", "?"):
        page.keyboard.press(key)
        page.wait_for_selector("dialog[open]")
        look(f"dialog {key}")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    page.click("text=List")
    page.wait_for_selector(".list tbody tr")
    look("list")
    assert not found, "\n".join(map(str, found))


def test_files_dropped_on_the_start_page_become_a_session_and_more_make_it_grow(
    server, sitting, tmp_path
):
    page = sitting.page
    edges, nodes = tmp_path / "friends.csv", tmp_path / "nodes.csv"
    edges.write_text("a,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n")
    nodes.write_text("node,title\n" + "".join(f"{n},Page {n}\n" for n in "abcxyz"))
    page.goto(server.address)
    page.set_input_files("input[type=file]", [str(edges), str(nodes)])
    page.click(".drop .yes")
    page.wait_for_selector(".begin", timeout=sb.PATIENCE)
    assert "6 nodes · 7 edges" in page.inner_text(".begin")
    page.fill("input[name=classes]", "red, blue")
    page.click(".begin .yes")
    page.wait_for_selector(".card:not([data-node=''])", timeout=sb.PATIENCE)
    assert page.inner_text(".card h1").startswith("Page ")
    page.click(".first .yes")
    page.keyboard.press("2")
    sitting.saved()
    session = page.url.split("session=")[1]
    assert list(server.labels(session).values()) == ["blue"]
    more = page.evaluate_handle(
        """() => { const drag = new DataTransfer();
        drag.items.add(new File(["a,q\\nq,x\\n"], "more.csv"));
        drag.items.add(new File(["node,title\\nq,Page q\\n"], "more-nodes.csv"));
        return drag; }"""
    )
    page.dispatch_event(".app", "drop", {"dataTransfer": more})
    page.wait_for_function("() => document.querySelector('.graph').innerText.includes('7 nodes')")
    assert "Added 1 node and 2 edges" in page.inner_text(".saved")
    assert list(server.labels(session).values()) == ["blue"]
    assert server.call(f"/sessions/{session}/status")["answers"] == 1
    page.keyboard.press("/")
    page.keyboard.type("Page q")
    page.wait_for_selector(".search li >> text=Page q")
    page.keyboard.press("Enter")
    page.wait_for_selector(".card h1 >> text=Page q")  # the new node came with its columns
