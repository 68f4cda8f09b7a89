"""Which node to ask about next: plain functions (learner, candidates) -> node."""

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.names import NAMES, strategy
from lapwing.active.order import Strategy, chosen
from lapwing.active.uniform import Uniform

__all__ = ["NAMES", "Strategy", "Uniform", "act_mu", "act_st", "chosen", "strategy"]
