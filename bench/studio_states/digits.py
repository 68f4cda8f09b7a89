"""States of a session on the handwritten digits, and the start page."""

from __future__ import annotations

from typing import Any

from bench.studio_states.opened import DIGITS, PHONE, Studio


def first_visit(studio: Studio) -> None:
    page = studio.page()
    studio.opened(page, studio.server.session(studio.digits, DIGITS), begin=False)
    studio.shot(page, "first-visit")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(600)
    studio.shot(page, "first-visit-dark")
    page = studio.page(400, 860, **PHONE)
    studio.opened(page, studio.server.session(studio.digits, DIGITS), begin=False)
    studio.shot(page, "first-visit-phone")


def question(studio: Studio) -> None:
    """A question, a spot check, an answer, and every dialog and view around them."""
    session = studio.server.session(studio.digits, DIGITS)
    studio.told(session, 40)
    page = studio.page()
    sitting = studio.opened(page, session)
    for kind, name in (("true", "spot-check"), ("false", "question")):
        while page.get_attribute(".card", "data-audit") != kind:
            sitting.answer(1)
            sitting.saved()
            page.wait_for_timeout(300)
        page.reload()
        page.wait_for_selector(f".card[data-audit='{kind}']")
        page.wait_for_selector(".canvas[data-drawn]")
        page.wait_for_timeout(1500)
        studio.shot(page, name)
    for mode in ("Confidence", "Labels", "Truth"):
        page.click(f".segments >> text={mode}")
        page.wait_for_timeout(600)
        studio.shot(page, f"coloured-by-{mode.lower()}")
    page.click(".segments >> text=Prediction")
    for key, name in (("/", "search"), ("?", "keys")):
        page.keyboard.press(key)
        page.wait_for_selector("dialog[open]")
        page.keyboard.type("12")
        page.wait_for_timeout(800)
        studio.shot(page, name)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    for button, name in ((".bar >> text=Export", "export"), (".why-button", "why")):
        page.click(button)
        page.wait_for_timeout(500)
        studio.shot(page, name)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    lassoed(studio, page)
    page.click("text=List")
    page.wait_for_selector(".list tbody tr")
    page.wait_for_timeout(800)
    studio.shot(page, "list")
    page.click(".list-tools >> text=Map")
    page.click("text=Yes or no")
    page.wait_for_timeout(800)
    studio.shot(page, "yes-or-no")
    page.click("text=Yes or no")
    page.evaluate("document.activeElement.blur()")
    sitting.answer(1)
    sitting.saved()
    page.wait_for_timeout(1500)
    studio.shot(page, "answered")
    sitting.undo()
    page.wait_for_timeout(800)
    studio.shot(page, "taken-back")


def lassoed(studio: Studio, page: Any) -> None:
    page.keyboard.press("l")
    box = page.locator(".canvas").bounding_box()
    corners = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
               for x, y in ((0.3, 0.3), (0.7, 0.3), (0.7, 0.6), (0.3, 0.6))]  # fmt: skip
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*corner, steps=5)
    page.mouse.up()
    page.wait_for_selector(".panel")
    page.wait_for_timeout(500)
    studio.shot(page, "lasso")
    page.keyboard.press("Escape")


def offline(studio: Studio) -> None:
    session = studio.server.session(studio.digits, DIGITS)
    studio.told(session, 42)
    page = studio.page()
    sitting = studio.opened(page, session)
    sitting.stocked(10)
    page.context.set_offline(True)
    sitting.answer(3)
    sitting.waits(3)
    page.wait_for_timeout(2500)
    studio.shot(page, "offline")


def sizes(studio: Studio) -> None:
    session = studio.server.session(studio.digits, DIGITS)
    studio.told(session, 42)
    for name, width, height in (
        ("wide", 1920, 1080),
        ("tablet", 1024, 768),
        ("upright", 768, 1024),
    ):
        page = studio.page(width, height)
        studio.opened(page, session)
        studio.shot(page, name)
    page = studio.page(400, 860, **PHONE)
    studio.opened(page, session)
    studio.shot(page, "phone")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(300)
    studio.shot(page, "phone-below")


def stop(studio: Studio) -> None:
    session = studio.server.session(studio.digits, DIGITS)
    while not studio.server.call(f"/sessions/{session}/status")["advice"]["stop"]:
        studio.told(session, 10)
    page = studio.page(color_scheme="dark")
    studio.opened(page, session)
    studio.shot(page, "stop-dark")
    page.emulate_media(color_scheme="light")
    page.wait_for_timeout(600)
    studio.shot(page, "stop")


def people(studio: Studio) -> None:
    """Two people who differ on some nodes, and answers that the others speak against."""
    session = studio.server.session(studio.digits, DIGITS)
    path = f"/sessions/{session}/labels"
    nodes = list(studio.right)[:170]
    slips = {node: str((int(studio.right[node]) + 1) % 10) for node in nodes[::20]}
    told = [{"node": node, "label": slips.get(node, studio.right[node])} for node in nodes]
    studio.server.call(path, {"answers": told, "known": True})
    other = [{"node": node, "label": studio.right[node]} for node in nodes[:60:4]]
    page = studio.page()
    page.request.post(f"{studio.server.address}/v1{path}", data={"answers": other, "known": True},
                      headers={"X-Lapwing-Person": "ada"})  # fmt: skip
    studio.opened(page, session)
    page.wait_for_selector(".notice.amber")
    page.wait_for_timeout(600)
    studio.shot(page, "odd-answers")
    page.click(".notice.amber .button")
    page.wait_for_selector(".guess.blind")
    page.wait_for_timeout(600)
    studio.shot(page, "second-look")
    page.click(".people")
    page.wait_for_timeout(500)
    studio.shot(page, "people")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    for mode in ("Person", "Disagreement"):
        page.click(f".segments >> text={mode}")
        page.wait_for_timeout(600)
        studio.shot(page, f"coloured-by-{mode.lower()}")


def start(studio: Studio) -> None:
    """The start page with good, bad and empty files, and a session that is not there."""
    page = studio.page()
    files = {
        "start": {},
        "start-bad-file": {"bad.csv": "a,b\nc\n"},
        "start-empty-file": {"empty.csv": ""},
        "start-files-read": {"edges.csv": "a,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n",
                             "nodes.csv": "node,title\na,Page a\nb,Page b\nc,Page c\n"},
    }  # fmt: skip
    for name, given in files.items():
        page.goto(studio.server.address)
        page.wait_for_selector(".drop")
        if given:
            page.set_input_files("input[type=file]", [
                {"name": file, "mimeType": "text/csv", "buffer": text.encode()}
                for file, text in given.items()])  # fmt: skip
            page.click(".drop .yes")
            page.wait_for_selector("[role=alert]" if len(given) == 1 else ".begin")
        page.wait_for_timeout(600)
        studio.shot(page, name)
    page.goto(f"{studio.server.address}/?session=nosuch")
    page.wait_for_selector("[role=alert]")
    studio.shot(page, "error")
    page = studio.page(400, 860, **PHONE)
    page.goto(studio.server.address)
    page.wait_for_selector(".drop")
    studio.shot(page, "start-phone")
