"""The front door: a graph, a learner and a log behind one object, nodes by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from lapwing import active
from lapwing.checks import class_names, plain_text, several, value_per_name
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.optional import need
from lapwing.session.asking.answerable import AnswerableSession
from lapwing.session.asking.view import as_recorded, card_columns, check_table, latest_view, view_of
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.growth import Growth
from lapwing.session.opening.former import FormerSession
from lapwing.session.opening.gained import first_graph, grown_by, record_on, refuse_gained
from lapwing.session.opening.goals import (
    certified_header,
    goal_header,
    target_header,
    with_positive,
)
from lapwing.session.opening.parts import (
    check_columns,
    check_said,
    check_settings,
    checked_labels,
    parts,
    priced,
    usual_header,
    usual_name,
    with_columns,
)
from lapwing.session.opening.places import check_names, graph_of, store_of
from lapwing.session.reading.readings import teach
from lapwing.session.store.logs import LogStore, Record


class Session(FormerSession, AnswerableSession):
    """Ask about nodes, take in the answers, predict the rest.

    Without a `store` the session lives in memory and needs nothing but the core install. With a
    `store` (a file, or a database's address like ``postgresql://...``) every answer is on disk
    before `tell` returns, and the same line of code resumes the session. Nodes are named as in the
    graph's file.

    Parameters
    ----------
    graph
        The graph; where `lapwing.read_graph` found it is recorded, for `Session.open`.
    classes
        Names of classes; more are added as they are told.
    name
        The session's name, by default that of the graph's file. Two graphs may have sessions of
        the same name.
    store
        Where the log is kept; None: in memory.
    labels
        Labels known beforehand, by node name: they train the learner but do not count as audits.
    learner, parameters
        A learner of the catalog and its parameters.
    strategy
        How the next node is chosen (`lapwing.active.NAMES`); to find, while nothing is found yet.
    goal, positive
        ``goal="find"`` asks for as many nodes of the classes `positive` as possible
        (`lapwing.active.ActiveSearch`); the audits measure how many are still hidden.
    target_error, target_recall
        The error to stay below, or the share to find: audits are planned for it. None: a share.
    certify
        What to prove instead: ``"recall:fraud>=0.9"``, ``"macro-f1>=0.8"``, ``"class-error<0.2"``,
        with ``@column=value`` for a part; or a mapping: `measure`, `of`, `target`, `part`.
    cost, forbidden
        What a question about a node costs, by name (1 where not named, `inf` is never asked), and
        nodes that are never asked.
    audit_share
        The share of questions drawn at random to measure the error; 0 for none.
    twice
        The share of questions put to two people, to measure how well they agree.
    second_looks
        Whether answers that look wrong are asked about again, unseen, from 40 answers on. Second
        looks also tell how many answers are wrong; the probabilities then allow for that.
    seed
        Seed of the random number generator.
    by
        Who answers, unless a call says otherwise.
    show
        Columns of the node table that cards show; by default the first few. They are recorded with
        the table's file, so that `Session.open` shows them again.
    background
        Whether eigenvectors are made in the background, so that nobody waits. Until they are there
        the learner goes by neighbours only; the log records from when on it uses them.

    Examples
    --------
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
    >>> session = Session(graph, classes=["red", "blue"], audit_share=0.0)
    >>> question = session.ask()
    >>> question.node, question.reason
    ('c', 'first look at a region of 5 nodes without labels')
    >>> session.tell(question.node, "red")
    >>> session.tell({"a": "red", "x": "blue"})
    >>> session.predict(["b", "y"])
    ['red', 'blue']
    >>> session.labels()
    {'c': 'red', 'a': 'red', 'x': 'blue'}
    """

    def __init__(  # noqa: PLR0913 - every choice that makes a session has a name of its own
        self,
        graph: Graph,
        classes: Sequence[str | int] = (),
        *,
        name: str | None = None,
        store: str | Path | LogStore | None = None,
        labels: Mapping[Any, Any] | Labels | None = None,
        learner: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        strategy: str | None = None,
        goal: str | None = None,
        positive: str | Sequence[str | int] | None = None,
        target_error: float | None = None,
        target_recall: float | None = None,
        certify: str | Mapping[str, Any] | None = None,
        cost: Mapping[Any, Any] | None = None,
        forbidden: Iterable[Any] | None = None,
        audit_share: float | None = None,
        twice: float | None = None,
        second_looks: bool | None = None,
        seed: int | None = None,
        by: str = "me",
        show: Sequence[str] = (),
        background: bool = False,
    ) -> None:
        if not isinstance(graph, Graph):
            raise InputError(f"a session is about a Graph, got {graph!r:.80}")
        classes = class_names(several("classes", classes))
        labels = checked_labels(labels)
        cost = None if cost is None else value_per_name("cost", cost)
        forbidden = None if forbidden is None else several("forbidden", forbidden)
        check_settings(audit_share, twice, second_looks, learner, seed)
        given = {
            "learner": learner,
            "parameters": None if parameters is None else dict(parameters),
            "strategy": None if strategy is None else active.checked_name(strategy),
            "audit_share": audit_share,
            "target_error": target_error,
            "twice": twice,
            "second_looks": second_looks,
            "seed": seed,
            **goal_header(goal, positive),
            **certified_header(graph, certify, goal, audit_share),
            **priced(graph, cost, forbidden),
        }
        target = target_header(target_error, goal, recall=target_recall, certified=bool(certify))
        card_columns(graph.node_table, show)
        self._begin(store, by)
        chosen = name if name is not None else usual_name(graph)
        said = {key: value for key, value in given.items() if value is not None}
        recorded = record_on(self.store, chosen, graph)
        if recorded is not None:
            self._resume(recorded, graph, said, classes)
        else:
            refuse_gained(self.store, chosen, graph)
            said |= target | ({"background": True} if background else {})
            header = usual_header(graph) | said
            header["parameters"] = with_columns(header, graph)
            classes = with_positive(classes, header)
            check_columns(header, graph, labels)
            self.dialogue = Dialogue.create(
                self.store, chosen, graph, classes=classes, header=header, **parts(header, graph)
            )  # fmt: skip
        view = view_of(graph, show)
        if view:
            self.dialogue.show({**self.dialogue.state.view, **view}, by)
        if labels is not None:
            teach(self.dialogue, labels, by)

    def _begin(self, store: str | Path | LogStore | None, by: str) -> None:
        self.by = plain_text("by", by)
        self.store, self._owned = store_of(store), not isinstance(store, LogStore)

    def _resume(
        self,
        record: Record,
        graph: Graph,
        said: Mapping[str, Any],
        classes: Sequence[str] = (),
    ) -> None:
        """Open what is recorded; what was said now must be what was said then."""
        view, near = latest_view(self.store.events(record)), self._folders(record.header, graph)
        first = as_recorded(first_graph(self.store, record, graph), view, near=near)
        check_names(record.name, record.header, first)
        check_said(record.name, record.header, said)
        check_table(record.name, record.header, first)
        self.dialogue = Dialogue(self.store, record, first, **parts(record.header, first))
        if graph.node_table and graph.hash == self.graph.hash:
            self.dialogue.graph = graph
        self.dialogue.graph = as_recorded(self.graph, view, near=near)
        for label in classes:
            if label not in self.dialogue.classes:
                self.dialogue.add_class(label, self.by)

    @classmethod
    def open(
        cls,
        store: str | Path | LogStore,
        name: str,
        *,
        graph: Graph | None = None,
        by: str = "me",
    ) -> Self:
        """A session that exists, from what is recorded: learner, strategy, and the graph's place.

        Give `graph` where the file is not where it was (it is also looked for beside the
        database); it must be the same graph.

        Examples
        --------
        >>> from lapwing.session.store.memory import MemoryStore
        >>> store, graph = MemoryStore(), Graph.from_edges([("a", "b"), ("b", "c")])
        >>> Session(graph, name="pages", store=store).tell("a", "red")
        >>> Session.open(store, "pages", graph=graph).labels()
        {'a': 'red'}
        """
        held = store_of(store)
        on = None if graph is None else record_on(held, name, graph)
        record = on or held.record(name, graph=None if graph is None else graph.hash)
        session = cls.__new__(cls)
        session._begin(held, by)
        session._owned = not isinstance(store, LogStore)
        found = graph if graph is not None else graph_of(record.header, name, near=held.file)
        session._resume(record, found, {})
        return session

    def grow(
        self,
        edges: Any = None,
        nodes: Any = None,
        *,
        weights: Any = None,
        remove: Any = None,
        graph: Graph | None = None,
        by: str | None = None,
    ) -> Growth:
        """Add nodes and edges, by name, and keep every answer; return what was added.

        The growth is written to the log before it takes effect. The learner follows, new nodes are
        predicted and asked about at once, and the error bound covers them (`error_estimate`).

        Parameters
        ----------
        edges, weights
            Edges as in `Graph.with_edges`: unknown names become new nodes, and the weight of an
            edge that exists is added to it.
        nodes
            Names of new nodes, with or without edges; or a table that names them and describes
            them by columns of the graph's node table (a CSV or Parquet file as a `Path`, a pandas,
            polars or Arrow table, or a mapping). Other columns, and rows of nodes that are there,
            are left out.
        remove
            Edges to remove.
        graph
            The whole grown graph instead, which has all nodes of this one; their order may differ.
        by
            Who adds them.

        Examples
        --------
        >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]))
        >>> session.tell("a", "red")
        >>> print(session.grow(edges=[("c", "d")], nodes=["e"]))
        2 nodes added; 1 edge added
        >>> session.predict(["d", "e"])
        ['red', None]
        """
        grown = grown_by(self.graph, edges, nodes, weights=weights, remove=remove, whole=graph)
        return self.dialogue.grow(grown, self.by if by is None else by)

    def widget(self, *, target_error: float | None = None, height: int = 640) -> Any:
        """The studio in a notebook's cell: questions, keys and map (extra ``notebook``)."""
        made = need("lapwing.studio.widget", extra="notebook")
        return made.studio_widget(self, target_error=target_error, height=height)

    def close(self) -> None:
        """Let go of the database, if this session opened it."""
        if self._owned:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _folders(self, header: Mapping[str, Any], graph: Graph) -> list[Path]:
        """Where files may be that have moved: beside the graph, or beside the database."""
        places = [(graph.read_from or {}).get("graph"), header.get("graph"), self.store.file]
        return [Path(str(place)).parent for place in places if place is not None]
