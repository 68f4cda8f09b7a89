"""Who may do what: every address, every role, one's own team and another's."""

import json
import re

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from lapwing.errors import InputError
from lapwing.service.app import service_app
from lapwing.service.operation.command import checked_address
from lapwing.service.operation.settings import ServiceSettings, settings_from
from lapwing.service.people.person import Role
from lapwing.service.people.tokens import created_token, listed_tokens, revoked_token

EDGES = b"source,target\na,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n"
OPEN = {"/healthz", "/readyz"}
"""Addresses without a token: they tell nothing of anybody's work."""
BODIES = {
    "labels": {"answers": [{"node": "a", "label": "red"}]},
    "skip": {"node": "b"},
    "leases": {"questions": ["3"]},
    "withdraw": {"nodes": ["a"]},
    "release": {"node": "b"},
    "ask": {"node": "c"},
    "predict": {"node": "c"},
    "grow": {"nodes": ["new"]},
    "feedback": {"round": 1, "correct": True},
    "target": {"target_error": 0.2},
}
QUERIES = {
    "search": "?q=a",
    "nodes": "?index=0",
    "explain": "?node=y",
    "predictions": "?nodes=a",
    "measures": "?label=red",
    "certificate": "?measure=macro-f1",
}


def routes(app):
    """Every address of the application, with the role it needs."""

    def roles(dependant):
        found = [d.call.role for d in dependant.dependencies if hasattr(d.call, "role")]
        return found + [r for d in dependant.dependencies for r in roles(d)]

    def walk(router):
        for route in router.routes:
            if isinstance(route, APIRoute):
                yield route
            elif hasattr(route, "original_router"):
                yield from walk(route.original_router)

    found = []
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            inner = path.removeprefix("/v1")
            (route,) = [
                r for r in walk(app.router)
                if r.path in (path, inner) and method.upper() in r.methods
            ]  # fmt: skip
            found.append((method.upper(), path, max(roles(route.dependant), default=None)))
    return found


@pytest.fixture(scope="module")
def app(tmp_path_factory, new_database):
    folder = tmp_path_factory.mktemp("roles")
    return service_app(ServiceSettings(folder=folder, database=new_database()))


@pytest.fixture(scope="module")
def client(app):
    with TestClient(app, base_url="http://team.example") as found:
        yield found


@pytest.fixture(scope="module")
def secrets(app):
    with app.state.service.store.together() as connection:
        return {
            (team, role): created_token(connection, f"{team}-{role.name}", role, team)[1]
            for team in ("birds", "fish")
            for role in Role
        }


def sent(client, secret, method, address, **more):
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    last = address.rpartition("/")[2]
    address += QUERIES.get(last, "")
    if method == "POST" and last in BODIES:
        more = {"json": BODIES[last]}
    if address.endswith("/events"):
        address, headers["Last-Event-ID"] = f"{address}?after=0", "0"
        with client.stream(method, address, headers=headers) as reply:
            return reply.status_code
    return client.request(method, address, headers=headers, **more).status_code


@pytest.fixture(scope="module")
def place(client, secrets):
    """A graph and a session of the birds' team."""
    headers = {"Authorization": f"Bearer {secrets['birds', Role.owner]}"}
    made = client.post("/v1/graphs", files={"edges": ("e.csv", EDGES)}, headers=headers)
    graph = made.json()["graph"]
    body = {"graph": graph, "classes": ["red", "blue"]}
    session = client.post("/v1/sessions", json=body, headers=headers).json()["session"]
    return {"graph": graph, "session": session}


def test_every_address_asks_for_a_role(app, client, secrets, place):
    """The whole table: no token 401, too low a role 403, another team's 404, otherwise let in."""
    checked = 0
    for method, path, needed in routes(app):
        if path in OPEN:
            assert sent(client, None, method, path) in (200, 503)
            continue
        assert needed is not None, f"{method} {path} asks for no role"
        address = re.sub(r"{(\w+)}", lambda found: place[found[1]], path)
        assert sent(client, None, method, address) == 401, address
        assert sent(client, "lw_wrong", method, address) == 401, address
        if address.endswith("/events") or path.endswith("/examples/digits") or method == "DELETE":
            ways = [role for role in Role if role < needed]
        else:
            ways = list(Role)
        for role in ways:
            got = sent(client, secrets["birds", role], method, address)
            assert (got == 403) == (role < needed), (method, address, role, got)
            assert got < 500
            checked += 1
        if "{" in path:
            for role in (role for role in Role if role >= needed):
                foreign = sent(client, secrets["fish", role], method, address)
                assert foreign == 404, (method, address, role, foreign)
                checked += 1
    assert checked > 60


def test_a_foreign_session_cannot_be_told_from_none(client, secrets, place):
    headers = {"Authorization": f"Bearer {secrets['fish', Role.owner]}"}
    for path in ("status", "next", "export", "answers", "map", "predictions?nodes=a"):
        foreign = client.get(f"/v1/sessions/{place['session']}/{path}", headers=headers)
        nowhere = client.get(f"/v1/sessions/{'0' * 32}/{path}", headers=headers)
        assert (foreign.status_code, foreign.json()) == (nowhere.status_code, nowhere.json())
    answer = {"answers": [{"node": "a", "label": "red"}]}
    reply = client.post(f"/v1/sessions/{place['session']}/labels", json=answer, headers=headers)
    assert reply.status_code == 404
    assert client.get("/v1/sessions", headers=headers).json() == {"sessions": []}
    assert client.get("/v1/graphs", headers=headers).json() == {"graphs": []}
    graph = {"graph": place["graph"]}
    assert client.post("/v1/sessions", json=graph, headers=headers).status_code == 404


def test_tokens_are_kept_as_digests_and_can_be_revoked(app, client):
    service = app.state.service
    with service.store.together() as connection:
        made, secret = created_token(connection, "eve", Role.viewer)
    with service.store.reading() as connection:
        assert secret not in json.dumps(listed_tokens(connection))
        assert "digest" not in listed_tokens(connection)[0]
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.get("/v1/sessions", headers=headers).status_code == 200
    with service.store.together() as connection:
        revoked_token(connection, made)
    service._people.clear()
    assert client.get("/v1/sessions", headers=headers).status_code == 401


def test_without_a_token_other_computers_and_pages_are_refused(tmp_path):
    with pytest.raises(InputError, match="until a token is created"):
        checked_address(settings_from(folder=tmp_path, host="0.0.0.0"))
    app = service_app(ServiceSettings(folder=tmp_path))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/v1/sessions").status_code == 200
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert client.get("/v1/sessions", headers=headers).status_code == 403
        reply = client.get("/v1/sessions", headers={"Origin": "http://127.0.0.1"})
        assert reply.status_code == 200
        assert "access-control-allow-origin" not in reply.headers
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in reply.headers["content-security-policy"]


def test_limits_on_bodies_and_requests(tmp_path):
    settings = ServiceSettings(
        folder=tmp_path, rate="5/hour", body_megabytes=0.001, upload_megabytes=0.001
    )
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as client:
        large = {"graph": "x" * 2000}
        assert client.post("/v1/sessions", json=large).status_code == 413
        streamed = client.post("/v1/sessions", content=iter([b"x" * 900] * 3))
        assert streamed.status_code == 413
        edges = {"edges": ("e.csv", b"a,b\n" * 500)}
        assert client.post("/v1/graphs", files=edges).status_code == 413
        codes = [client.get("/v1/sessions").status_code for _ in range(4)]
        assert codes == [200, 200, 429, 429]
        assert client.get("/healthz").status_code == 200
