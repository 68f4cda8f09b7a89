"""The round loop: a game between a learner and a teacher."""

from lapwing.io.tables import write_table
from lapwing.play.arrivals import Arrival, Foretold, arrivals, play_arrivals
from lapwing.play.game import Game, Round, play
from lapwing.play.orders import Adversary, given, shuffled
from lapwing.play.teachers import Teacher
from lapwing.play.tuning import Tuning, tuned

__all__ = [
    "Adversary",
    "Arrival",
    "Foretold",
    "Game",
    "Round",
    "Teacher",
    "Tuning",
    "arrivals",
    "given",
    "play",
    "play_arrivals",
    "shuffled",
    "tuned",
    "write_table",
]
