"""Proven bounds as numbers: what a theorem promises beside what happened."""

from lapwing.bounds import yang2018
from lapwing.bounds.certificate import Certificate, Certificates
from lapwing.bounds.certify import THEOREMS, certify, tightest
from lapwing.bounds.games import Settings, certify_played
from lapwing.bounds.measures import Measures
from lapwing.bounds.promise import promise
from lapwing.bounds.run import Run, recorded

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
