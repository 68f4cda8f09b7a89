"""The round loop: a game between a learner and a teacher."""

from lapwing.play.game import Game, Round, play
from lapwing.play.orders import Adversary, given, shuffled
from lapwing.play.teachers import Teacher

__all__ = ["Adversary", "Game", "Round", "Teacher", "given", "play", "shuffled"]
