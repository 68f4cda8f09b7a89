"""A service session fed a recorded stream answers as `play` and `lapwing.Session` do; events."""

import json

import numpy as np
import pytest
from fastapi.testclient import TestClient

from lapwing import Session, data, make, play
from lapwing.catalog import ENTRIES
from lapwing.service.app import service_app
from lapwing.service.operation.settings import ServiceSettings
from tests.service_running import Running, begun, listening, sent

LEARNERS = ["auto", "near-far", "push-lgc", "ollgc", "pool"]
BANDITS = [name for name, entry in ENTRIES.items() if entry.kind == "bandit"]


@pytest.fixture(scope="module")
def client(tmp_path_factory, new_database):
    folder = tmp_path_factory.mktemp("streams")
    settings = ServiceSettings(folder=folder, database=new_database(), rate="100000/second")
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture(scope="module")
def karate(client):
    """Zachary's club: names, classes by name, an order, and the graph as the service keeps it."""
    club = data.load("karate")
    pairs = np.column_stack(club.graph.edges()[:2]).tolist()
    rows = [f"{club.graph.names[a]},{club.graph.names[b]}" for a, b in pairs]
    files = {"edges": ("karate.csv", "\n".join(["source,target", *rows]).encode())}
    graph = client.post("/v1/graphs", files=files).json()["graph"]
    held = client.app.state.service.library.graph(graph)
    truth = np.array([club.labels[club.graph.names.index(name)] for name in held.names])
    order = np.random.default_rng(7).permutation(held.n_nodes)
    return graph, held, truth, order


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_recorded_stream_gives_the_guesses_of_play_and_of_a_session(client, karate, learner):
    graph, held, truth, order = karate
    classes = ["0", "1"]
    body = {"graph": graph, "classes": classes, "learner": learner}
    address = "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]
    own = Session(held, classes, learner=learner)
    game = play(make(learner, held), order, truth, teacher="every-label")
    for turn in game:
        name, label = held.names[turn.node], classes[turn.label]
        (row,) = client.get(f"{address}/predictions", params={"node": str(name)}).json()[
            "predictions"
        ]
        guess = None if turn.guess == -1 else classes[turn.guess]
        assert (row["label"], own.predict(name)) == (guess, guess)
        answer = {"answers": [{"node": str(name), "label": label}]}
        assert client.post(f"{address}/labels", json=answer).status_code == 200
        own.tell(name, label)


@pytest.mark.parametrize("learner", ["auto", *BANDITS])
def test_a_system_fed_a_recorded_stream_gets_the_guesses_of_play(client, karate, learner):
    graph, held, truth, order = karate
    body = {"graph": graph, "classes": ["0", "1"], "teacher": "system", "learner": learner}
    address = "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]
    name = "push-bandit" if learner == "auto" else learner
    game = play(make(name, held, n_classes=2), order, truth, teacher="bandit")
    for turn in game:
        name = str(held.names[turn.node])
        told = client.post(f"{address}/predict", json={"node": name}).json()
        assert told["guess"] == str(turn.guess)
        right = {"round": told["round"], "correct": turn.guess == turn.label}
        assert client.post(f"{address}/feedback", json=right).status_code == 200
    assert client.get(f"{address}/rounds").json()["mistakes"] == round(
        game.summary().error * len(order)
    )


@pytest.mark.parametrize("learner", BANDITS)
def test_late_and_missing_feedback_is_learned_in_the_order_in_which_it_comes(
    client, karate, learner
):
    """A restart in the middle changes no guess: the log has the guesses and the feedback."""
    graph, held, truth, order = karate
    body = {"graph": graph, "classes": ["0", "1"], "teacher": "system", "learner": learner}
    address = "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]
    own, rng = make(learner, held, n_classes=2), np.random.default_rng(3)
    waiting, mistakes, explored, never = [], 0, 0, 0
    for turn, node in enumerate(order.tolist()):
        if turn == len(order) // 2:
            client.app.state.service.desks._open.clear()  # read again from the log
        here = own.guess(node)
        explored += here != own.predict(node)
        told = client.post(f"{address}/predict", json={"node": str(held.names[node])}).json()
        assert told["guess"] == str(here), turn
        if rng.random() < 0.1:
            never += 1
        else:
            waiting.append((told["round"], node, here))
        while len(waiting) > 5:
            number, late, guess = waiting.pop(int(rng.integers(len(waiting))))
            right = bool(guess == truth[late])
            said = {"round": number, "correct": right}
            assert client.post(f"{address}/feedback", json=said).status_code == 200
            own.learn(late, guess, right)
            mistakes += not right
    told = client.get(f"{address}/rounds").json()
    assert told["rounds"] == len(order)
    assert told["open"] == never + len(waiting)
    assert (told["mistakes"], told["explored"]) == (mistakes, explored)
    again = client.post(f"{address}/feedback", json=said)
    assert (again.status_code, again.json()["error"]["code"]) == (422, "invalid")


def test_events_are_resumed_by_their_number(tmp_path, new_database):
    running = Running(tmp_path, new_database()).start()
    try:
        address = begun(running.port)
        for node, label in (("a", "red"), ("z", "blue")):
            sent(running.port, "POST", f"{address}/labels",
                 {"answers": [{"node": node, "label": label}]})  # fmt: skip
        with listening(running.port, address, last=0) as events:
            first = [next(events) for _ in range(4)]
            assert [each["id"] for each in first] == ["1", "2", "3", "4"]
            assert [each["event"] for each in first] == ["class", "class", "labels", "labels"]
            assert json.loads(first[2]["data"])["node"] == "a"
        with listening(running.port, address, last=3) as events:
            assert next(events) == first[3]
            sent(running.port, "POST", f"{address}/skip", {"node": "b"})
            fresh = next(events)
            assert (fresh["id"], fresh["event"]) == ("5", "skip")
    finally:
        running.stop()
