"""Labelling sessions: ask about nodes, record answers and predict the rest."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lapwing.active import Strategy
from lapwing.session.asking.question import Neighbor, Question
from lapwing.session.classification import classify
from lapwing.session.log.auditing.estimates import AUDIT_SHARE, audit_share
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.exchange import Verification, exported, imported, verified
from lapwing.session.log.journal import MakeStrategy
from lapwing.session.log.questions import Asked
from lapwing.session.log.state import State
from lapwing.session.log.votes import Votes
from lapwing.session.opening.merging import merge
from lapwing.session.reading.advice import Advice
from lapwing.session.reading.certificates import MeasureProof
from lapwing.session.reading.class_measures import ClassMeasures
from lapwing.session.reading.explanation import Explanation
from lapwing.session.reading.finding import Lead
from lapwing.session.reading.predictions import Prediction, Predictions
from lapwing.session.reading.readings import Answer
from lapwing.session.session import Session
from lapwing.session.store.logs import BehindError, LogStore, Record, StoreError
from lapwing.session.store.memory import MemoryStore

if TYPE_CHECKING:
    from lapwing.session.store.store import Store

__all__ = [
    "AUDIT_SHARE",
    "Advice",
    "Answer",
    "Asked",
    "BehindError",
    "MeasureProof",
    "ClassMeasures",
    "Dialogue",
    "Event",
    "Explanation",
    "Kind",
    "Lead",
    "LogStore",
    "MakeStrategy",
    "MemoryStore",
    "Neighbor",
    "Prediction",
    "Predictions",
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
    "classify",
    "exported",
    "imported",
    "merge",
    "verified",
]


def __getattr__(name: str) -> Any:
    """`Store` needs a database's packages, so it is imported when it is first asked for."""
    if name == "Store":
        return import_module("lapwing.session.store.store").Store
    raise AttributeError(f"module 'lapwing.session' has no attribute {name!r}")
