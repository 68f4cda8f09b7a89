"""The catalog of all algorithms by name."""

from lapwing.catalog.entries import DEFAULT, ENTRIES, FOR_SESSIONS
from lapwing.catalog.entry import AlgorithmKind, Entry, Model
from lapwing.catalog.experiment import Experiment
from lapwing.catalog.make import make
from lapwing.catalog.protocols import PROTOCOLS, Protocol, protocol
from lapwing.deprecation import former_names

__all__ = [
    "AlgorithmKind",
    "DEFAULT",
    "ENTRIES",
    "Entry",
    "Experiment",
    "FOR_SESSIONS",
    "Model",
    "PROTOCOLS",
    "Protocol",
    "make",
    "protocol",
]

__getattr__ = former_names("lapwing.catalog", {"Kind": "AlgorithmKind"})
