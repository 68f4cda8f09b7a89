"""What can go wrong, as codes and sentences that reveal nothing of the inside."""

from __future__ import annotations

from typing import Any

from lapwing.errors import InputError, LapwingError, ReadError, UnknownNodeError
from lapwing.session import StoreError


class Refusal(LapwingError):
    """A request that is answered with an error: a status, a code for programs and a sentence.

    Examples
    --------
    >>> Refusal(404, "unknown_session", "there is no session with this id").body()
    {'error': {'code': 'unknown_session', 'message': 'there is no session with this id'}}
    """

    def __init__(self, status: int, code: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def body(self) -> dict[str, Any]:
        """Return the reply."""
        return {"error": {"code": self.code, "message": self.message}}


def refusal_of(problem: Exception) -> Refusal:
    """Return what a client is told about an error.

    Examples
    --------
    >>> refusal_of(UnknownNodeError("no node is named 'x'")).code
    'unknown_node'
    >>> refusal_of(ZeroDivisionError("secret")).message
    'the service could not do this; the log has the details'
    """
    if isinstance(problem, Refusal):
        return problem
    words = " ".join(str(problem).split())
    if isinstance(problem, StoreError):
        return Refusal(503, "store_unavailable",
                       "the database cannot be reached or written now; nothing was recorded, try "
                       "again", Retry_After="1")  # fmt: skip
    if isinstance(problem, UnknownNodeError):
        return Refusal(404, "unknown_node", words)
    if isinstance(problem, ReadError):
        return Refusal(422, "unreadable", words)
    if isinstance(problem, InputError):
        return Refusal(422, "invalid", words)
    if isinstance(problem, LapwingError):
        return Refusal(422, "impossible", words)
    if isinstance(problem, MemoryError):
        return Refusal(503, "no_memory", "there is not enough memory for this now",
                       Retry_After="5")  # fmt: skip
    return Refusal(500, "internal", "the service could not do this; the log has the details")


def no_session() -> Refusal:
    """Return the same reply for a session that does not exist and for another team's."""
    return Refusal(404, "unknown_session", "there is no session with this id")


def no_graph() -> Refusal:
    """Return the same reply for a graph that does not exist and for another team's."""
    return Refusal(404, "unknown_graph", "there is no graph with this id")
