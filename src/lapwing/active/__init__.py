"""Which node to ask about next: plain functions (learner, candidates) -> node."""

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.batches import batch
from lapwing.active.expected_error import ExpectedErrorReduction
from lapwing.active.names import NAMES, checked_name, strategy
from lapwing.active.order import Strategy, chosen
from lapwing.active.posterior import (
    ErrorBoundMinimisation,
    ModelChange,
    SigmaOptimality,
    VarianceMinimisation,
)
from lapwing.active.reach import UncertainReach
from lapwing.active.stopping import ErrorEstimate, error_estimate
from lapwing.active.uncertainty import entropy, margin
from lapwing.active.uniform import Uniform

__all__ = [
    "NAMES",
    "ErrorBoundMinimisation",
    "ErrorEstimate",
    "ExpectedErrorReduction",
    "ModelChange",
    "SigmaOptimality",
    "Strategy",
    "UncertainReach",
    "Uniform",
    "VarianceMinimisation",
    "act_mu",
    "act_st",
    "batch",
    "checked_name",
    "chosen",
    "entropy",
    "error_estimate",
    "margin",
    "strategy",
]
