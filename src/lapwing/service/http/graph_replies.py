"""Replies about graphs, as the OpenAPI document shows them."""

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
    truth: bool = Field(default=False, description="The true classes are known.")


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


class GrowthReply(BaseModel):
    """What was added, and the size of the graph now."""

    words: str
    nodes: int
    edges: int
    event: int


class GrownGraphReply(GraphReply):
    """The grown graph, what was added, and the sessions that follow."""

    words: str
    sessions: list[str]
