"""Sessions over HTTP that find the nodes of a class."""

import pytest
from fastapi.testclient import TestClient

from lapwing import Session, data
from lapwing.service.app import service_app
from lapwing.service.operation.settings import ServiceSettings

KARATE = data.load("karate")
TRUTH = dict(zip(map(str, KARATE.graph.names), KARATE.labels.tolist(), strict=True))


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    settings = ServiceSettings(folder=tmp_path_factory.mktemp("service"))
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture(scope="module")
def graph(client):
    sources, targets, _ = KARATE.graph.edges()
    lines = [f"{u},{v}" for u, v in zip(sources.tolist(), targets.tolist(), strict=True)]
    text = "source,target\n" + "\n".join(lines) + "\n"
    return client.post("/v1/graphs", files={"edges": ("k.csv", text.encode())}).json()["graph"]


def begun(client, graph, **choices):
    return client.post("/v1/sessions", json={"graph": graph, **choices})


def test_a_search_over_http_is_a_search(client, graph):
    chosen = {"goal": "find", "positive": ["in"], "seed": 1}
    reply = begun(client, graph, target_recall=0.9, **chosen)
    assert reply.status_code == 201
    assert reply.json()["choices"]["positive"] == ["in"]
    address = "/v1/sessions/" + reply.json()["session"]
    own = Session(client.app.state.service.library.graph(graph), **chosen)
    for _ in range(20):
        (served,) = client.get(f"{address}/next").json()["questions"]
        question = own.ask()
        assert (served["node"], served["reason"]) == (str(question.node), question.reason)
        label = "in" if TRUTH[served["node"]] == 1 else "out"
        own.tell(question.node, label)
        answers = {"answers": [{"node": served["node"], "label": label}]}
        assert client.post(f"{address}/labels", json=answers).status_code == 200
    status = client.get(f"{address}/status").json()
    claim = own.recall()
    assert status["recall"]["found"] == claim.found
    assert status["recall"]["lower"] == claim.lower
    assert status["recall"]["words"] == str(claim)
    assert (status["target_recall"], status["recall"]["positive"]) == (0.9, ["in"])
    assert status["advice"]["words"] == own.advice(target_recall=0.9).words
    leads = client.get(f"{address}/leads?count=3").json()["leads"]
    assert [(each["node"], each["probability"]) for each in leads] == [
        (str(lead.node), lead.probability) for lead in own.leads(3)
    ]
    told = client.get(f"{address}/measures?label=in").json()
    assert told["recall"]["audits"] == own.class_measures("in").recall.audits
    moved = client.post(f"{address}/target", json={"target_recall": 0.5}).json()
    assert moved == {"target_error": 0.1, "target_recall": 0.5}
    assert client.get(f"{address}/status").json()["target_recall"] == 0.5


def test_an_ordinary_session_has_no_recall_and_no_leads(client, graph):
    address = "/v1/sessions/" + begun(client, graph).json()["session"]
    status = client.get(f"{address}/status").json()
    assert (status["recall"], status["target_recall"]) == (None, None)
    refused = client.get(f"{address}/leads")
    assert refused.status_code == 422
    assert "has no class to find" in refused.json()["error"]["message"]
    for body in ({"target_recall": 0.9}, {}):
        assert client.post(f"{address}/target", json=body).status_code == 422


@pytest.mark.parametrize(
    "choices",
    [
        {"goal": "find"},
        {"positive": ["in"]},
        {"goal": "seek", "positive": ["in"]},
        {"goal": "find", "positive": []},
        {"target_recall": 0.9},
        {"goal": "find", "positive": ["in"], "target_recall": 1.5},
        {"goal": "find", "positive": ["in"], "teacher": "system"},
    ],
)
def test_a_goal_that_makes_no_sense_is_refused(client, graph, choices):
    before = len(client.get("/v1/sessions").json()["sessions"])
    assert begun(client, graph, **choices).status_code == 422
    assert len(client.get("/v1/sessions").json()["sessions"]) == before
