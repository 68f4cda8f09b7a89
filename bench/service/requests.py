"""Generated requests over the OpenAPI document: no 500, no reply unlike the document.

    python -m bench.service.requests [--requests 10000]

Every address gets the same number of requests, made by schemathesis from the document: valid ones
and ones that break it. The ids of a real graph and of real sessions (to label, to find, of a
system), names of nodes and classes are put into half of them, so that requests reach further than
"there is no session with this id".
"""

from __future__ import annotations

import argparse
import random
import tempfile
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path

import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bench.pictures import drawn
from bench.service.servers import GRAPH, SESSION, folder_settings, prepared
from lapwing.graph import Graph
from lapwing.service.app import service_app
from lapwing.service.operation.logs import configured_logs

RESULTS = Path(__file__).parents[1] / "results" / "service-requests.md"
CHECKS = (content_type_conformance, response_schema_conformance, status_code_conformance)
SLOW = ("/examples/digits", "/events", "/v1/graphs")
"""Addresses that start a process or never end get fewer requests."""
FEW = 5
CLASSES = ["red", "blue"]
SIX = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y"), ("y", "z"), ("z", "x")]


def generated(folder: Path, per_address: int) -> tuple[Counter, list[str]]:
    """Send requests to every address; statuses by address, and what was wrong."""
    configured_logs("error", as_json=True)
    rng = random.Random(0)
    options = folder_settings(folder)
    prepared(options, Graph.from_edges(SIX), CLASSES)
    app = service_app(options)
    local = {"Host": "127.0.0.1"}
    real = Real(rng, [SESSION, *_more_sessions(TestClient(app, headers=local))])
    schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers=local)
    found: Counter = Counter()
    wrong: list[str] = []
    for each in schema.get_all_operations():
        operation = each.ok()
        if operation.path.endswith("/events") or operation.path.endswith("/digits"):
            continue
        slow = operation.path in SLOW and operation.method == "post"
        count = min(FEW, per_address // 2) if slow else per_address
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            _sent(operation, mode, max(count // 2, 1), local, real, found, wrong)
    app.state.service.close()
    return found, wrong


def _more_sessions(client: TestClient) -> list[str]:
    """A session to find nodes, and one whose teacher is a system."""
    found = []
    for choices in ({"goal": "find", "positive": ["red"]}, {"teacher": "system"}):
        body = {"graph": GRAPH, "classes": CLASSES, "name": "more", **choices}
        reply = client.post("/v1/sessions", json=body)
        assert reply.status_code == 201, reply.text
        found.append(reply.json()["session"])
    return found


class Real:
    """Ids and names that exist, put into a request in place of what was generated."""

    def __init__(self, rng: random.Random, sessions: list[str]) -> None:
        self.rng = rng
        nodes = sorted({name for pair in SIX for name in pair})
        self.known: dict[str, list] = {
            "session": sessions, "graph": [GRAPH], "node": nodes, "nodes": nodes, "label": CLASSES,
            "positive": CLASSES, "labels": CLASSES, "question": list(map(str, range(1, 40))),
            "questions": list(map(str, range(1, 40))), "round": list(range(1, 40)),
        }  # fmt: skip

    def put_into(self, value: object, key: str = "") -> object:
        """The same with existing names where a name belongs."""
        if isinstance(value, dict):
            return {k: self.put_into(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [self.put_into(each, key) for each in value]
        fits = key in self.known and isinstance(value, type(self.known[key][0]))
        return self.rng.choice(self.known[key]) if fits else value


def _sent(operation, mode, count, local, real, found, wrong) -> None:
    @seed(0)
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=count, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def send(case) -> None:
        if real.rng.random() < 0.5:
            for part in ("path_parameters", "query", "body"):
                if isinstance(getattr(case, part), dict):
                    setattr(case, part, real.put_into(dict(getattr(case, part))))
        if operation.method == "delete":
            case.path_parameters = dict.fromkeys(case.path_parameters or {}, "none")
        reply = case.call(headers=local, timeout=300)
        found[operation.method.upper(), operation.path, reply.status_code] += 1
        if reply.status_code >= 500:
            wrong.append(f"{operation.label}: {reply.status_code}")
        try:
            case.validate_response(reply, checks=list(CHECKS))
        except BaseExceptionGroup as problems:
            wrong.append(f"{operation.label}: {problems.exceptions[0]!s:.300}")
        except Exception as problem:
            wrong.append(f"{operation.label}: {problem!s:.300}")

    with suppress(Unsatisfiable, schemathesis.errors.SchemathesisError):
        send()  # an address without parameters cannot be broken


def page(found: Counter, wrong: list[str]) -> str:
    total = sum(found.values())
    servers = sum(count for (_, _, status), count in found.items() if status >= 500)
    verdict = (
        f"No reply to {total:,} generated requests was a 500 or unlike the OpenAPI document."
        if not wrong
        else f"Of {total:,} generated requests, {len(wrong)} got a wrong reply ({servers} a 500)."
    )
    rows: dict[tuple[str, str], Counter] = {}
    for (method, path, status), count in found.items():
        rows.setdefault((method, path), Counter())[status] += count
    lines = [
        f"| {method} {path} | " + ", ".join(f"{s}: {c}" for s, c in sorted(row.items())) + " |"
        for (method, path), row in rows.items()
    ]
    return (
        f"# Generated requests\n\n{verdict}\n\n"
        "![Replies at each address](service-requests.png)\n\n| address | replies |\n|---|---|\n"
        + "\n".join(lines)
        + "\n\nschemathesis makes requests from the OpenAPI document, half of them breaking it; "
        "half carry names of real nodes and classes and the ids of a real graph and of sessions to "
        "label, to find and of a system. Checked: no 5xx, the status, content type "
        "and body of every reply. Uploads, which start a process each, get 5 requests; the endless "
        "stream of events and the example of digits are left out. Command: "
        "`python -m bench.service.requests`.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--record", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        found, wrong = generated(Path(folder), -(-asked.requests // 22))
    text = page(found, wrong)
    for problem in dict.fromkeys(wrong):
        print("WRONG", problem)
    if asked.record:
        RESULTS.write_text(text)
        drawn("service-requests")
    print(text)


if __name__ == "__main__":
    main()
