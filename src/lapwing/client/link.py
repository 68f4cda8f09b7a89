"""One session of the service: calls to it, and the outbox for what is to be recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from lapwing.client.calls import Calls, ServiceError, UnreachableError
from lapwing.client.outbox import Outbox
from lapwing.errors import InputError, UnknownNodeError


class Link:
    """What the clients of people and of systems have in common."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        session: str | None = None,
        *,
        outbox: str | Path | None = None,
        patience: float = 30.0,
        person: str | None = None,
    ) -> None:
        self._calls = Calls(url, token, patience=patience, person=person)
        self.by = person or "me"
        self._told = self._found(session)
        self._place = f"/v1/sessions/{self._told['session']}"
        self._outbox = Outbox(outbox)
        self.flush()

    def _found(self, session: str | None) -> dict[str, Any]:
        everything = self._calls.get("/v1/sessions")["sessions"]
        fitting = [each for each in everything if session in (None, each["session"], each["name"])]
        if len(fitting) == 1:
            return dict(fitting[0])
        known = ", ".join(f"{each['name']} ({each['session']})" for each in everything) or "none"
        raise InputError(f"session must name one session, got {session!r}; there are {known}")

    @property
    def name(self) -> str:
        """The session's name."""
        return str(self._told["name"])

    @property
    def id(self) -> str:
        """The session's id."""
        return str(self._told["session"])

    @property
    def waiting(self) -> int:
        """The number of requests in the outbox."""
        return len(self._outbox.waiting)

    def flush(self) -> int:
        """Send what is in the outbox, in order, and return the number of requests sent."""
        sent = 0
        while self._outbox.waiting:
            self._send_first()
            sent += 1
        return sent

    def _posted(self, action: str, body: dict[str, Any]) -> Any:
        """Put a request into the outbox and send all that wait; the last reply."""
        self._outbox.added(f"{self._place}/{action}", body)
        reply = None
        while self._outbox.waiting:
            reply = self._send_first()
        return reply

    def _send_first(self) -> Any:
        letter = self._outbox.waiting[0]
        try:
            reply = self._calls.post(letter.path, letter.body, key=letter.key)
        except UnreachableError:
            raise
        except ServiceError as refused:
            if refused.status not in (401, 403):
                self._outbox.done(letter)
            if refused.code == "unknown_node":
                raise UnknownNodeError(str(refused)) from None
            raise
        self._outbox.done(letter)
        return reply

    def close(self) -> None:
        """Close the connection and the outbox; what waits stays in its file."""
        self._calls.close()
        self._outbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.waiting} waiting)"
