"""A service in a thread, on a port of its own, that can be stopped and started again."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from lapwing.service.app import service_app
from lapwing.service.operation.settings import ServiceSettings

PATIENCE = 60
"""Seconds after which a test stops waiting."""
SIX = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y"), ("y", "z"), ("z", "x")]
TRUTH = dict.fromkeys("abc", "red") | dict.fromkeys("xyz", "blue")
CSV = "\n".join(["source,target", *(",".join(edge) for edge in SIX)]).encode()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Running:
    """A server in a thread."""

    def __init__(self, folder, database=None, **more):
        self.settings = ServiceSettings(
            folder=folder, database=database, **{"rate": "100000/second", **more}
        )
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        self.app = service_app(self.settings)
        config = uvicorn.Config(
            self.app, port=self.port, log_level="critical", access_log=False,
            timeout_graceful_shutdown=5,
        )  # fmt: skip
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve()), daemon=True)
        self.thread.start()
        end = time.monotonic() + PATIENCE
        while not self.server.started:
            assert self.thread.is_alive()
            assert time.monotonic() < end
            time.sleep(0.01)
        return self

    def stop(self):
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def sent(port, method, path, body=None, **headers):
    """One request on a connection of its own: the status and the JSON."""
    content = None if body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, content, {"Content-Type": "application/json", **headers})
        reply = connection.getresponse()
        text = reply.read()
    finally:
        connection.close()
    return reply.status, json.loads(text) if text[:1] in b"{[" else text


def begun(port, **choices):
    """The address of a new session on six nodes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    body = (
        b"--x\r\nContent-Disposition: form-data; name=edges; filename=six.csv\r\n\r\n"
        + CSV
        + b"\r\n--x--\r\n"
    )
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    headers |= choices.pop("headers", {})
    connection.request("POST", "/v1/graphs", body, headers)
    graph = json.loads(connection.getresponse().read())["graph"]
    connection.close()
    choices = {"graph": graph, "name": "six", "classes": ["red", "blue"], **choices}
    more = {name: value for name, value in headers.items() if name != "Content-Type"}
    return "/v1/sessions/" + sent(port, "POST", "/v1/sessions", choices, **more)[1]["session"]


@contextmanager
def listening(port, address, last=None) -> Iterator[Iterator[dict[str, str]]]:
    """The events of a session as they are sent; a socket that is silent for long ends the test."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    connection.request("GET", f"{address}/events", headers=headers)
    reply = connection.getresponse()
    assert reply.status == 200

    def events():
        found = {}
        while line := reply.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name in ("id", "event", "data"):
                found[name] = value
            elif not line.strip() and found:
                yield found
                found = {}

    try:
        yield events()
    finally:
        connection.close()
