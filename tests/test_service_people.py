"""Several people in one session: leases, two answers, kappa, and a third person who settles."""

import time
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from sklearn.metrics import cohen_kappa_score

from lapwing import Graph, Session
from lapwing.service.app import service_app
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.people import leases
from lapwing.session import verified
from lapwing.session.opening.parts import parts
from lapwing.session.reading.agreement import agreement

EDGES = b"source,target\na,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n"
SIX = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])


@pytest.fixture
def client(tmp_path, new_database):
    settings = ServiceSettings(folder=tmp_path, database=new_database())
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture
def address(client):
    graph = client.post("/v1/graphs", files={"edges": ("six.csv", EDGES)}).json()["graph"]
    body = {"graph": graph, "classes": ["red", "blue"]}
    return "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]


@pytest.fixture
def clock(monkeypatch):
    """The time by which leases end; `later` seconds are added to it."""
    found = SimpleNamespace(later=0.0)
    found.time = lambda: time.time() + found.later
    monkeypatch.setattr(leases, "time", found)
    return found


def asked(client, address, by, k=1):
    return client.get(f"{address}/next?k={k}", headers={"X-Lapwing-Person": by}).json()


def test_a_lease_is_renewed_expires_and_returns_to_the_pool(client, address, clock):
    mine = asked(client, address, "ann", 4)
    nodes = {question["node"] for question in mine["questions"]}
    rest = asked(client, address, "bo", 4)
    assert len(nodes) == 4
    assert len(rest["questions"]) == 2
    nothing = asked(client, address, "cy")
    assert nothing["questions"] == []
    assert {held["by"] for held in nothing["held"]} == {"ann", "bo"}
    assert len(nothing["held"]) == 6
    assert not nothing["advice"]["stop"]
    kept = mine["questions"][0]
    for _ in range(3):
        clock.later += 60
        body = {"questions": [kept["question"]]}
        reply = client.post(
            f"{address}/leases", json=body, headers={"X-Lapwing-Person": "ann"}
        ).json()
        assert [each["question"] for each in reply["leases"]] == [kept["question"]]
    (question,) = asked(client, address, "cy")["questions"]
    assert question["node"] != kept["node"]
    assert [held["node"] for held in asked(client, address, "cy")["held"]] == [kept["node"]]
    late = {"answers": [{"node": question["node"], "label": "red"}]}
    reply = client.post(f"{address}/labels", json=late, headers={"X-Lapwing-Person": "ann"})
    assert reply.status_code == 200


def test_a_question_asked_of_two_is_settled_by_a_third():
    session = Session(SIX, ["red", "blue"], twice=1.0, audit_share=0.0)
    first = session.ask(by="ann")
    session.tell(first.node, "red", by="ann")
    assert session.ask(by="ann").node != first.node
    second = session.ask(by="bo")
    assert (second.node, second.blind, second.guess) == (first.node, True, None)
    assert "second person" in second.reason
    session.tell(first.node, "blue", by="bo")
    told = session.standing()
    assert [(d.node, d.said, d.label) for d in told.disagreements] == [
        (first.node, {"ann": "red", "bo": "blue"}, None)
    ]
    third = session.ask(by="cy")
    assert third.node == first.node
    assert "disagree" in third.reason
    session.tell(first.node, "blue", by="cy")
    assert session.labels()[first.node] == "blue"
    assert session.standing().agreement.pairs == 3
    header = session.dialogue.header
    assert verified(session.store, session.name, SIX, **parts(header, SIX)).same


def test_over_http_a_third_person_settles_what_two_disagree_on(client, address):
    graph = client.get(address).json()["graph"]
    body = {"graph": graph, "classes": ["red", "blue"], "twice": 1.0, "audit_share": 0.0}
    address = "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]

    def said(by, label):
        (question,) = asked(client, address, by)["questions"]
        answer = {"answers": [{"node": question["node"], "label": label}]}
        headers = {"X-Lapwing-Person": by}
        assert client.post(f"{address}/labels", json=answer, headers=headers).status_code == 200
        return question

    first, second = said("ann", "red"), said("bo", "blue")
    assert (second["node"], second["second"], second["guess"]) == (first["node"], True, None)
    (apart,) = client.get(f"{address}/status").json()["disagreements"]
    assert (apart["said"], apart["label"]) == ({"ann": "red", "bo": "blue"}, None)
    third = said("cy", "blue")
    assert third["node"] == first["node"]
    assert "disagree" in third["reason"]
    status = client.get(f"{address}/status").json()
    assert [each["label"] for each in status["disagreements"]] == ["blue"]
    assert status["agreement"]["pairs"] == 3


def test_kappa_of_two_people_is_cohens():
    ann = [0, 1, 2, 0, 1, 1, 0, 2, 2, 1]
    bo = [0, 1, 2, 1, 1, 0, 0, 2, 1, 1]
    said = {node: {"ann": a, "bo": b} for node, (a, b) in enumerate(zip(ann, bo, strict=True))}
    assert agreement(said).kappa == pytest.approx(cohen_kappa_score(ann, bo))
