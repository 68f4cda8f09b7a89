"""Other graphs: many classes, long texts, no attributes, PubMed, a million nodes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from bench.studio_states.opened import Studio
from lapwing import data
from lapwing.graph import Graph
from lapwing.service.operation.settings import ServiceSettings
from lapwing.studio.hosting import Wish, hosted_session

KINDS = ["Case Based", "Genetic Algorithms", "Neural Networks", "Probabilistic Methods",
         "Reinforcement Learning", "Rule Learning", "Theory", "Databases", "Operating Systems",
         "Graphics and Vision", "Robotics", "Information Retrieval"]  # fmt: skip


def blocks(kinds: int, each: int, name: str) -> tuple[dict[str, int], str]:
    """The group of every node, and an edge list in which nine in ten edges stay in their group."""
    draw = np.random.default_rng(1)
    group = {f"{name}{i}": i // each for i in range(kinds * each)}
    names = list(group)
    lines = []
    for i, node in enumerate(names):
        near = i // each * each + draw.integers(each, size=3)
        far = draw.integers(len(names), size=3)
        lines += [f"{node},{names[j]}" for j in np.where(draw.random(3) < 0.1, far, near) if j != i]
    return group, "\n".join(lines) + "\n"


def classes(studio: Studio) -> None:
    for kinds, name in (
        (KINDS, "many-classes"),
        ([f"category {k:02d}" for k in range(40)], "forty"),
    ):
        group, edges = blocks(len(kinds), 25, "page ")
        page = studio.page()
        session = studio.server.session(studio.uploaded(page, name, edges), kinds, name=name)
        studio.told(session, 3 * len(kinds), {node: kinds[k] for node, k in group.items()})
        studio.opened(page, session)
        studio.shot(page, name)
        if len(kinds) > len(KINDS):
            page.keyboard.press("f")
            page.keyboard.type("y 3")
            page.wait_for_timeout(400)
            studio.shot(page, "forty-filtered")


def texts(studio: Studio) -> None:
    """Long texts, no attributes, no classes, nothing left to ask, and a search for one class."""
    kinds = ["graphs", "people", "machines"]
    group, edges = blocks(3, 30, "paper-")
    right = {node: kinds[k] for node, k in group.items()}
    long = "Nodes that people label in a graph are rarely described by one number. " * 14
    title = "A study of the labelling of large graphs by people and machines with particular regard"
    rows = "".join(f'{node},"{title} to the choice of questions, part {i}","{long}",'
                   f"https://example.org/{node},{1990 + i % 30}\n"
                   for i, node in enumerate(group))  # fmt: skip
    page = studio.page()
    told = studio.uploaded(page, "papers", edges, f"node,title,abstract,url,year\n{rows}")
    plain = studio.uploaded(page, "plain", edges)
    tiny = studio.uploaded(page, "tiny", "a,b\nb,c\n")
    find = {"goal": "find", "positive": ["people"], "target_recall": 0.9}
    states: list[tuple[str, str, list[str], int, dict[str, Any]]] = [
        ("long-text", told, kinds, 9, {}), ("no-attributes", plain, kinds, 8, {}),
        ("no-classes", plain, [], 0, {}), ("find", plain, kinds, 14, find),
    ]  # fmt: skip
    for name, graph, named, answers, choices in states:
        session = studio.server.session(graph, named, name=name, **choices)
        studio.told(session, answers, right)
        studio.opened(page, session)
        studio.shot(page, name)
        if name == "long-text":
            page.click("text=Columns")
            page.wait_for_timeout(400)
            studio.shot(page, "columns")
    session = studio.server.session(tiny, ["x", "y"], name="tiny")
    studio.told(session, 3, {"a": "x", "b": "y", "c": "x"})
    page.goto(f"{studio.server.address}/?session={session}")
    page.wait_for_selector(".nothing")
    page.wait_for_timeout(1500)
    studio.shot(page, "all-answered")


def hosted(studio: Studio, wish: Wish) -> str:
    """The id of a session on a graph of this process; the server is away meanwhile."""
    studio.server.kill()
    settings = ServiceSettings(folder=studio.server.folder, port=studio.server.port)
    with ThreadPoolExecutor(1) as aside:  # the browser's own loop runs in this thread
        session = aside.submit(hosted_session, settings, wish).result()
    studio.server.start()
    return session


def pubmed(studio: Studio) -> None:
    found = data.load("pubmed")
    kinds = [str(name) for name in found.classes]
    names = [str(name) for name in found.graph.names]
    session = hosted(studio, Wish(found.graph, "pubmed", kinds, truth=found))
    studio.told(session, 60, {name: kinds[k] for name, k in zip(names, found.labels, strict=True)})
    page = studio.page()
    studio.opened(page, session)
    studio.shot(page, "pubmed")


def million(studio: Studio) -> None:
    """A million nodes in twenty groups; the layout takes minutes."""
    draw = np.random.default_rng(0)
    nodes, each = 1_000_000, 50_000
    sources = np.repeat(np.arange(nodes), 5)
    near = sources // each * each + draw.integers(each, size=len(sources))
    near = np.where(draw.random(len(sources)) < 0.8, (sources // 50) * 50 + near % 50, near)
    targets = np.where(draw.random(len(sources)) < 0.02, draw.integers(nodes, size=len(near)), near)
    graph = Graph.from_edges(np.column_stack([sources, targets]))
    session = hosted(studio, Wish(graph, "a million", [f"group {k}" for k in range(20)]))
    right = {str(name): f"group {int(name) // each}" for name in graph.names}
    studio.told(session, 30, right)
    page = studio.page()
    studio.opened(page, session)
    studio.shot(page, "million")
