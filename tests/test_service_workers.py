"""Long work runs in processes of its own, once for all who wait for it."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from lapwing.errors import InputError
from lapwing.service.app import service_app
from lapwing.service.graphs import layouts, rows
from lapwing.service.graphs.layouts import LAYOUT, STAGE, layout_stage, layout_written
from lapwing.service.operation.settings import ServiceSettings
from tests.service_running import PATIENCE, Running, begun, sent

PATH = "\n".join(["source,target", *(f"n{k},n{k + 1}" for k in range(1500))]).encode()


@pytest.fixture
def client(tmp_path):
    settings = ServiceSettings(folder=tmp_path, processes=1, rate="100000/second")
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


def uploaded(client):
    reply = client.post("/v1/graphs", files={"edges": ("path.csv", PATH)})
    assert reply.status_code == 201, reply.text
    return reply.json()["graph"]


def waited(ready):
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_layout_is_made_once_in_another_process_and_says_how_far_it_is(client, monkeypatch):
    graph = uploaded(client)
    first = client.get(f"/v1/graphs/{graph}/layout")
    assert (first.status_code, first.headers["Retry-After"]) == (202, "1")
    service = client.app.state.service
    assert service.workers.count == 1
    assert client.get(f"/v1/graphs/{graph}/layout").status_code == 202
    assert service.workers.count == 1
    waited(lambda: client.get(f"/v1/graphs/{graph}/layout").status_code == 200)
    assert len(client.get(f"/v1/graphs/{graph}/layout").content) == 1501 * 8
    place = service.library.place(graph)
    (place / LAYOUT).unlink()
    seen, write = [], layouts._write

    def noted(path, content):
        write(path, content)
        seen.append((path.name, layout_stage(place, 1.0)[0]))

    monkeypatch.setattr(layouts, "_write", noted)
    layout_written(str(place))
    shares = [share for name, share in seen if name == STAGE]
    assert shares
    assert shares == sorted(shares)
    assert shares[-1] < 1.0
    assert (seen[-1][0], layout_stage(place, 0.0)) == (LAYOUT, (0.0, b""))


def test_rows_of_a_large_graph_are_made_in_another_process(client, monkeypatch):
    monkeypatch.setattr(rows, "LARGE", 1000)
    made = []
    monkeypatch.setattr(rows, "make", lambda *_, **__: made.append("here"))
    graph = uploaded(client)
    body = {"graph": graph, "classes": ["left", "right"]}
    session = "/v1/sessions/" + client.post("/v1/sessions", json=body).json()["session"]
    service = client.app.state.service
    assert service.workers.count == 1
    again = client.post("/v1/sessions", json=body).json()["session"]
    assert service.workers.count <= 1  # the second session waits for the same work
    assert len(client.get(f"{session}/next").json()["questions"]) == 1
    assert rows.rows_are_made(service.library.place(graph), "pool")
    assert service.workers.count == 0
    assert client.get(f"/v1/sessions/{again}/status").status_code == 200
    assert made == []
    assert "lapwing_work 0.0" in client.get("/metrics").text


KILLED = """
import os, signal
from lapwing.service.operation.workers import Workers
if __name__ == "__main__":
    number = Workers(1).running("pid", os.getpid).result()
    print(f"worker {number}.", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_service_that_is_killed(tmp_path):
    program = tmp_path / "killed.py"
    program.write_text(KILLED)
    done = subprocess.run([sys.executable, program], stdout=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL
    number = re.search(rb"worker (\d+)\.", done.stdout)
    worker = Path(f"/proc/{int(number[1])}/stat")
    waited(lambda: not worker.exists() or worker.read_text().split()[2] == "Z")


def test_a_learner_without_rows_and_a_small_graph_need_no_process(client, monkeypatch):
    graph = uploaded(client)
    for learner in ("pool", "auto"):
        body = {"graph": graph, "classes": ["left", "right"], "learner": learner}
        assert client.post("/v1/sessions", json=body).status_code == 201
        assert client.app.state.service.workers.count == 0
        monkeypatch.setattr(rows, "LARGE", 1000 if learner == "pool" else 10)


def test_a_second_service_on_the_same_database_is_refused(tmp_path):
    running = Running(tmp_path).start()
    try:
        address = begun(running.port)
        with pytest.raises(InputError, match="another service runs"):
            service_app(ServiceSettings(folder=tmp_path))
        assert sent(running.port, "GET", f"{address}/status")[0] == 200
    finally:
        running.stop()
    service_app(ServiceSettings(folder=tmp_path)).state.service.close()


def test_many_who_ask_for_the_same_session_open_it_once(tmp_path, monkeypatch):
    running = Running(tmp_path).start()
    try:
        address = begun(running.port)
        desks = running.app.state.service.desks
        desks._open.clear()
        opened, real = [], desks.snapshots.taken_up
        monkeypatch.setattr(
            desks.snapshots, "taken_up", lambda *a: (opened.append(a[0]), real(*a))[1]
        )
        replies = []
        threads = [
            threading.Thread(
                target=lambda: replies.append(sent(running.port, "GET", f"{address}/status"))
            )
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert [status for status, _ in replies] == [200] * 6
        assert len({json.dumps(body) for _, body in replies}) == 1
        assert len(opened) == 1
    finally:
        running.stop()
