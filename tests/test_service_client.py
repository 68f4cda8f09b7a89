"""The client: the methods of a session, retries, and an outbox that survives a crash."""

import inspect
import json
import socket
import threading
from dataclasses import replace

import pytest

import lapwing
from lapwing import Graph, make
from lapwing.client import Outbox, Rounds, ServiceError, Session, UnreachableError
from lapwing.client.calls import Calls
from lapwing.errors import InputError, UnknownNodeError
from tests.service_running import PATIENCE, SIX, TRUTH, Running, begun


@pytest.fixture
def running(tmp_path, new_database):
    found = Running(tmp_path / "service", new_database()).start()
    yield found
    if found.thread.is_alive():
        found.stop()


@pytest.fixture
def address(running):
    """A session named six, made through the API."""
    begun(running.port)
    return running.url


HERE = {"open", "create", "widget", "graph", "header", "shown", "head"}
"""What only those have who hold the log and the graph themselves."""
SAID_BY_TOKEN = {"by"}
TEAMS_GOAL = {"target_error", "target_recall", "confidence", "budget"}
"""The team sets its goal once, for all (`POST target`)."""
NOT_SENT = {"grow": {"remove", "graph"}, "recall": {"classes"}}


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_the_client_offers_what_a_session_offers():
    """A new public name or argument of `lapwing.Session` must be offered here, too, or listed."""
    assert public(lapwing.Session) - public(Session) == HERE
    for name in public(lapwing.Session) - HERE:
        mine, theirs = getattr(lapwing.Session, name), getattr(Session, name)
        if callable(mine):
            here, there = (set(inspect.signature(each).parameters) for each in (mine, theirs))
            assert here - there <= SAID_BY_TOKEN | TEAMS_GOAL | NOT_SENT.get(name, set()), name


def test_a_session_through_the_client_is_a_session(address):
    own = lapwing.Session(Graph.from_edges(SIX), ["red", "blue"])
    with Session(address, session="six") as client:
        for _ in range(4):
            here, there = own.ask(), client.ask()
            assert (here.node, here.audit, here.guess, here.reason, here.neighbors) == (
                there.node, there.audit, there.guess, there.reason, there.neighbors,
            )  # fmt: skip
            own.tell(here.node, TRUTH[here.node])
            client.tell(there.node, TRUTH[there.node])
        assert client.labels() == own.labels()
        assert client.predict(["a", "z"]) == own.predict(["a", "z"])
        assert list(client.predictions()) == list(own.predictions())
        assert client.error_estimate() == own.error_estimate()
        assert client.advice() == own.advice()
        assert replace(client.standing(), people=own.standing().people) == own.standing()
        assert (client.n_labels, client.classes) == (own.n_labels, own.classes)
        assert [(a.node, a.label) for a in client.answers()] == [
            (a.node, a.label) for a in own.answers()
        ]
        assert client.explain("z") == str(own.explain("z"))
        assert client.evidence() == own.evidence()
        assert client.undo() == own.undo()
        assert client.grow([("z", "w"), ("a", "w")], ["alone"]) == str(
            own.grow([("z", "w"), ("a", "w")], ["alone"])
        )
        told = client.status()
        assert "nodes added last have no audit of their own" in told["estimate"]["covers"]
        assert [bound for _, bound in told["curve"]] == [round(told["bound"], 6)]
        assert client.predict(["w", "alone"]) == own.predict(["w", "alone"])
        client.skip("a")
        with pytest.raises(UnknownNodeError):
            client.tell("nobody", "red")
        first = next(iter(own.labels()))
        client.withdraw(first)
        assert first not in client.labels()
        with pytest.raises(ServiceError):
            client.tell(first, "x" * 300)
        assert client.waiting == 0


