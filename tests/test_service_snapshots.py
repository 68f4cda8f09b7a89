"""Snapshots save time and nothing else; old tables are brought up to date; old replies go."""

import time

import pytest
import structlog
from fastapi.testclient import TestClient
from sqlalchemy import func, inspect, select, text, update
from structlog.testing import capture_logs

from bench.service.servers import SESSION, prepared
from lapwing import Graph
from lapwing.service.app import service_app
from lapwing.service.database.schema import service_tables_made
from lapwing.service.database.tables import SERVICE_VERSION, replies, service_tables, snapshots
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.sessions import desks
from lapwing.session import Store, StoreError
from lapwing.session.log.state import State
from tests.service_running import PATIENCE, SIX, TRUTH


@pytest.fixture
def settings(tmp_path, new_database):
    return ServiceSettings(folder=tmp_path, database=new_database())


@pytest.fixture(autouse=True)
def every_level():
    """A service that was started earlier in this process may have silenced lower levels."""
    structlog.reset_defaults()


def opened(settings):
    return TestClient(service_app(settings), base_url="http://127.0.0.1")


def told(client, address, node):
    body = {"answers": [{"node": node, "label": TRUTH[node]}]}
    assert client.post(f"{address}/labels", json=body).status_code == 200


@pytest.fixture
def address(settings):
    """A session with four answers, of which three are in a snapshot."""
    prepared(settings, Graph.from_edges(SIX), ["red", "blue"], seed=5)
    found = f"/v1/sessions/{SESSION}"
    with opened(settings) as client:
        for node in "azb":
            told(client, found, node)
        seen(client, found)
        client.app.state.service.desks.keep_snapshots(1)
        told(client, found, "y")
    return found


def seen(client, address):
    """Everything that rests on what the learner knows."""
    rows = client.get(f"{address}/predictions?nodes=a,b,c,x,y,z").json()
    return rows, client.get(f"{address}/map").content


@pytest.fixture
def learned(monkeypatch):
    """The nodes whose labels are learned, in order."""
    nodes, before = [], State._learn

    def noted(self, node, *more):
        nodes.append(node)
        before(self, node, *more)

    monkeypatch.setattr(State, "_learn", noted)
    return nodes


def without_snapshot(settings, address):
    with Store(settings.database_address) as store, store.together() as connection:
        connection.execute(snapshots.delete())
    with opened(settings) as client:
        return seen(client, address), client.get(f"{address}/next").json()["questions"]


def test_a_start_learns_only_what_came_after_the_snapshot(settings, address, learned):
    with opened(settings) as client:
        found = seen(client, address)
        assert len(learned) == 1
        questions = client.get(f"{address}/next").json()["questions"]
        client.post(f"{address}/release", json={"node": questions[0]["node"]})
    learned.clear()
    again, same = without_snapshot(settings, address)
    assert len(learned) == 4
    assert found[0]["predictions"] == again[0]["predictions"]
    assert found[1] == again[1]
    for field in ("node", "audit", "reason", "guess", "confidence"):
        assert [q[field] for q in questions] == [q[field] for q in same]


