"""Strategies that choose the next node to ask about: (learner, candidates) -> node."""

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.active_phase import chosen
from lapwing.active.audits.bets import AuditPlan, aimed_draw, audit_plan
from lapwing.active.audits.proof import StakedAudit, log_wealth, staked_estimate
from lapwing.active.batches import batch
from lapwing.active.contracts import CanAvoidHubs, CanChooseSeveral, CanFollowLabels, Strategy
from lapwing.active.expected_error import ExpectedErrorReduction
from lapwing.active.find.fading import hits_to_come
from lapwing.active.find.recall import AuditDraw, RecallEstimate, recall_estimate
from lapwing.active.find.search import ActiveSearch
from lapwing.active.posterior import (
    ErrorBoundMinimisation,
    ModelChange,
    SigmaOptimality,
    VarianceMinimisation,
)
from lapwing.active.reach.uncertain_reach import UncertainReach
from lapwing.active.representative import Representative
from lapwing.active.stopping import ErrorEstimate, error_estimate
from lapwing.active.strategies import NAMES, checked_name, strategy
from lapwing.active.suspicion import Suspicion, suspicion, without_wrong_answers
from lapwing.active.uncertainty import entropy, margin
from lapwing.active.uniform import Uniform

__all__ = [
    "NAMES",
    "ActiveSearch",
    "AuditDraw",
    "AuditPlan",
    "CanAvoidHubs",
    "CanChooseSeveral",
    "CanFollowLabels",
    "ErrorBoundMinimisation",
    "ErrorEstimate",
    "ExpectedErrorReduction",
    "ModelChange",
    "RecallEstimate",
    "Representative",
    "SigmaOptimality",
    "StakedAudit",
    "Strategy",
    "Suspicion",
    "UncertainReach",
    "Uniform",
    "VarianceMinimisation",
    "act_mu",
    "act_st",
    "aimed_draw",
    "audit_plan",
    "batch",
    "checked_name",
    "chosen",
    "entropy",
    "error_estimate",
    "hits_to_come",
    "log_wealth",
    "margin",
    "recall_estimate",
    "staked_estimate",
    "strategy",
    "suspicion",
    "without_wrong_answers",
]
