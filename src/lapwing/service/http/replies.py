"""Bodies of replies, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class ColumnReply(BaseModel):
    """A column of the node table."""

    name: str
    kind: Literal["text", "number", "category", "link", "image"]


class GraphReply(BaseModel):
    """A graph."""

    graph: str = Field(examples=["6b2f0c1d9e8a4f7b8c3d2e1f0a9b8c7d"])
    name: str = Field(examples=["friends"])
    nodes: int = Field(examples=[1797])
    edges: int = Field(examples=[8727])
    components: int = Field(examples=[1])
    columns: list[ColumnReply]
    notes: list[str]


class UploadReply(GraphReply):
    """A graph that was uploaded, and the labels that came with it."""

    labels: dict[str, str] = Field(default_factory=dict)


class GraphsReply(BaseModel):
    """The team's graphs."""

    graphs: list[GraphReply]


class SearchHit(BaseModel):
    """A node that was found."""

    node: str
    index: int
    title: str


class SearchReply(BaseModel):
    """Nodes whose name or text matches."""

    nodes: list[SearchHit]


class EdgesReply(BaseModel):
    """The edges around a node, as pairs of indices."""

    edges: list[tuple[int, int]]


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


class LeaseReply(BaseModel):
    """Who holds a question, and until when."""

    by: str
    until: str


class Chance(BaseModel):
    """A class and its probability."""

    label: str
    probability: float


class NeighborReply(BaseModel):
    """A neighbour of the node in question."""

    node: str
    index: int
    label: str | None
    answered: bool
    weight: float


class QuestionReply(BaseModel):
    """A question. On an audit it carries nothing that the learner thinks."""

    question: str
    number: int
    node: str
    index: int
    audit: bool
    second: bool = Field(description="Somebody else has answered; the guess is hidden here, too.")
    reason: str
    guess: str | None
    confidence: float | None
    top: list[Chance]
    attributes: dict[str, Any]
    neighbors: list[NeighborReply]
    neighbors_total: int
    lease: LeaseReply


class HeldReply(BaseModel):
    """A question that somebody else holds."""

    node: str
    index: int
    by: str
    until: str


class AdviceReply(BaseModel):
    """Whether to stop, and why."""

    stop: bool
    words: str


class NextReply(BaseModel):
    """Questions for a person, and what others hold."""

    questions: list[QuestionReply]
    held: list[HeldReply]
    advice: AdviceReply


class SavedReply(BaseModel):
    """An answer on disk, and the number of its event."""

    node: str
    label: str
    event: int


class WasReply(BaseModel):
    """What was guessed when the question was asked."""

    guess: str | None
    confidence: float | None
    audit: bool


class PersonCount(BaseModel):
    """A person and the number of their answers."""

    by: str
    answers: int


class AgreementReply(BaseModel):
    """Kappa over all pairs of answers to the same node."""

    kappa: float | None
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


class StatusReply(BaseModel):
    """How far a session is."""

    answers: int
    labels: int
    nodes: int
    classes: list[str]
    counts: dict[str, int]
    audits: int
    audit_errors: int
    error: float | None
    bound: float
    estimate: EstimateReply
    confidence: float
    target_error: float
    advice: AdviceReply
    answers_left: int | None
    curve: list[tuple[int, float]]
    people: list[PersonCount]
    agreement: AgreementReply
    disagreements: list[DisagreementReply]
    event: int


class LabelsReply(BaseModel):
    """Answers that are on disk. `status` is there if the request asked for it."""

    saved: list[SavedReply]
    was: WasReply | None
    status: StatusReply | None = None


class SkipReply(BaseModel):
    """The node, and the number of the event."""

    node: str
    event: int


class UndoReply(BaseModel):
    """The answer that was taken back; null if there was none."""

    node: str | None
    label: str | None
    event: int


class RenewedLease(BaseModel):
    """A lease that was extended."""

    question: str
    until: str


class LeasesReply(BaseModel):
    """The leases that this person holds now, of those asked for."""

    leases: list[RenewedLease]


class PredictionReply(BaseModel):
    """A node's label: told by people, or predicted."""

    node: str
    label: str | None
    confidence: float
    asked: bool


class PredictionsReply(BaseModel):
    """Predictions, and the number of the last event they rest on."""

    predictions: list[PredictionReply]
    event: int


class AnswerReply(BaseModel):
    """An answer that stands."""

    node: str
    index: int
    label: str
    by: str
    at: str


class AnswersReply(BaseModel):
    """Every answer that stands, in the order in which they came."""

    answers: list[AnswerReply]


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


class ProgressReply(BaseModel):
    """Work that is not finished: the share that is done, or null where that is not known."""

    progress: float | None


class NodeReply(BaseModel):
    """A node: its name, its number and what is known of it."""

    node: str
    index: int
    attributes: dict[str, Any]


class NodesReply(BaseModel):
    """Nodes by their numbers."""

    nodes: list[NodeReply]


class WithdrawReply(BaseModel):
    """The nodes whose answers were taken back."""

    nodes: list[str]
    event: int


class GoalReply(BaseModel):
    """The error below which to stop."""

    target_error: float


class RoundReply(BaseModel):
    """A guess for a system."""

    round: int
    node: str
    guess: str
    explored: bool


class FeedbackReply(BaseModel):
    """Feedback that is on disk, and the number of its event."""

    event: int


class RegretReply(BaseModel):
    """What guessing has cost a system so far."""

    rounds: int
    open: int
    mistakes: int
    explored: int
    recent: float | None
    event: int


class GrowthReply(BaseModel):
    """What was added, and the size of the graph now."""

    words: str
    nodes: int
    edges: int
    event: int


class ExplanationReply(BaseModel):
    """What a node's label rests on."""

    node: str
    label: str | None
    confidence: float
    words: str
