"""Calls to the service: one connection, retries with the same key, errors in its own words."""

from __future__ import annotations

import http.client
import json
import random
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from lapwing.errors import InputError, LapwingError

AGAIN = (429, 502, 503, 504)
"""Statuses after which a call is sent again."""


class ServiceError(LapwingError):
    """The service refused a request; `status` and `code` say how."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class UnreachableError(ServiceError):
    """The service could not be reached in time; what is in the outbox is sent later."""


class Calls:
    """HTTP calls to one service.

    A call that got no reply is sent again, with pauses that grow, until `patience` seconds are
    over. Calls that write carry an Idempotency-Key, so that a repeat changes nothing.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = 30.0,
        person: str | None = None,
    ) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"url must begin with http:// or https://, got {url!r}")
        secure = parts.scheme == "https"
        self._kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._place = parts.hostname, parts.port or (443 if secure else 80)
        self._base = parts.path.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        if person is not None:
            self._headers["X-Lapwing-Person"] = person
        self.patience = patience
        self._connection: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return json.loads(self.raw("GET", path))

    def post(self, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """Send JSON and return the reply; `key` makes repeats harmless."""
        return json.loads(self.raw("POST", path, body, key=key))

    def raw(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> bytes:
        """Send a request, again if need be, and return the body of the reply."""
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            status, content, problem = self._once(method, path, body, key)
            if status and status not in AGAIN:
                break
            left = end - time.monotonic()
            if left <= 0:
                why = problem or f"it answered {status}"
                raise UnreachableError(status, "unreachable", f"no reply from the service: {why}")
            time.sleep(min(left, pause * random.uniform(0.5, 1.0)))
            pause = min(2 * pause, 2.0)
        if status >= 400:
            raise _error(status, content)
        return content

    def _once(
        self, method: str, path: str, body: Any, key: str | None
    ) -> tuple[int, bytes, str | None]:
        headers = dict(self._headers)
        sent = None
        if body is not None:
            sent, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            if self._connection is None:
                self._connection = self._kind(*self._place, timeout=min(self.patience, 30.0))
                self._connection.connect()
                self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection.request(method, self._base + path, sent, headers)
            reply = self._connection.getresponse()
            if reply.length is None and not reply.chunked:
                raise http.client.IncompleteRead(b"")  # the connection was cut in the head
            return reply.status, reply.read(), None
        except (OSError, http.client.HTTPException) as wrong:
            self.close()
            return 0, b"", f"{type(wrong).__name__}: {wrong}"

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _error(status: int, content: bytes) -> ServiceError:
    try:
        told = json.loads(content)["error"]
        return ServiceError(status, str(told["code"]), str(told["message"]))
    except (ValueError, KeyError, TypeError):
        return ServiceError(status, "unknown", f"the service answered {status}")