def test_the_outbox_keeps_what_could_not_be_sent(address, running, tmp_path):
    box = tmp_path / "outbox.jsonl"
    client = Session(address, session="six", outbox=box)
    client.tell("a", "red")
    with pytest.raises(InputError, match="another client"):
        Outbox(box)
    running.stop()
    client._calls.patience = 0.1
    with pytest.raises(UnreachableError):
        client.tell("b", "blue")
    assert client.waiting == 1
    client.close()
    running.start()
    with Session(address, session="six", outbox=box) as again:
        assert again.waiting == 0
        assert again.labels() == {"a": "red", "b": "blue"}
    with box.open("ab") as file:
        file.write(b'{"key": "k", "path": "/v1/cut sho')
    cut = Outbox(box)
    assert cut.waiting == []
    cut.close()


def test_a_system_guesses_and_reports_through_the_client(running, tmp_path):
    begun(running.port, teacher="system", name="ads", learner="banditron", seed=4)
    own = make("banditron", Graph.from_edges(SIX), n_classes=2, seed=4)
    box = tmp_path / "outbox.jsonl"
    with Rounds(running.url, session="ads", outbox=box) as client:
        rounds = []
        for node in "axbycz":
            found = client.guess(node)
            rounds.append((found["round"], node, found["guess"]))
        assert client.regret().open == 6
        right = [guess == TRUTH[node] for _, node, guess in rounds]
        for (number, node, guess), correct in reversed(list(zip(rounds, right, strict=True))[1:]):
            client.feedback(number, correct)
            own.learn(client_index(node), ["red", "blue"].index(guess), correct)
        regret = client.regret()
        assert (regret.rounds, regret.open) == (6, 1)
        assert regret.mistakes == 5 - sum(right[1:])
        assert client.guess("a")["guess"] == ["red", "blue"][own.guess(client_index("a"))]
        running.stop()
        client._calls.patience = 0.1
        with pytest.raises(UnreachableError):
            client.feedback(rounds[0][0], right[0])
        assert client.waiting == 1
    running.start()
    with Rounds(running.url, session="ads", outbox=box) as again:
        assert (again.waiting, again.regret().rounds, again.regret().open) == (0, 7, 1)


def client_index(node):
    return Graph.from_edges(SIX).names.index(node)


@pytest.mark.parametrize("cut", [15, 40, 60, 72, 73, 74, 79, 95])
def test_a_reply_that_is_cut_anywhere_is_asked_for_again(cut):
    """A proxy that ends a reply after some bytes; the next one is whole."""
    body = json.dumps({"sessions": ["x" * 20]}).encode()
    whole = b"HTTP/1.1 200 OK\r\nserver: test\r\nx-request-id: 0123456789\r\n" + (
        b"content-length: %d\r\n\r\n%s" % (len(body), body)
    )
    with socket.create_server(("127.0.0.1", 0)) as door:

        def reply():
            for content in (whole[:cut], whole):
                line, _ = door.accept()
                with line:
                    line.settimeout(PATIENCE)
                    line.recv(65536)
                    line.sendall(content)

        thread = threading.Thread(target=reply, daemon=True)
        thread.start()
        calls = Calls(f"http://127.0.0.1:{door.getsockname()[1]}", patience=10)
        assert calls.get("/v1/sessions") == json.loads(body)
        calls.close()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_what_is_found_through_the_client_is_what_a_session_finds(running):
    goal = {"goal": "find", "positive": ["red"]}
    begun(running.port, name="hunt", **goal)
    own = lapwing.Session(Graph.from_edges(SIX), ["red", "blue"], **goal)
    with Session(running.url, session="hunt") as client:
        for _ in range(3):
            node = client.ask().node
            assert own.ask().node == node
            own.tell(node, TRUTH[node])
            client.tell(node, TRUTH[node])
        assert client.recall() == own.recall() == client.standing().recall
        assert client.leads(2) == own.leads(2)
        assert client.class_measures("red") == own.class_measures("red")
        assert client.advice().words == own.advice().words
