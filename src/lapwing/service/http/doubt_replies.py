"""Replies about doubts: answers that look wrong, and what people mix up."""

from __future__ import annotations

from pydantic import BaseModel


class OddAnswerReply(BaseModel):
    """An answer that the others speak against: how likely it is wrong, and what is likelier."""

    node: str
    label: str
    likelier: str
    wrong: float
    by: list[str]


class OddAnswersReply(BaseModel):
    """The answers that look wrong, and the last event that this rests on."""

    odd: list[OddAnswerReply]
    event: int


class PersonReply(BaseModel):
    """How often a person is right; `said[j][k]`: how often they say class k where j is right."""

    by: str
    answers: int
    right: float
    classes: list[str]
    said: list[list[float]]


class PeopleReply(BaseModel):
    """How often each person is right, and the last event that this rests on."""

    people: list[PersonReply]
    event: int
