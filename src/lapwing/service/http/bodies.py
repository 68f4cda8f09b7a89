"""Bodies of requests, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
NodeName = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Body(BaseModel):
    """A body of a request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SessionBody(Body):
    """A session to create."""

    graph: Text
    name: Text = "session"
    classes: list[Text] = Field(default_factory=list, max_length=10_000)
    labels: dict[NodeName, Text] = Field(default_factory=dict)
    learner: Text | None = None
    strategy: Text | None = None
    use: list[Text] | None = Field(
        None, max_length=10_000, description="Columns to learn from; guessed if not given."
    )
    seed: int | None = Field(None, ge=0, lt=2**63)
    audit_share: float | None = Field(None, ge=0, le=1)
    target_error: float = Field(0.1, gt=0, lt=1)
    goal: Literal["label", "find"] | None = Field(
        None, description="Predictions with few errors, or as many positive nodes as possible."
    )
    positive: list[Text] | None = Field(
        None, min_length=1, max_length=1000, description="Classes to find."
    )
    target_recall: float | None = Field(
        None, gt=0, le=1, description="The share to find before stopping."
    )
    certify: Annotated[str, StringConstraints(min_length=1, max_length=300)] | None = Field(
        None, description="What to prove instead of the error, such as recall:fraud>=0.9."
    )
    teacher: Literal["people", "system"] = Field(
        "people", description="Who teaches: people, or a system that says yes or no."
    )
    twice: float = Field(0.0, ge=0, le=1, description="Share of questions put to two people.")
    second_looks: bool = Field(
        False, description="Ask again, unseen, about answers that look wrong."
    )
    costs: dict[NodeName, Annotated[float, Field(gt=0, allow_inf_nan=False)]] = Field(
        default_factory=dict, description="What a question about a node costs; 1 where not named."
    )
    cost_column: Text | None = Field(
        None, description="A column of the node table that holds these costs instead."
    )
    forbidden: list[NodeName] = Field(
        default_factory=list, max_length=1_000_000, description="Nodes that are never asked about."
    )


class AnswerBody(Body):
    """One answer."""

    node: NodeName = Field(examples=["ada"])
    label: Text = Field(examples=["red"])
    question: str | None = Field(None, max_length=40)


class AnswersBody(Body):
    """Answers: all are recorded, or none."""

    answers: list[AnswerBody] = Field(min_length=1, max_length=10_000)
    known: bool = Field(False, description="They teach, but count as no audits.")


class SkipBody(Body):
    """A node not to ask this person about again."""

    node: NodeName
    unsure: bool = False


class LeasesBody(Body):
    """Questions to keep a while longer."""

    questions: list[Annotated[str, StringConstraints(pattern="^[0-9]{1,18}$")]] = Field(
        min_length=1, max_length=1000
    )


class NodeBody(Body):
    """A node to be asked about."""

    node: NodeName
    blind: bool = Field(False, description="Hide the guess until it is answered.")


class NodesBody(Body):
    """Nodes whose answers are taken back."""

    nodes: list[NodeName] = Field(min_length=1, max_length=10_000)


class GoalBody(Body):
    """The error below which to stop, or the share to find."""

    target_error: float | None = Field(None, gt=0, lt=1)
    target_recall: float | None = Field(None, gt=0, le=1)


class FeedbackBody(Body):
    """Whether the guess of a round, or of a question, was right."""

    round: int | None = Field(None, ge=1, lt=2**31)
    question: Annotated[str, StringConstraints(pattern="^[0-9]{1,15}$")] | None = None
    correct: bool


class GrowthBody(Body):
    """Nodes and edges to add, by name; unknown names become nodes."""

    edges: list[tuple[NodeName, NodeName]] = Field(default_factory=list, max_length=100_000)
    weights: list[Annotated[float, Field(gt=0, le=1e100)]] = Field(
        default_factory=list, max_length=100_000
    )
    nodes: list[NodeName] = Field(default_factory=list, max_length=100_000)


class GraphGrowthBody(GrowthBody):
    """Nodes and edges to add to a graph, or another graph to add, and the sessions that follow."""

    added: Text | None = Field(
        None,
        description="Id of a graph whose nodes, edges, weights and node columns are added; "
        "instead of edges and nodes.",
    )

    sessions: list[Text] | None = Field(
        None, max_length=1000, description="Ids of sessions; without it all of this graph's."
    )
