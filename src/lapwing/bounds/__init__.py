"""Proven bounds as numbers, compared with what a run did."""

from lapwing.bounds.certificate import Certificate, Certificates
from lapwing.bounds.certification import THEOREMS, certify, tightest
from lapwing.bounds.games import Settings, certify_played
from lapwing.bounds.graph_measures import Measures
from lapwing.bounds.promise import promise
from lapwing.bounds.run import Run, recorded
from lapwing.bounds.theorems import yang2018

__all__ = [
    "THEOREMS",
    "Certificate",
    "Certificates",
    "Measures",
    "Run",
    "Settings",
    "certify",
    "certify_played",
    "promise",
    "recorded",
    "tightest",
    "yang2018",
]
