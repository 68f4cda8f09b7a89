"""Online learners, one algorithm a file."""

from lapwing.online.ollgc import OLLGC
from lapwing.online.one_vs_rest import OneVsRest

__all__ = ["OLLGC", "OneVsRest"]
