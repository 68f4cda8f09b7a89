"""Examples of every body in the OpenAPI document, on one graph of friends."""

from __future__ import annotations

from typing import Any

GRAPH, SESSION = "6b2f0c1d9e8a4f7b8c3d2e1f0a9b8c7d", "0f9e8d7c6b5a49388271605f4e3d2c1b"
AT, UNTIL = "2026-03-02T09:30:00.000Z", "2026-03-02T09:32:00.000Z"
_GRAPH = {
    "graph": GRAPH, "name": "friends", "nodes": 6, "edges": 7, "components": 1,
    "columns": [{"name": "age", "kind": "number"}], "notes": [],
}  # fmt: skip
_SESSION = {
    "session": SESSION, "name": "friends", "graph": GRAPH, "created": AT,
    "choices": {"classes": ["red", "blue"], "teacher": "people", "target_error": 0.1},
}  # fmt: skip
_QUESTION = {
    "question": "7", "number": 7, "node": "bo", "index": 1, "audit": False, "second": False,
    "blind": False,
    "reason": "between red and blue", "guess": "red", "confidence": 0.62,
    "top": [{"label": "red", "probability": 0.62}, {"label": "blue", "probability": 0.38}],
    "attributes": {"age": 47},
    "neighbors": [{"node": "ada", "index": 0, "label": "red", "answered": True, "weight": 1.0}],
    "neighbors_total": 2, "lease": {"by": "ada", "until": UNTIL},
}  # fmt: skip
_ADVICE = {"stop": False, "words": "go on: about 20 more answers until the error is below 10%"}
_STATUS = {
    "answers": 3, "labels": 3, "nodes": 6, "classes": ["red", "blue"],
    "counts": {"red": 2, "blue": 1}, "audits": 1, "audit_errors": 0, "error": 0.0, "bound": 0.95,
    "estimate": {"estimate": 0.0, "lower": 0.0, "upper": 0.95, "audits": 1, "confidence": 0.95,
                 "left": 3, "n_nodes": 6},
    "confidence": 0.95, "target_error": 0.1, "advice": _ADVICE, "answers_left": 20,
    "curve": [[2, 0.95]], "people": [{"by": "ada", "answers": 3}],
    "agreement": {"kappa": None, "share": None, "pairs": 0}, "disagreements": [], "event": 9,
}  # fmt: skip
_SHARE = {"estimate": 0.9, "lower": 0.7, "upper": 1.0, "audits": 20, "confidence": 0.95}
_ANSWERS = [{"node": "ada", "label": "red"}]
_GROWTH = {"edges": [["bo", "eve"]], "nodes": ["eve"], "weights": [1.0]}

