"""Adapters that connect lapwing's models and graphs with other libraries."""

from lapwing.compat.networkx import from_networkx, to_networkx
from lapwing.compat.pyg import Masked, from_pyg, to_pyg
from lapwing.compat.river import RiverClassifier
from lapwing.compat.sklearn import NodeClassifier

__all__ = [
    "Masked",
    "NodeClassifier",
    "RiverClassifier",
    "from_networkx",
    "from_pyg",
    "to_networkx",
    "to_pyg",
]
