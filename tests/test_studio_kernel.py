"""The notebook's kernel answers the page as the service does, from the session itself."""

import json

import numpy as np
import pytest

from lapwing import Session
from lapwing.graph import Graph
from lapwing.studio.page import PAGE

pytest.importorskip("fastapi")
pytest.importorskip("anywidget")
from lapwing.studio.kernel import NotebookKernel
from lapwing.studio.widget import StudioWidget

EDGES = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y"), ("y", "z"), ("z", "x")]


@pytest.fixture
def kernel():
    graph = Graph.from_edges(EDGES).with_node_table({"title": [f"Page {k}" for k in "abcxyz"]})
    return NotebookKernel(Session(graph, ["red", "blue"], audit_share=0.0, by="ada"))


def asked(kernel, method, path, body=None, **headers):
    reply = kernel.reply(method, path, body, headers or None)
    return reply.status, json.loads(reply.content)


def test_answers_reach_the_session_once(kernel):
    _, found = asked(kernel, "GET", "/sessions/here/next?k=2")
    node = found["questions"][0]["node"]
    body = {"answers": [{"node": node, "label": "red"}]}
    key = {"Idempotency-Key": "k1"}
    first = kernel.reply("POST", "/sessions/here/labels?status=true", body, key)
    assert kernel.reply("POST", "/sessions/here/labels?status=true", body, key) is first
    assert json.loads(first.content)["status"]["answers"] == 1
    assert kernel.session.labels() == {node: "red"}
    assert [each.by for each in kernel.session.answers()] == ["ada"]
    assert asked(kernel, "POST", "/sessions/here/withdraw", {"nodes": [node]})[1]["nodes"] == [node]
    assert kernel.session.labels() == {}


def test_the_page_gets_what_it_draws(kernel):
    kernel.session.tell({"a": "red", "z": "blue"})
    places = np.frombuffer(kernel.reply("GET", "/graphs/graph/layout").content, "<f4")
    assert places.shape == (12,)
    edges = np.frombuffer(kernel.reply("GET", "/graphs/graph/edges").content, "<u4")
    assert len(edges) == 2 * len(EDGES)
    colours = kernel.reply("GET", "/sessions/here/map").content
    names = list(kernel.session.graph.names)
    kinds, flags = np.frombuffer(colours[:12], "<u2"), np.frombuffer(colours[18:], np.uint8)
    assert kinds[names.index("a")] == 0
    assert kinds[names.index("z")] == 1
    assert (flags & 1).sum() == 2
    assert asked(kernel, "GET", "/graphs/graph")[1]["nodes"] == 6
    hits = asked(kernel, "GET", "/graphs/graph/search?q=page%20x")[1]["nodes"]
    assert [each["node"] for each in hits] == ["x"]
    assert kernel.reply("GET", "/sessions/here/labels").content == b"node,label\na,red\nz,blue\n"


def test_a_notebook_exports_what_the_page_offers(kernel):
    kernel.session.tell({"a": "red", "z": "blue"})
    content = {kind: kernel.reply("GET", f"/sessions/here/predictions?format={kind}").content
               for kind in ("csv", "parquet", "arrow")}  # fmt: skip
    rows = content["csv"].decode().splitlines()
    assert rows[0] == "node,label,confidence,runner_up,asked"
    assert len(rows) == 7
    pytest.importorskip("pyarrow")
    import pyarrow.ipc  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    tables = [pyarrow.parquet.read_table(pyarrow.BufferReader(content["parquet"])),
              pyarrow.ipc.open_stream(content["arrow"]).read_all()]  # fmt: skip
    for table in tables:
        told = dict(zip(*(table[name].to_pylist() for name in ("node", "label")), strict=True))
        assert told == {row.split(",")[0]: row.split(",")[1] for row in rows[1:]}
    graph = kernel.reply("GET", "/sessions/here/export?format=graphml").content.decode()
    assert graph.count("<edge ") == len(EDGES)
    assert "lapwing_label" in graph
    log = kernel.reply("GET", "/sessions/here/export").content.decode().splitlines()
    assert [json.loads(line).get("kind") for line in log[1:]].count("told") == 2
    assert asked(kernel, "GET", "/sessions/here/predictions?format=xls")[0] == 422


def test_a_notebook_goes_on_to_a_smaller_error_and_asks_blindly(kernel):
    kernel.session.tell({"a": "red", "z": "blue"})
    assert asked(kernel, "POST", "/sessions/here/target", {"target_error": 0.05})[0] == 200
    assert asked(kernel, "GET", "/sessions/here/status")[1]["target_error"] == 0.05
    assert asked(kernel, "POST", "/sessions/here/target", {"target_error": 5})[0] == 422
    assert asked(kernel, "GET", "/sessions/here/odd") == (200, {"odd": []})
    found = asked(kernel, "POST", "/sessions/here/ask", {"node": "a", "blind": True})[1]
    assert (found["node"], found["guess"], found["top"]) == ("a", None, [])


def test_what_is_wrong_is_said_as_the_service_says_it(kernel):
    status, found = asked(kernel, "POST", "/sessions/here/ask", {"node": "nobody"})
    assert (status, found["error"]["code"]) == (404, "unknown_node")
    assert asked(kernel, "GET", "/elsewhere")[0] == 404


@pytest.mark.skipif(not (PAGE / "widget.js").is_file(), reason="the page is not built (make page)")
def test_the_widget_sends_replies_back(kernel, monkeypatch):
    sent = []
    monkeypatch.setattr(StudioWidget, "send", lambda _, *a, **k: sent.append((a, k)))
    widget = kernel.session.widget(height=500)
    widget._asked(widget, {"id": 7, "method": "GET", "path": "/sessions/here/status"}, [])
    ((content,), more) = sent[0]
    assert (content["id"], content["status"]) == (7, 200)
    assert json.loads(more["buffers"][0])["answers"] == 0
    assert widget.height == 500
    assert "mount" in widget._esm or len(widget._esm) > 10_000
