"""Proven bounds as numbers: what a theorem promises beside what happened."""

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.certify import THEOREMS, certify, tightest
from lapwing.bounds.measures import Measures
from lapwing.bounds.run import Run, recorded

__all__ = ["THEOREMS", "Certificate", "Measures", "Run", "certify", "recorded", "tightest"]
