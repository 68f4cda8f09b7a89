"""How well it went: numbers from what was guessed, queried and true."""

from lapwing.metrics.rounds import Summary, cumulative, summary

__all__ = ["Summary", "cumulative", "summary"]
