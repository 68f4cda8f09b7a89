"""How well it went: numbers from what was guessed, queried and true."""

from lapwing.metrics.f1 import F1, f1
from lapwing.metrics.rounds import Summary, cumulative, summary

__all__ = ["F1", "Summary", "cumulative", "f1", "summary"]
