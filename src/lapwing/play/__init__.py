"""The round loop: a game between a learner and a teacher."""

from lapwing.io.tables import write_table
from lapwing.play.arrivals import Arrival, Stream, arrivals
from lapwing.play.following import Following, Foretold, StreamSummary
from lapwing.play.game import Game, Round, play
from lapwing.play.orders import Adversary, given, shuffled
from lapwing.play.stream_file import read_stream
from lapwing.play.teachers import Teacher
from lapwing.play.tuning import Tuning, tuned

__all__ = [
    "Adversary",
    "Arrival",
    "Following",
    "Foretold",
    "Game",
    "Round",
    "Stream",
    "StreamSummary",
    "Teacher",
    "Tuning",
    "arrivals",
    "given",
    "play",
    "read_stream",
    "shuffled",
    "tuned",
    "write_table",
]
