"""A learner and an append-only log of what it was told: state is the log, replayed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lapwing.session.log.audits import AUDIT_SHARE, audit_share
from lapwing.session.log.choosing import Strategy
from lapwing.session.log.dialogue import Dialogue, MakeStrategy
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.exchange import Verification, exported, imported, verified
from lapwing.session.log.state import State
from lapwing.session.log.votes import Votes
from lapwing.session.question import Question
from lapwing.session.store.logs import BehindError, LogStore, Record, StoreError
from lapwing.session.store.memory import MemoryStore

if TYPE_CHECKING:
    from lapwing.session.store.store import Store

Session = Dialogue

__all__ = [
    "AUDIT_SHARE",
    "BehindError",
    "Dialogue",
    "Event",
    "Kind",
    "LogStore",
    "MakeStrategy",
    "MemoryStore",
    "Question",
    "Record",
    "Session",
    "State",
    "Store",
    "StoreError",
    "Strategy",
    "Verification",
    "Votes",
    "audit_share",
    "exported",
    "imported",
    "verified",
]


def __getattr__(name: str) -> Any:
    """`Store` needs a database's packages, so it is imported when it is first asked for."""
    if name == "Store":
        return import_module("lapwing.session.store.store").Store
    raise AttributeError(f"module 'lapwing.session' has no attribute {name!r}")
