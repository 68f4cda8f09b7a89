"""Replies about sessions and their predictions, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class SessionReply(BaseModel):
    """A session."""

    session: str
    name: str
    graph: str
    created: str
    choices: dict[str, Any]


class SessionsReply(BaseModel):
    """The team's sessions."""

    sessions: list[SessionReply]


class AdviceReply(BaseModel):
    """Whether to stop, and why."""

    stop: bool
    words: str


class PersonCount(BaseModel):
    """A person and the number of their answers."""

    by: str
    answers: int


class AgreementReply(BaseModel):
    """Kappa and the share of equal answers, over all pairs of answers to the same node."""

    kappa: float | None
    share: float | None
    pairs: int


class DisagreementReply(BaseModel):
    """A node that people answered differently; the label is null until it is settled."""

    node: str
    index: int
    said: dict[str, str]
    label: str | None


class EstimateReply(BaseModel):
    """The error on nodes not asked about, from the audits."""

    estimate: float
    lower: float
    upper: float
    audits: int
    confidence: float
    left: int | None
    n_nodes: int | None
    covers: str = ""


class RecallReply(BaseModel):
    """Which share of the nodes to find has been found, and how many there are in all."""

    found: int
    total: float
    fewest: int
    most: int
    audits: int
    confidence: float
    estimate: float
    lower: float
    upper: float
    hit_rate: float | None = Field(description="The share of all labelled nodes that were found.")
    estimated_hidden: float | None
    hidden_at_most: int
    positive: list[str]
    words: str


class CertifiedReply(BaseModel):
    """What a session is to certify, and how far it is."""

    measure: str
    of: str | None
    part: int | None
    what: str
    estimate: float
    bound: float
    at_most: bool = Field(description="Whether the bound is an upper one, as of an error.")
    target: float
    audits: int
    confidence: float
    words: str


class StatusReply(BaseModel):
    """How far a session is."""

    answers: int
    labels: int
    nodes: int
    classes: list[str]
    counts: dict[str, int]
    audits: int
    audit_errors: int
    error: float | None = Field(description="None in a search, which has a recall instead.")
    bound: float | None = Field(description="None in a search, which has a recall instead.")
    estimate: EstimateReply
    confidence: float
    target_error: float
    recall: RecallReply | None = None
    target_recall: float | None = None
    certified: CertifiedReply | None = None
    advice: AdviceReply
    answers_left: int | None
    curve: list[tuple[int, float]]
    people: list[PersonCount]
    agreement: AgreementReply
    disagreements: list[DisagreementReply]
    event: int


class PredictionReply(BaseModel):
    """A node's label: told by people, or predicted."""

    node: str
    label: str | None
    confidence: float
    asked: bool
    hidden: bool = Field(False, description="This person is asked about it, without a guess.")


class PredictionsReply(BaseModel):
    """Predictions, and the number of the last event they rest on."""

    predictions: list[PredictionReply]
    event: int


class TrailEntry(BaseModel):
    """Something that somebody did."""

    entry: int
    at: str
    by: str
    action: str
    target: str
    detail: dict[str, Any]


class TrailReply(BaseModel):
    """The audit trail."""

    entries: list[TrailEntry]


class GoalReply(BaseModel):
    """The error below which to stop, and the share to find."""

    target_error: float
    target_recall: float | None = None


class AuditedShareReply(BaseModel):
    """A share with a lower and an upper bound, from so many audits."""

    estimate: float
    lower: float
    upper: float
    audits: int
    confidence: float


class MeasuresReply(BaseModel):
    """How well one class is predicted on the nodes not asked about."""

    label: str
    precision: AuditedShareReply
    recall: AuditedShareReply


class CertificateReply(BaseModel):
    """What the audits prove about a measure: an upper bound of errors, a lower one of the rest."""

    measure: str
    of: str | None
    part: int | None
    estimate: float
    bound: float
    audits: int
    confidence: float


class LeadReply(BaseModel):
    """A node that was not asked about, and its probability of being positive."""

    node: str
    index: int
    probability: float


class LeadsReply(BaseModel):
    """The nodes that are likeliest to be positive, and the last event they rest on."""

    leads: list[LeadReply]
    event: int


class PartReply(BaseModel):
    """A kind of evidence and the share it contributes; a negative one speaks against the label."""

    name: str
    share: float


class FeatureReply(BaseModel):
    """A word or a column of the node, and its effect."""

    name: str
    effect: float


class EvidenceLabelReply(BaseModel):
    """A labelled node that counts, and its share."""

    node: str
    index: int
    label: str
    share: float


class EvidenceNeighborReply(BaseModel):
    """A neighbour with its label, answered or guessed."""

    node: str
    label: str | None
    answered: bool


class ExplanationReply(BaseModel):
    """What a node's label rests on, in parts and in words."""

    node: str
    label: str | None
    confidence: float
    runner_up: str | None
    parts: list[PartReply]
    labels: list[EvidenceLabelReply]
    features: list[FeatureReply]
    neighbors: list[EvidenceNeighborReply]
    note: str
    words: str


class EvidenceReply(BaseModel):
    """How much each kind of evidence counts, the largest share first."""

    parts: list[PartReply]
