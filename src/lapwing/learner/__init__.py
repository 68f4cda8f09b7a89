"""The contracts of learners and classifiers.

Reading (`scores`, `predict`, `predict_proba`, `margin`, `queries`) never changes a model. A round
of online learning ends with exactly one `learn`, whose label is ``None`` when none was given.
"""

from lapwing.learner.bandit import BanditLearner, Feedback, longer_feedback, no_feedback
from lapwing.learner.capabilities import (
    CanChangeEdges,
    CanMakeRoom,
    CanPostpone,
    CanSave,
    CanTellTime,
    CanUpdateAlways,
    CanWithdraw,
    HasBinaryLearners,
    HasKernel,
    HasRows,
    WrapsLearner,
)
from lapwing.learner.decisions import (
    decided,
    probabilities,
    shares,
    softmax,
    top_classes,
    within_reach,
)
from lapwing.learner.described import Described
from lapwing.learner.evidence import (
    CanExplain,
    ComparesNodes,
    Evidence,
    JudgesNeighbours,
    evidence_words,
)
from lapwing.learner.growth import CanGrow, GrowsWithRows, HowItGrows, MayGrow
from lapwing.learner.online import BinaryLearner, Learner
from lapwing.learner.predictor import Classifier, Predictor
from lapwing.learner.slips import NO_SLIPS, CanDoubt, Slips, said_chances, slip_after
from lapwing.learner.traces import BinaryTrace, Trace

__all__ = [
    "NO_SLIPS",
    "BanditLearner",
    "BinaryLearner",
    "BinaryTrace",
    "CanChangeEdges",
    "CanDoubt",
    "CanExplain",
    "CanGrow",
    "CanMakeRoom",
    "CanPostpone",
    "CanSave",
    "CanTellTime",
    "CanUpdateAlways",
    "CanWithdraw",
    "Classifier",
    "ComparesNodes",
    "Described",
    "Evidence",
    "Feedback",
    "GrowsWithRows",
    "HasBinaryLearners",
    "HasKernel",
    "HasRows",
    "HowItGrows",
    "JudgesNeighbours",
    "Learner",
    "MayGrow",
    "Predictor",
    "Slips",
    "Trace",
    "WrapsLearner",
    "decided",
    "evidence_words",
    "longer_feedback",
    "no_feedback",
    "probabilities",
    "said_chances",
    "shares",
    "slip_after",
    "softmax",
    "top_classes",
    "within_reach",
]
