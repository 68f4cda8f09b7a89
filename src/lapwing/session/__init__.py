"""A learner and an append-only log of what it was told: state is the log, replayed."""

from lapwing.session.audits import AUDIT_SHARE, audit_share
from lapwing.session.events import Event, Kind
from lapwing.session.exchange import Verification, exported, imported, verified
from lapwing.session.question import Question
from lapwing.session.session import MakeStrategy, Session
from lapwing.session.state import State
from lapwing.session.store.store import BehindError, Record, Store, StoreError
from lapwing.session.votes import Votes

__all__ = [
    "AUDIT_SHARE",
    "BehindError",
    "Event",
    "Kind",
    "MakeStrategy",
    "Question",
    "Record",
    "Session",
    "State",
    "Store",
    "StoreError",
    "Verification",
    "Votes",
    "audit_share",
    "exported",
    "imported",
    "verified",
]
