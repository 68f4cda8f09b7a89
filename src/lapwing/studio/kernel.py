"""Answer the page's requests from a session in this process: what a notebook has for a server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

from lapwing.checks import strictly_between
from lapwing.embed.layout import layout
from lapwing.errors import LapwingError
from lapwing.io import table_text
from lapwing.service.graphs.facts import graph_facts, nodes_json
from lapwing.service.graphs.search import found_nodes
from lapwing.service.moments import moment
from lapwing.service.problems import Refusal, refusal_of
from lapwing.service.routes.events import labelled_graphml
from lapwing.service.routes.predictions import STREAMS, map_arrays, map_bytes
from lapwing.service.sessions.answering import answers_recorded, skipped, withdrawn
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.explaining import explanation_json
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import question_json
from lapwing.service.sessions.shared import Shared
from lapwing.service.sessions.status import status_json
from lapwing.session import Session, exported

FOREVER = 4_000_000_000.0
"""Nobody else takes a question here: it is leased until a day in 2096."""
MOST_EDGES = 200_000


@dataclass(frozen=True, slots=True)
class KernelReply:
    """A reply as the page expects it."""

    status: int
    content: bytes
    headers: dict[str, str] = field(default_factory=dict)


class NotebookKernel:
    """The addresses that the page uses, answered from one session.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> kernel = NotebookKernel(Session(graph, ["red", "blue"]))
    >>> body = {"answers": [{"node": "b", "label": "red"}]}
    >>> kernel.reply("POST", "/sessions/here/labels", body).status
    200
    >>> json.loads(kernel.reply("GET", "/sessions/here/status").content)["answers"]
    1
    """

    def __init__(self, session: Session, *, target_error: float | None = None) -> None:
        target = session.target_error if target_error is None else target_error
        choices = {"target_error": target}
        shared = Shared("here", "", session.name, "graph", choices, moment())
        self.session, self.by = session, session.by
        self.desk = Desk(shared, session, others_write=False)
        self._replies: dict[str, KernelReply] = {}
        self._layout: bytes | None = None

    def reply(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> KernelReply:
        """Return the reply to one request; one that was seen before gets the same reply."""
        key = (headers or {}).get("Idempotency-Key")
        if key in self._replies:
            return self._replies[str(key)]
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        name = unquote(parts.path).rsplit("/", 1)[-1]
        try:
            found = self._found(method, name, parts.path, asked, body or {})
        except (LapwingError, Refusal) as wrong:
            refusal = refusal_of(wrong)
            return _json_reply(refusal.body(), refusal.status)
        if key is not None:
            self._replies[key] = found
        return found

    def _found(
        self, method: str, name: str, path: str, asked: dict[str, str], body: dict[str, Any]
    ) -> KernelReply:
        table: dict[tuple[str, str], Callable[[], Any]] = {
            ("GET", "layout"): self._places,
            ("GET", "edges"): lambda: self._edges(asked.get("around")),
            ("GET", "nodes"): lambda: self._nodes(asked["index"]),
            ("GET", "search"): lambda: {"nodes": found_nodes(self.session.graph, asked["q"], 20)},
            ("GET", "next"): lambda: self._next(int(asked.get("k", 1))),
            ("GET", "status"): lambda: status_json(self.desk, self.session, self.by),
            ("GET", "map"): self._map,
            ("GET", "answers"): self._answers,
            ("GET", "labels"): self._labels,
            ("GET", "predictions"): lambda: self._predictions(asked.get("format", "csv")),
            ("GET", "export"): lambda: self._exported(asked.get("format", "jsonl")),
            ("GET", "odd"): self._odd,
            ("GET", "explain"): lambda: explanation_json(self.session, self.by, asked["node"]),
            ("POST", "labels"): lambda: self._told(body),
            ("POST", "ask"): lambda: self._ask(body["node"], blind=bool(body.get("blind"))),
            ("POST", "target"): lambda: self._target(float(body["target_error"])),
            ("POST", "withdraw"): lambda: withdrawn(self.desk, self.by, body["nodes"]),
            ("POST", "skip"): lambda: skipped(self.desk, self.by, body["node"]),
        }
        if (method, name) in table:
            content = table[method, name]()
        elif path.startswith("/graphs/"):
            facts = graph_facts(self.session.graph)
            content = {"graph": "graph", "name": self.session.name, **facts}
        elif path == "/sessions/here":
            content = {"session": "here", "name": self.session.name, "graph": "graph"}
        else:
            raise Refusal(404, "not_found", "a notebook has no such address")
        if isinstance(content, bytes):
            number = str(self.session.dialogue.state.n_events)
            return KernelReply(200, content, {"X-Lapwing-Event": number})
        return _json_reply(content)

    def _places(self) -> bytes:
        if self._layout is None:
            self._layout = layout(self.session.graph).astype("<f4").tobytes()
        return self._layout

    def _edges(self, around: str | None) -> Any:
        graph = self.session.graph
        if around is not None:
            node = node_index(graph, around)
            return {"edges": [[node, other] for other in graph.neighbors(node).tolist()]}
        if graph.n_edges > MOST_EDGES:
            raise Refusal(413, "too_many_edges", f"at most {MOST_EDGES:,} edges are sent at once")
        sources, targets, _ = graph.edges()
        return np.column_stack([sources, targets]).astype("<u4").tobytes()

    def _nodes(self, index: str) -> Any:
        return {"nodes": nodes_json(self.session.graph, [int(each) for each in index.split(",")])}

    def _next(self, count: int) -> Any:
        dialogue = self.session.dialogue
        dialogue.ask_several(count, self.by)
        mine = [event for event in dialogue.state.open.values() if event.by == self.by][:count]
        return {
            "questions": [question_json(self.session, event, FOREVER) for event in mine],
            "held": [],
        }

    def _ask(self, node: str, *, blind: bool = False) -> Any:
        dialogue, index = self.session.dialogue, node_index(self.session.graph, node)
        event = dialogue.state.open.get(index)
        if event is None or event.by != self.by:
            dialogue.reask(index, self.by, blind=blind)
        return question_json(self.session, dialogue.state.open[index], FOREVER)

    def _told(self, body: dict[str, Any]) -> Any:
        answers = [(each["node"], each["label"]) for each in body["answers"]]
        known = bool(body.get("known"))
        found = answers_recorded(self.desk, self.by, answers, known=known)
        return found | {"status": status_json(self.desk, self.session, self.by)}

    def _map(self) -> bytes:
        return map_bytes(self.session, *map_arrays(self.session), by=self.by)

    def _answers(self) -> Any:
        names = self.session.graph.names
        return {
            "answers": [
                {"node": str(each.node), "index": names.index(each.node), "label": each.label,
                 "by": each.by, "at": each.at}
                for each in self.session.answers()
            ]
        }  # fmt: skip

    def _labels(self) -> bytes:
        labels = self.session.labels()
        rows = {"node": [str(node) for node in labels], "label": list(labels.values())}
        return table_text(rows, "csv").encode()

    def _predictions(self, kind: str) -> bytes:
        if kind not in STREAMS:
            raise Refusal(422, "invalid", f"format must be one of {', '.join(STREAMS)}, got {kind}")
        pieces = STREAMS[kind](self.session.predictions())
        return b"".join(each.encode() if isinstance(each, str) else each for each in pieces)

    def _exported(self, kind: str) -> bytes:
        if kind == "graphml":
            return labelled_graphml(self.session).encode()
        return exported(self.session.store, self.session.dialogue.record).encode()

    def _odd(self) -> Any:
        found = self.session.odd_answers()
        odd = [{**asdict(each), "node": str(each.node), "by": list(each.by)} for each in found]
        return {"odd": odd}

    def _target(self, error: float) -> Any:
        strictly_between("target_error", error, 0, 1)
        choices = self.desk.shared.choices | {"target_error": error}
        self.desk.shared = replace(self.desk.shared, choices=choices)
        self.desk.notes.pop("status", None)
        return {"target_error": error}


def _json_reply(content: Any, status: int = 200) -> KernelReply:
    return KernelReply(status, json.dumps(content).encode())
