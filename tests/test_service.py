"""The service over HTTP: graphs, sessions, questions, answers, predictions."""

import json

import pytest
from fastapi.testclient import TestClient

from lapwing import Session
from lapwing.errors import LapwingError
from lapwing.service.app import service_app
from lapwing.service.database.backup import backed_up, restored
from lapwing.service.operation.settings import ServiceSettings
from lapwing.session import MemoryStore
from lapwing.session.asking.rounds import Rounds

EDGES = b"source,target\na,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n"
TRUTH = {"a": "red", "b": "red", "c": "red", "x": "blue", "y": "blue", "z": "blue"}


@pytest.fixture(scope="module")
def client(tmp_path_factory, new_database):
    folder = tmp_path_factory.mktemp("service")
    settings = ServiceSettings(folder=folder, database=new_database(), lease=120)
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture(scope="module")
def graph(client):
    files = {"edges": ("six.csv", EDGES), "nodes": ("n.csv", b"node,age\na,3\nb,4\n")}
    reply = client.post("/v1/graphs", files=files)
    assert reply.status_code == 201, reply.text
    assert (reply.json()["name"], reply.json()["nodes"]) == ("six", 6)
    assert reply.json()["columns"] == [{"name": "age", "kind": "text"}]
    return reply.json()["graph"]


def begun(client, graph, **choices):
    body = {"graph": graph, "classes": ["red", "blue"], **choices}
    return "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]


def told(client, session, node, label, **headers):
    body = {"answers": [{"node": node, "label": label}]}
    return client.post(f"{session}/labels", json=body, headers=headers)


def test_a_session_over_http_is_a_session(client, graph):
    """Questions, guesses and predictions are those of `lapwing.Session` with the same answers."""
    address = begun(client, graph, seed=3)
    own = Session(client.app.state.service.library.graph(graph), ["red", "blue"], seed=3)
    for _ in range(6):
        question = own.ask()
        (served,) = client.get(f"{address}/next").json()["questions"]
        assert (served["node"], served["audit"], served["reason"], served["guess"]) == (
            question.node, question.audit, question.reason, question.guess,
        )  # fmt: skip
        own.tell(question.node, TRUTH[question.node])
        reply = told(client, address, served["node"], TRUTH[served["node"]]).json()
        assert reply["saved"][0]["event"] == own.dialogue.state.n_events
        rows = client.get(f"{address}/predictions?nodes=a,b,c,x,y,z").json()["predictions"]
        assert [(row["label"], row["confidence"]) for row in rows] == [
            (row.label, row.confidence) for row in own.predictions()
        ]
    assert client.get(f"{address}/next").json()["questions"] == []
    lines = client.get(f"{address}/export").text.splitlines()
    kinds = [json.loads(line)["kind"] for line in lines[1:]]
    assert kinds == [event.kind.value for event in own.store.events(own.dialogue.record)]


def test_columns_to_learn_from_are_named(client):
    rows = [
        f"n{at},{'warm' if at % 2 else 'cold'} day,{'t1' if at % 2 else 't0'}" for at in range(24)
    ]
    edges = [f"n{at},n{(at + step) % 24}" for at in range(24) for step in (1, 3)]
    files = {
        "edges": ("days.csv", "\n".join(["source,target", *edges]).encode()),
        "nodes": ("n.csv", "\n".join(["node,title,topic", *rows]).encode()),
    }
    graph = client.post("/v1/graphs", files=files).json()["graph"]
    known = {f"n{at}": "warm" if at % 2 else "cold" for at in range(12)}
    body = {"graph": graph, "name": "days", "labels": known}
    for use, words in ((["topic"], "'topic' has one value per class"), (["yaer"], "'yaer'")):
        reply = client.post("/v1/sessions", json={**body, "use": use})
        assert reply.status_code == 422
        assert words in reply.json()["error"]["message"]
    reply = client.post("/v1/sessions", json={"graph": graph, "use": ["title"], "labels": known})
    assert reply.status_code == 422  # two words, one per class
    reply = client.post("/v1/sessions", json={**body, "use": []})
    assert (reply.status_code, reply.json()["choices"]["use"]) == (201, [])
    told = client.get(f"/v1/sessions/{reply.json()['session']}/explain?node=n20").json()
    assert told["parts"]
    assert not any("attributes" in part["name"] for part in told["parts"])
    system = {"graph": graph, "teacher": "system", "use": ["title"]}
    assert client.post("/v1/sessions", json=system).status_code == 422


