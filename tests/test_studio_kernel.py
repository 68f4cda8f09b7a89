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
