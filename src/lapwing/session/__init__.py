"""A learner and an append-only log of what it was told: state is the log, replayed."""

from lapwing.session.log.audits import AUDIT_SHARE, audit_share
from lapwing.session.log.dialogue import MakeStrategy, Session
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.exchange import Verification, exported, imported, verified
from lapwing.session.log.state import State
from lapwing.session.log.votes import Votes
from lapwing.session.question import Question
from lapwing.session.store.store import BehindError, Record, Store, StoreError

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