def test_a_repeated_post_changes_nothing_and_returns_the_same(client, graph):
    address = begun(client, graph)
    first = told(client, address, "a", "red", **{"Idempotency-Key": "one"})
    again = told(client, address, "a", "red", **{"Idempotency-Key": "one"})
    assert first.status_code == 200
    assert first.json() == again.json()
    assert len(client.get(f"{address}/answers").json()["answers"]) == 1
    other = told(client, address, "b", "red", **{"Idempotency-Key": "one"})
    assert (other.status_code, other.json()["error"]["code"]) == (422, "key_reused")
    assert client.post(f"{address}/undo").json()["node"] == "a"
    assert client.post(f"{address}/undo").json()["node"] is None


def test_a_wrong_request_is_refused_in_a_sentence(client, graph):
    address = begun(client, graph)
    for reply, status, code in (
        (told(client, address, "nobody", "red"), 404, "unknown_node"),
        (client.get("/v1/sessions/none/status"), 404, "unknown_session"),
        (client.post(f"{address}/labels", json={"answers": []}), 422, "invalid"),
        (client.post(f"{address}/labels", json={"answer": 1}), 422, "invalid"),
        (client.get(f"{address}/predictions"), 422, "invalid"),
        (client.post("/v1/graphs", files={"edges": ("e.exe", b"x")}), 422, "unknown_format"),
        (client.post("/v1/graphs", files={"edges": ("e.csv", b"x")}), 422, "unreadable"),
        (client.get("/v1/nothing"), 404, "not_found"),
    ):
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, code), reply.text
        assert "/" not in reply.json()["error"]["message"].replace("and/or", "")


def test_an_audit_carries_no_guess_until_it_is_answered(client, graph):
    address = begun(client, graph, audit_share=1.0)
    told(client, address, "a", "red")
    (question,) = client.get(f"{address}/next").json()["questions"]
    assert question["audit"]
    assert (question["guess"], question["confidence"], question["top"]) == (None, None, [])
    assert all(n["answered"] or n["label"] is None for n in question["neighbors"])
    content = client.get(f"{address}/map").content
    assert content[2 * question["index"] : 2 * question["index"] + 2] == b"\xff\xff"
    events = client.get(f"{address}/export").text
    reply = told(client, address, question["node"], "red").json()
    assert reply["was"]["audit"]
    assert reply["was"]["guess"] == "red"
    assert '"audit":true' in events


def test_a_graph_is_served_for_the_map(client, graph):
    assert client.get(f"/v1/graphs/{graph}/names?from=1&count=2").text == "b\nc"
    assert client.get(f"/v1/graphs/{graph}/edges?around=a").json() == {"edges": [[0, 1], [0, 2]]}
    assert len(client.get(f"/v1/graphs/{graph}/edges").content) == 7 * 8
    assert client.get(f"/v1/graphs/{graph}/search?q=A").json()["nodes"][0]["index"] == 0


def test_a_system_guesses_now_and_hears_later(client, graph):
    body = {"graph": graph, "classes": ["red", "blue"], "teacher": "system"}
    made = client.post("/v1/sessions", json=body).json()
    address = "/v1/sessions/" + made["session"]
    service = client.app.state.service
    own = Rounds.create(MemoryStore(), "own", service.library.graph(graph), classes=["red", "blue"])
    rounds = []
    for node in "abcxyz" * 2:
        here = own.guess(own.graph.names.index(node))
        there = client.post(f"{address}/predict", json={"node": node}).json()
        assert (there["guess"], there["explored"]) == (own.classes[here.guess], here.explored)
        rounds.append((there["round"], here.number, there["guess"] == TRUTH[node]))
        if len(rounds) == 4:
            for number, mine, right in (rounds.pop(2), rounds.pop(0)):
                reply = client.post(f"{address}/feedback", json={"round": number, "correct": right})
                assert reply.status_code == 200, reply.text
                own.feedback(mine, right)
    told = client.get(f"{address}/rounds").json()
    assert told["open"] == len(rounds) == own.regret().open
    assert (told["mistakes"], told["explored"]) == (own.regret().mistakes, own.regret().explored)
    again = client.post(f"{address}/feedback", json={"round": 1, "correct": True})
    assert client.get(f"{address}/next").status_code == 409
    assert again.status_code in (200, 422)
    service.desks._open.clear()
    assert client.get(f"{address}/rounds").json()["rounds"] == told["rounds"]


def test_yes_or_no_is_an_answer_where_the_guess_was_shown(client, graph):
    address = begun(client, graph, audit_share=0.0)
    told(client, address, "a", "red")
    told(client, address, "z", "blue")
    (question,) = client.get(f"{address}/next").json()["questions"]
    other = {"red": "blue", "blue": "red"}[question["guess"]]
    body = {"question": question["question"], "correct": False}
    assert client.post(f"{address}/feedback", json=body).status_code == 200
    rows = client.get(f"{address}/predictions?nodes={question['node']}").json()["predictions"]
    assert (rows[0]["label"], rows[0]["asked"]) == (other, True)


