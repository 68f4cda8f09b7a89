"""`lapwing serve` as a process: told to stop, in several workers, and what it logs."""

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from bench.service.servers import SESSION, prepared
from lapwing import Graph
from lapwing.client.calls import Calls, UnreachableError
from lapwing.service.database.schema import service_tables_made
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.people.person import Role
from lapwing.service.people.tokens import created_token
from lapwing.session import Session, Store
from tests.service_running import PATIENCE, free_port, listening, sent

START = 120
RING = Graph.from_edges([(f"n{k}", f"n{(k + 1) % 4000}") for k in range(4000)])
PLACE = f"/v1/sessions/{SESSION}"


@contextmanager
def served(settings, *more):
    """The process and its port; it is gone afterwards, whatever happened."""
    port = free_port()
    command = [sys.executable, "-m", "lapwing", "serve", "--folder", str(settings.folder)]
    command += ["--port", str(port), "--rate", "100000/second", *more]
    if settings.database is not None:
        command += ["--database", settings.database]
    with (settings.folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        end = time.monotonic() + START
        while True:
            assert process.poll() is None, (settings.folder / "log.txt").read_text()
            assert time.monotonic() < end
            try:
                if sent(port, "GET", "/healthz")[0] == 200:
                    break
            except OSError:
                time.sleep(0.1)
        yield process, port
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)


def answering(port, by, nodes, acknowledged, stop, **headers):
    """Answer one node after the other and note what was acknowledged, until refused or cut."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    for node in nodes:
        body = json.dumps({"answers": [{"node": node, "label": "left"}]})
        named = {"Content-Type": "application/json", "X-Lapwing-Person": by, **headers}
        try:
            connection.request("POST", f"{PLACE}/labels", body, named)
            reply = connection.getresponse()
            content = reply.read()
        except (OSError, http.client.HTTPException):
            break
        if reply.status != 200 or not content:
            break
        acknowledged.append((by, node))
        if stop.is_set():
            break
    connection.close()


def together(port, people, each, wait, **headers):
    """Several people answer at the same time; what was acknowledged."""
    acknowledged, stop = [], threading.Event()
    threads = [
        threading.Thread(
            target=answering,
            args=(port, f"p{k}", [f"n{k * each + i}" for i in range(each)], acknowledged, stop),
            kwargs=headers, daemon=True,
        )
        for k in range(people)
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    wait(acknowledged)
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return acknowledged


def recorded(settings):
    """Who told what, from the log; its chain is checked."""
    with Store(settings.database_address) as store:
        store.verified(SESSION)
        told = [each for each in store.events(SESSION) if each.kind.value == "told"]
        names = Session.open(store, SESSION, graph=RING).graph.names
    return [(each.by, names[each.node]) for each in told]


def test_told_to_stop_it_loses_nothing_and_ends_the_streams(tmp_path):
    settings = ServiceSettings(folder=tmp_path)
    prepared(settings, RING, ["left", "right"], learner="push-lgc")
    with served(settings) as (process, port):

        def stop(acknowledged):
            end = time.monotonic() + PATIENCE
            while len(acknowledged) < 40 and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)

        with listening(port, PLACE, last=0) as events:
            next(events)
            acknowledged = together(port, 4, 1000, stop)
            process.wait(PATIENCE)
    found = recorded(settings)
    assert process.returncode in (0, -signal.SIGTERM)
    assert "Traceback" not in (tmp_path / "log.txt").read_text()
    assert len(acknowledged) >= 40
    assert len(set(found)) == len(found)
    assert set(acknowledged) <= set(found)
    assert len(found) - len(acknowledged) <= 4


def test_several_workers_on_postgres_write_one_log(tmp_path, new_postgres):
    settings = ServiceSettings(folder=tmp_path, database=new_postgres())
    prepared(settings, RING, ["left", "right"], learner="push-lgc")
    with served(settings, "--workers", "2") as (_, port):
        acknowledged = together(port, 8, 12, lambda _: None)
        assert len(acknowledged) == 96
        for by, node in acknowledged[::7]:
            rows = sent(port, "GET", f"{PLACE}/predictions?node={node}")[1]["predictions"]
            assert [(row["label"], row["asked"]) for row in rows] == [("left", True)], by
        key = {"Idempotency-Key": "once"}
        body = {"answers": [{"node": "n3999", "label": "right"}]}
        replies = [sent(port, "POST", f"{PLACE}/labels", body, **key) for _ in range(6)]
        assert replies == replies[:1] * 6
    assert sorted(recorded(settings)) == sorted([*acknowledged, ("me", "n3999")])


def test_nothing_secret_is_logged(tmp_path):
    settings = ServiceSettings(folder=tmp_path)
    prepared(settings, RING, ["left", "right"], learner="push-lgc")
    with Store(settings.database_address) as store:
        service_tables_made(store.engine, store.where)
        with store.together() as connection:
            _, secret = created_token(connection, "ada", Role.owner)
    with served(settings) as (_, port):
        bearer = {"Authorization": f"Bearer {secret}"}
        body = {"answers": [{"node": "n17", "label": "left"}]}
        assert sent(port, "POST", f"{PLACE}/labels", body, **bearer)[0] == 200
        assert sent(port, "GET", f"{PLACE}/predictions?node=n17", **bearer)[0] == 200
        assert sent(port, "GET", "/v1/sessions", Authorization="Bearer lw_guess")[0] == 401
        assert sent(port, "POST", f"{PLACE}/labels", {"answers": "n17"}, **bearer)[0] == 422
        assert sent(port, "GET", f"/v1/sessions?token={secret}")[0] == 401
    log = (tmp_path / "log.txt").read_text()
    requests = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert len([each for each in requests if each["event"] == "request"]) >= 5
    for word in (secret, secret[3:15], "lw_guess", "n17", "left", "Bearer"):
        assert word not in log


def test_a_server_that_is_not_there_is_given_up():
    calls = Calls(f"http://127.0.0.1:{free_port()}", patience=0.3)
    with pytest.raises(UnreachableError, match="no reply from the service"):
        calls.get("/v1/sessions")