BODIES: dict[str, Any] = {
    "SessionBody": {
        "name": "friends", "graph": GRAPH, "classes": ["red", "blue"], "labels": {"ada": "red"},
        "twice": 0.1,
    },
    "AnswersBody": {"answers": _ANSWERS},
    "SkipBody": {"node": "bo"},
    "LeasesBody": {"questions": ["7"]},
    "NodeBody": {"node": "bo"},
    "NodesBody": {"nodes": ["ada"]},
    "GoalBody": {"target_error": 0.05},
    "FeedbackBody": {"round": 12, "correct": True},
    "GrowthBody": _GROWTH,
    "GraphGrowthBody": _GROWTH | {"sessions": [SESSION]},
    "GraphReply": _GRAPH,
    "GraphsReply": {"graphs": [_GRAPH]},
    "UploadReply": _GRAPH | {"labels": {"ada": "red"}},
    "NodesReply": {"nodes": [{"node": "bo", "index": 1, "attributes": {"age": 47}}]},
    "EdgesReply": {"edges": [[1, 0], [1, 2]]},
    "SearchReply": {"nodes": [{"node": "bo", "index": 1, "title": "bo"}]},
    "ProgressReply": {"progress": 0.4},
    "SessionReply": _SESSION,
    "SessionsReply": {"sessions": [_SESSION]},
    "StatusReply": _STATUS,
    "GoalReply": {"target_error": 0.05, "target_recall": None},
    "MeasuresReply": {"label": "red", "precision": _SHARE, "recall": _SHARE},
    "CertificateReply": {
        "measure": "recall", "of": "red", "part": None, "estimate": 0.95, "bound": 0.9,
        "audits": 60, "confidence": 0.95,
    },
    "LeadsReply": {"leads": [{"node": "bo", "index": 1, "probability": 0.62}], "event": 9},
    "OddAnswersReply": {
        "odd": [{"node": "ada", "label": "red", "likelier": "blue", "wrong": 0.91, "by": ["ada"]}],
        "event": 9,
    },
    "PeopleReply": {
        "people": [{"by": "ada", "answers": 40, "right": 0.93, "classes": ["red", "blue"],
                    "said": [[0.95, 0.05], [0.1, 0.9]]}],
        "event": 9,
    },
    "TrailReply": {
        "entries": [{"entry": 1, "at": AT, "by": "ada", "action": "labels", "target": SESSION,
                     "detail": {"answers": 1}}]
    },
    "NextReply": {
        "questions": [_QUESTION],
        "held": [{"node": "cy", "index": 2, "by": "bo", "until": UNTIL}],
        "advice": _ADVICE,
    },
    "QuestionReply": _QUESTION,
    "LabelsReply": {
        "saved": [{"node": "ada", "label": "red", "event": 9}],
        "was": {"guess": "red", "confidence": 0.62, "audit": False},
    },
    "SkipReply": {"node": "bo", "event": 10},
    "UndoReply": {"node": "ada", "label": "red", "event": 11},
    "WithdrawReply": {"nodes": ["ada"], "event": 12},
    "LeasesReply": {"leases": [{"question": "7", "until": UNTIL}]},
    "AnswersReply": {
        "answers": [{"node": "ada", "index": 0, "label": "red", "by": "ada", "at": AT}]
    },
    "PredictionsReply": {
        "predictions": [{"node": "bo", "label": "red", "confidence": 0.62, "asked": False,
                         "hidden": False}],
        "event": 9,
    },
    "ExplanationReply": {
        "node": "bo", "label": "red", "confidence": 0.62, "runner_up": "blue",
        "parts": [{"name": "neighbours", "share": 1.0}],
        "labels": [{"node": "ada", "index": 0, "label": "red", "share": 0.8}],
        "features": [{"name": "age", "effect": 0.1}],
        "neighbors": [{"node": "ada", "label": "red", "answered": True}],
        "note": "", "words": "bo is probably red (62%), then blue",
    },
    "EvidenceReply": {"parts": [{"name": "labels nearby", "share": 1.0}]},
    "RoundReply": {"round": 12, "node": "bo", "guess": "red", "explored": False},
    "FeedbackReply": {"event": 24},
    "RegretReply": {
        "rounds": 12, "open": 1, "mistakes": 3, "explored": 2, "recent": 0.27, "event": 24,
    },
    "GrowthReply": {"words": "1 node added; 1 edge added", "nodes": 7, "edges": 8, "event": 13},
    "GrownGraphReply": _GRAPH | {
        "nodes": 7, "edges": 8, "words": "1 node added; 1 edge added", "sessions": [SESSION],
    },
}  # fmt: skip
"""An example of each body, by the name of its model."""

TEXTS: dict[tuple[str, str], Any] = {
    ("/v1/graphs/{graph}/names", "text/plain"): "ada\nbo\ncy",
    ("/v1/sessions/{session}/labels", "text/csv"): "node,label\nada,red\n",
    ("/v1/sessions/{session}/predictions", "text/csv"):
        "node,label,confidence,runner_up,asked\nada,red,1.0,blue,true\n",
    ("/v1/sessions/{session}/events", "text/event-stream"):
        'id: 9\nevent: labels\ndata: {"number": 9, "kind": "told", "by": "ada", "node": "bo"}\n\n',
    ("/v1/sessions/{session}/export", "application/x-ndjson"):
        '{"session": "friends", "header": {}}\n{"number": 1, "kind": "class"}\n',
    ("/v1/sessions/{session}/export", "application/graphml+xml"):
        '<graphml><graph edgedefault="undirected"><node id="ada"/></graph></graphml>',
    ("/healthz", "application/json"): {"status": "ok"},
    ("/readyz", "application/json"):
        {"ready": True, "replayed": 3, "sessions": 3, "database": "ok"},
    ("/metrics", "text/plain"): 'lapwing_requests_total{method="GET",route="/healthz"} 1.0\n',
}  # fmt: skip
"""An example of what is no body of a model, by address and kind of content."""


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document with an example of everything that is sent and returned.

    Examples
    --------
    >>> schemas = {"GoalBody": {"type": "object"}}
    >>> with_examples({"paths": {}, "components": {"schemas": schemas}})["components"]["schemas"]
    {'GoalBody': {'type': 'object', 'examples': [{'target_error': 0.05}]}}
    """
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        if name in BODIES:
            schema["examples"] = [BODIES[name]]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            for status, reply in operation["responses"].items():
                for kind, content in reply.get("content", {}).items() if status < "3" else ():
                    if (path, kind) in TEXTS:
                        content["example"] = TEXTS[path, kind]
    return document
