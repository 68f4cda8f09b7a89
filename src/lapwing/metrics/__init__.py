"""How well it went: numbers from what was guessed, queried and true."""

from lapwing.metrics.f1 import F1, f1
from lapwing.metrics.rounds import MEASURES, Summary, cumulative, spread, summary

__all__ = ["F1", "MEASURES", "Summary", "cumulative", "f1", "spread", "summary"]
