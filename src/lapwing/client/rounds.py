"""A session of the service whose teacher is a system: guess now, feedback later."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from lapwing.client.link import Link
from lapwing.session.asking.rounds import Regret


class Rounds(Link):
    """Rounds on a server, for a program that hears later whether a guess was right.

    Feedback is kept in the outbox until the server has acknowledged it, so that neither a crash of
    this program nor one of the server loses it. The parameters are those of `Session`.
    """

    def guess(self, node: Any) -> dict[str, Any]:
        """Guess a node's class and open a round: ``round``, ``node``, ``guess``, ``explored``."""
        self.flush()
        body = {"node": str(node)}
        return dict(self._calls.post(f"{self._place}/predict", body, key=str(uuid4())))

    def feedback(self, round: int, correct: bool) -> None:
        """Say whether the guess of a round was right; once per round, in any order, or never."""
        self._posted("feedback", {"round": round, "correct": correct})

    def regret(self) -> Regret:
        """What guessing has cost so far: rounds, mistakes, guesses made to explore."""
        told = self._calls.get(f"{self._place}/rounds")
        told.pop("event")
        return Regret(**told)
