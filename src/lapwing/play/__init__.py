"""The round loop: a game between a learner and a teacher."""

from lapwing.io.tables import write_table
from lapwing.play.game import Game, Round, play
from lapwing.play.orders import Adversary, given, shuffled
from lapwing.play.teachers import Teacher
from lapwing.play.tuning import Tuning, tuned

__all__ = [
    "Adversary",
    "Game",
    "Round",
    "Teacher",
    "Tuning",
    "given",
    "play",
    "shuffled",
    "tuned",
    "write_table",
]