def test_the_guess_of_an_open_audit_is_hidden_from_whoever_is_asked(client, graph):
    address = begun(client, graph, audit_share=1.0)
    told(client, address, "a", "red")
    told(client, address, "z", "blue")
    (question,) = client.get(f"{address}/next").json()["questions"]
    assert question["audit"]
    place = f"{address}/predictions?nodes={question['node']}"
    (row,) = client.get(place).json()["predictions"]
    assert (row["label"], row["confidence"], row["hidden"]) == (None, 0.0, True)
    told(client, address, question["node"], "red")
    (row,) = client.get(place).json()["predictions"]
    assert (row["label"], row["confidence"], row["hidden"]) == ("red", 1.0, False)


def test_a_backup_is_restored_whole_and_a_damaged_one_refused(client, graph, tmp_path):
    address = begun(client, graph)
    told(client, address, "a", "red")
    settings = client.app.state.service.settings
    if settings.database is not None:
        with pytest.raises(LapwingError, match="use pg_dump"):
            backed_up(settings, tmp_path / "copy.tar")
        return
    backed_up(settings, tmp_path / "copy.tar")
    restored(tmp_path / "copy.tar", tmp_path / "again")
    with TestClient(
        service_app(ServiceSettings(folder=tmp_path / "again")), base_url="http://127.0.0.1"
    ) as other:
        assert other.get(f"{address}/answers").json() == client.get(f"{address}/answers").json()
    (tmp_path / "cut.tar").write_bytes((tmp_path / "copy.tar").read_bytes()[:2000])
    with pytest.raises(LapwingError):
        restored(tmp_path / "cut.tar", tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_sessions_follow_a_graph_that_grows_and_are_the_same_after_a_restart(tmp_path):
    settings = ServiceSettings(folder=tmp_path)
    growth = {"nodes": ["alone"], "edges": [["z", "new"], ["y", "new"]]}
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as client:
        graph = client.post("/v1/graphs", files={"edges": ("six.csv", EDGES)}).json()["graph"]
        follows, stays = begun(client, graph), begun(client, graph)
        for node in "ay":
            told(client, follows, node, TRUTH[node])
        body = growth | {"sessions": [follows.rpartition("/")[2]]}
        reply = client.post(
            f"/v1/graphs/{graph}/grow", json=body, headers={"Idempotency-Key": "once"}
        ).json()
        again = client.post(
            f"/v1/graphs/{graph}/grow", json=body, headers={"Idempotency-Key": "once"}
        ).json()
        assert again == reply
        assert (reply["nodes"], reply["sessions"]) == (8, body["sessions"])
        assert client.get(follows).json()["graph"] == reply["graph"] != graph
        assert client.get(stays).json()["graph"] == graph
        answers = client.get(f"{follows}/answers").json()["answers"]
        assert [(each["node"], each["label"]) for each in answers] == [("a", "red"), ("y", "blue")]
        (new, alone) = client.get(f"{follows}/predictions?nodes=new,alone").json()["predictions"]
        assert (new["label"], alone["label"]) == ("blue", None)
        assert told(client, follows, "new", "blue").status_code == 200
        assert told(client, stays, "new", "blue").status_code == 404
        before = client.get(f"{follows}/predictions?format=csv").text
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as client:
        assert client.get(f"{follows}/predictions?format=csv").text == before
        assert len(client.get(f"{follows}/answers").json()["answers"]) == 3
        assert client.get(follows).json()["graph"] == reply["graph"]


@pytest.mark.parametrize("name", ["--7", "9" * 900, "\u00b2", "07", "-", "7\n"])
def test_text_that_is_no_number_is_an_unknown_node(client, name):
    """In a graph of numbers, too; names that are nearly numbers once ended in an error of ours."""
    files = {"edges": ("numbers.csv", b"source,target\n0,7\n7,9\n9,0\n")}
    graph = client.post("/v1/graphs", files=files).json()["graph"]
    address = begun(client, graph)
    reply = client.get(f"{address}/predictions", params={"node": name})
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "unknown_node")
    assert told(client, address, "7", "red").status_code == 200
    grown = client.post(f"{address}/grow", json={"edges": [["7", name]]})
    assert grown.status_code in (200, 422), grown.text
    if grown.status_code == 200:
        again = client.get(f"{address}/predictions", params={"node": name})
        assert again.json()["predictions"][0]["node"] == name
