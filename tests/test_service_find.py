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


def test_costs_over_http_are_those_of_a_session(client, graph):
    dear = {str(node): 50.0 for node in KARATE.graph.names if node != 33}
    chosen = {"goal": "find", "positive": ["in"], "seed": 1}
    reply = begun(client, graph, costs=dear, forbidden=["0"], **chosen)
    assert reply.status_code == 201
    assert "costs" not in reply.json()["choices"]
    address = "/v1/sessions/" + reply.json()["session"]
    held = client.app.state.service.library.graph(graph)
    own = Session(
        held, cost={int(node): cost for node, cost in dear.items()}, forbidden=[0], **chosen
    )
    for _ in range(8):
        (served,) = client.get(f"{address}/next").json()["questions"]
        question = own.ask()
        assert served["node"] == str(question.node) != "0"
        label = "in" if TRUTH[served["node"]] == 1 else "out"
        own.tell(question.node, label)
        answers = {"answers": [{"node": served["node"], "label": label}]}
        assert client.post(f"{address}/labels", json=answers).status_code == 200


def test_costs_may_be_a_column(client):
    files = {
        "edges": ("e.csv", b"source,target\na,b\nb,c\nc,d\n"),
        "nodes": ("n.csv", b"node,hours,title\na,9,x\nb,9,y\nc,0.1,z\nd,9,w\n"),
    }
    told = client.post("/v1/graphs", files=files).json()["graph"]
    begun_so = begun(client, told, classes=["x", "y"], cost_column="hours", audit_share=0)
    assert begun_so.json()["choices"]["cost_column"] == "hours"
    address = "/v1/sessions/" + begun_so.json()["session"]
    assert client.get(f"{address}/next").json()["questions"][0]["node"] == "c"
    for wrong, said in (
        ({"cost_column": "title"}, "cost_column must hold numbers"),
        ({"cost_column": "none"}, "cost_column must be a column"),
        ({"cost_column": "hours", "costs": {"a": 1}}, "got both"),
        ({"costs": {"a": -1}}, "greater than 0"),
    ):
        reply = begun(client, told, classes=["x", "y"], **wrong)
        assert reply.status_code in (400, 422)
        assert said in reply.text


def blocks(client):
    """A graph of two blocks on the service, and its right classes."""
    found = data.stochastic_block_model(sizes=[40, 40], within=0.3, between=0.01, seed=3)
    sources, targets, _ = found.graph.edges()
    lines = [f"{u},{v}" for u, v in zip(sources.tolist(), targets.tolist(), strict=True)]
    text = "source,target\n" + "\n".join(lines) + "\n"
    graph = client.post("/v1/graphs", files={"edges": ("b.csv", text.encode())}).json()["graph"]
    return graph, {str(name): str(label) for name, label in enumerate(found.labels)}


def test_second_looks_over_http_are_those_of_a_session(client):
    graph, truth = blocks(client)
    chosen = {"classes": ["0", "1"], "second_looks": True, "learner": "near-far", "seed": 2}
    reply = begun(client, graph, **chosen)
    assert reply.json()["choices"]["second_looks"] is True
    address = "/v1/sessions/" + reply.json()["session"]
    reasons, seen = [], set()
    for turn in range(60):
        (served,) = client.get(f"{address}/next").json()["questions"]
        node = served["node"]
        wrong = turn % 6 == 5 and node not in seen
        if node in seen:
            assert served["blind"]
            assert served["guess"] is None
            reasons.append(served["reason"])
        seen.add(node)
        label = "10"[int(truth[node])] if wrong else truth[node]
        answers = {"answers": [{"node": node, "label": label}]}
        assert client.post(f"{address}/labels", json=answers).status_code == 200
    assert set(reasons) == {"a second look: the answer looked odd"}
    assert len(reasons) >= 3


def test_the_status_tells_what_is_to_be_certified(client, graph):
    chosen = {"classes": ["in", "out"], "certify": "recall:in>=0.9", "seed": 1}
    address = "/v1/sessions/" + begun(client, graph, **chosen).json()["session"]
    own = Session(client.app.state.service.library.graph(graph), **chosen)
    for _ in range(20):
        (served,) = client.get(f"{address}/next").json()["questions"]
        own.ask()
        label = "in" if TRUTH[served["node"]] == 1 else "out"
        own.tell(int(served["node"]), label)
        answers = {"answers": [{"node": served["node"], "label": label}]}
        assert client.post(f"{address}/labels", json=answers).status_code == 200
    told, proof = (
        client.get(f"{address}/status").json()["certified"],
        own.certificate("recall", of="in"),
    )
    assert (told["what"], told["target"], told["at_most"]) == ("recall of in", 0.9, False)
    assert (told["bound"], told["audits"], told["words"]) == (proof.bound, proof.audits, str(proof))
    assert proof.audits > 0
    assert own.standing().certified == proof
    plain = begun(client, graph, classes=["in", "out"]).json()["session"]
    assert client.get(f"/v1/sessions/{plain}/status").json()["certified"] is None


def test_a_target_error_over_http_plans_the_audits_of_a_session(client):
    graph, truth = blocks(client)
    chosen = {"classes": ["0", "1"], "target_error": 0.15, "learner": "near-far", "seed": 1}
    address = "/v1/sessions/" + begun(client, graph, **chosen).json()["session"]
    own = Session(client.app.state.service.library.graph(graph), **chosen)
    for _ in range(60):
        (served,) = client.get(f"{address}/next").json()["questions"]
        question = own.ask()
        assert (served["node"], served["audit"]) == (str(question.node), question.audit)
        own.tell(question.node, truth[served["node"]])
        answers = {"answers": [{"node": served["node"], "label": truth[served["node"]]}]}
        assert client.post(f"{address}/labels", json=answers).status_code == 200
        status = client.get(f"{address}/status").json()
        assert status["advice"]["words"] == own.advice(target_error=0.15).words
        if status["advice"]["stop"]:
            break
    assert status["advice"]["stop"]
    assert own.error_estimate().below(0.15)
    assert own.error_estimate().audits >= 15


def test_odd_answers_over_http_are_those_of_a_session(client):
    graph, truth = blocks(client)
    chosen = {"classes": ["0", "1"], "learner": "near-far", "seed": 1}
    address = "/v1/sessions/" + begun(client, graph, **chosen).json()["session"]
    own = Session(client.app.state.service.library.graph(graph), **chosen)
    wrong = {"7", "50"}
    said = {node: str(int(truth[node]) ^ (node in wrong)) for node in [*sorted(truth)[:60], "7"]}
    own.tell({int(node): label for node, label in said.items()})
    answers = {"answers": [{"node": node, "label": label} for node, label in said.items()]}
    assert client.post(f"{address}/labels", json=answers).status_code == 200
    odd = client.get(f"{address}/odd").json()["odd"]
    assert {each["node"] for each in odd} == wrong & set(said)
    assert [(each["node"], each["wrong"]) for each in odd] == [
        (str(each.node), each.wrong) for each in own.odd_answers()
    ]
    node = odd[0]["node"]
    reply = client.post(f"{address}/ask", json={"node": node, "blind": True})
    assert reply.status_code == 200
    question = reply.json()
    assert (question["node"], question["guess"], question["blind"]) == (node, None, True)
    mended = {"answers": [{"node": node, "label": truth[node]}]}
    assert client.post(f"{address}/labels", json=mended).status_code == 200
    assert node not in {each["node"] for each in client.get(f"{address}/odd").json()["odd"]}