def test_a_snapshot_is_taken_when_learning_took_long_and_not_twice(
    settings, address, learned, monkeypatch
):
    monkeypatch.setattr(desks, "WORTH", 0.0)
    with opened(settings) as client:
        told(client, address, "c")
        kept = client.app.state.service.desks
        kept.keep_snapshots(500)  # what was told is learned first
        before = set((settings.folder / "snapshots").glob("*"))
        kept.keep_snapshots(500)
        assert set((settings.folder / "snapshots").glob("*")) == before
    learned.clear()
    with opened(settings) as client:
        seen(client, address)
    assert learned == []


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder, _: next(folder.glob("*")).write_bytes(b"cut"), "damaged"),
        (lambda folder, _: next(folder.glob("*")).unlink(), "No such file"),
        (lambda _, c: c.execute(update(snapshots).values(head="0" * 64)), "stem from this log"),
        (lambda _, c: c.execute(update(snapshots).values(number=900)), "stem from this log"),
        (lambda _, c: c.execute(update(snapshots).values(made_with="older")), "made with"),
    ],
    ids=["damaged", "lost", "other log", "future", "other program"],
)
def test_a_damaged_or_stale_snapshot_is_ignored_and_that_is_logged(
    settings, address, learned, damage, reason
):
    with Store(settings.database_address) as store, store.together() as connection:
        damage(settings.folder / "snapshots", connection)
    with capture_logs() as lines, opened(settings) as client:
        found = seen(client, address)
    assert len(learned) == 4
    (line,) = [each for each in lines if each["event"] == "snapshot ignored"]
    assert reason in line["reason"]
    again, _ = without_snapshot(settings, address)
    assert found[0]["predictions"] == again[0]["predictions"]


def test_a_deleted_session_leaves_no_snapshot(settings, address):
    with opened(settings) as client:
        assert client.delete(address).status_code == 204
    assert list((settings.folder / "snapshots").glob("*")) == []


def shape(engine):
    seen = inspect(engine)
    return {
        table: [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(table)]
        for table in seen.get_table_names()
    }


def test_tables_of_every_earlier_version_are_brought_up_to_date(settings, address):
    """Version 1 had no snapshots. What people said is there afterwards."""
    with Store(settings.database_address) as store:
        today = shape(store.engine)
        with store.together() as connection:
            snapshots.drop(connection)
            connection.execute(text("UPDATE service_version SET version = 1"))
        service_tables_made(store.engine, store.where)
        assert shape(store.engine) == today
        assert set(service_tables.tables) <= set(today)
        with store.reading() as connection:
            found = connection.execute(text("SELECT version FROM service_version")).scalars().all()
            assert found == [SERVICE_VERSION]
    with opened(settings) as client:
        answers = client.get(f"{address}/answers").json()["answers"]
        assert {each["node"]: each["label"] for each in answers} == {n: TRUTH[n] for n in "azby"}
    with Store(settings.database_address) as store:
        with store.together() as connection:
            connection.execute(text("UPDATE service_version SET version = 999"))
        with pytest.raises(StoreError, match="a newer lapwing wrote it"):
            service_tables_made(store.engine, store.where)


def test_replies_are_forgotten_after_their_time(settings, address):
    def kept(client):
        with client.app.state.service.store.reading() as connection:
            return connection.execute(select(func.count()).select_from(replies)).scalar_one()

    with opened(settings) as client:
        service = client.app.state.service
        for key, node in (("old", "c"), ("new", "x")):
            body = {"answers": [{"node": node, "label": TRUTH[node]}]}
            client.post(f"{address}/labels", json=body, headers={"Idempotency-Key": key})
        long_ago = time.time() - 3600 * (settings.keep_replies_hours + 1)
        with service.store.together() as connection:
            connection.execute(update(replies).where(replies.c.key == "old").values(at=long_ago))
        assert kept(client) == 2
        service.keep_order()
        assert kept(client) == 1
        body = {"answers": [{"node": "x", "label": TRUTH["x"]}]}
        again = client.post(f"{address}/labels", json=body, headers={"Idempotency-Key": "new"})
        assert again.json()["saved"][0]["node"] == "x"


def test_labels_are_learned_a_few_at_a_time(settings, address):
    """What waits is learned before a session is read, and not in the server's loop."""
    with opened(settings) as client:
        service, end = client.app.state.service, time.monotonic() + PATIENCE
        while not service.ready:
            assert time.monotonic() < end
            time.sleep(0.01)
        desk = service.desks.opened(SESSION)
        for node in "cx":
            told(client, address, node)
        assert desk.is_behind
        with desk.reading_now() as session:
            assert session is None
        desk.learn()
        assert not desk.is_behind
        with desk.reading_now() as session:
            assert (session is None) == desk.others_write
