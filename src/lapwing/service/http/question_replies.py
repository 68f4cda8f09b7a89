"""Replies about questions and answers, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from lapwing.service.http.session_replies import AdviceReply, StatusReply


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
    blind: bool = Field(description="The guess is hidden until the question is answered.")
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


class WithdrawReply(BaseModel):
    """The nodes whose answers were taken back."""

    nodes: list[str]
    event: int


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
