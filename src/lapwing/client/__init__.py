"""A session of the service, used like `lapwing.Session`; answers survive a crash of the client."""

from lapwing.client.calls import ServiceError, UnreachableError
from lapwing.client.outbox import Outbox
from lapwing.client.rounds import Rounds
from lapwing.client.session import Session

__all__ = ["Outbox", "Rounds", "ServiceError", "Session", "UnreachableError"]
