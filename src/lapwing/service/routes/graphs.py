"""Addresses of graphs: upload, list, names, nodes, edges, search, layout."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import numpy as np
from fastapi import File, Form, Query, Request, Response, UploadFile
from fastapi.responses import JSONResponse, PlainTextResponse

from lapwing.graph import Graph
from lapwing.service.database.trail import Deed
from lapwing.service.graphs.facts import nodes_json
from lapwing.service.graphs.layouts import layout_stage, layout_written, stored_layout
from lapwing.service.graphs.search import found_nodes
from lapwing.service.graphs.uploads import discarded, ending_of, read_in_child, stored_part
from lapwing.service.http.addresses import addresses
from lapwing.service.http.doors import Key, Owner, TheService, Viewer, repeat_of
from lapwing.service.http.graph_replies import (
    EdgesReply,
    GraphReply,
    GraphsReply,
    NodesReply,
    ProgressReply,
    SearchReply,
    UploadReply,
)
from lapwing.service.moments import new_id
from lapwing.service.operation.settings import MEGABYTE
from lapwing.service.people.person import Person
from lapwing.service.problems import Refusal
from lapwing.service.service import Service
from lapwing.service.sessions.names import node_index

graphs_router = addresses("graphs")
MOST_NODES, MOST_EDGES = 200, 2_000_000
OCTETS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    }
}


@graphs_router.get("/graphs", response_model=GraphsReply)
async def list_graphs(person: Viewer, service: TheService) -> Any:
    """The team's graphs."""
    with service.store.reading() as connection:
        return {"graphs": service.library.listed(connection, person)}


@graphs_router.post("/graphs", response_model=UploadReply, status_code=201)
async def upload_graph(
    person: Owner,
    service: TheService,
    edges: Annotated[
        UploadFile, File(description="An edge list, GraphML, GML, Parquet or matrix.")
    ],
    nodes: Annotated[UploadFile | None, File(description="One row per node.")] = None,
    labels: Annotated[UploadFile | None, File(description="Known labels.")] = None,
    name: Annotated[str | None, Form(max_length=200)] = None,
    source: Annotated[str | None, Form(max_length=200)] = None,
    target: Annotated[str | None, Form(max_length=200)] = None,
    weight: Annotated[str | None, Form(max_length=200)] = None,
    delimiter: Annotated[str | None, Form(max_length=1)] = None,
    header: Annotated[bool | None, Form()] = None,
    node_column: Annotated[str | None, Form(max_length=200)] = None,
    key: Key = None,
) -> Any:
    """Upload a graph; it is read in a process of its own, with bounds on memory and time."""
    parts = {"edges": edges, "nodes": nodes, "labels": labels}
    sent = {part: file for part, file in parts.items() if file is not None}
    options = {
        "source": source, "target": target, "weight": weight, "delimiter": delimiter,
        "header": header, "node_column": node_column,
    }  # fmt: skip
    most = int(service.settings.upload_megabytes * MEGABYTE)
    graph, folder = new_id(), service.settings.folder / "uploads" / new_id()
    folder.mkdir(parents=True, mode=0o700)
    try:
        order: dict[str, Any] = {"options": options, "shown": {}}
        sizes = {}
        for part, file in sent.items():
            order[part] = part + ending_of(file.filename, part)
            order["shown"][part] = f"the file of {part}"
            sizes[part] = await stored_part(file, folder / order[part], most)
        told = await read_in_child(service.settings, folder, service.library.place(graph), order)
        chosen = (name or _stem(edges.filename)).strip()[:200] or "graph"
        return await _added(
            service, person, graph, chosen, told, key, ("upload", sizes, told["hash"])
        )
    except BaseException:
        discarded(service.library.place(graph))
        raise
    finally:
        discarded(folder)


@graphs_router.post(
    "/examples/digits", response_model=UploadReply, status_code=201, tags=["graphs"]
)
async def example_digits(person: Owner, service: TheService, key: Key = None) -> Any:
    """Add 1,797 handwritten digits with their pictures, to try the service."""
    graph, folder = new_id(), service.settings.folder / "uploads" / new_id()
    folder.mkdir(parents=True, mode=0o700)
    try:
        order = {"digits": True}
        told = await read_in_child(service.settings, folder, service.library.place(graph), order)
        return await _added(service, person, graph, "digits", told, key, ("digits",))
    finally:
        discarded(folder)


async def _added(
    service: Service, person: Person, graph: str, name: str, told: dict[str, Any],
    key: str | None, parts: tuple[Any, ...],
) -> dict[str, Any]:  # fmt: skip
    """Record a graph whose arrays are on disk; a repeat leaves its copy unused."""
    reply: dict[str, Any] = await service.write(
        lambda connection: (
            service.library.added(connection, person, graph, name, told)
            | {"labels": told["labels"]}
        ),
        repeat=repeat_of(person, key, *parts),
        deed=Deed(person, "graph", graph, {"name": name}),
    )
    if reply["graph"] != graph:
        discarded(service.library.place(graph))
    return reply


@graphs_router.get("/graphs/{graph}", response_model=GraphReply)
async def show_graph(graph: str, person: Viewer, service: TheService) -> Any:
    """One graph."""
    with service.store.reading() as connection:
        return service.library.facts(connection, person, graph)


@graphs_router.get("/graphs/{graph}/names", response_class=PlainTextResponse)
async def graph_names(
    graph: str,
    person: Viewer,
    service: TheService,
    first: Annotated[int, Query(alias="from", ge=0)] = 0,
    count: Annotated[int, Query(ge=1, le=1_000_000)] = 1_000_000,
) -> Response:
    """The names of the nodes, one per line in node order."""
    names = (await _graph(service, person, graph)).names
    text = "\n".join(" ".join(str(name).split()) for name in names[first : first + count])
    return PlainTextResponse(text)


@graphs_router.get("/graphs/{graph}/nodes", response_model=NodesReply)
async def graph_nodes(
    graph: str,
    person: Viewer,
    service: TheService,
    index: Annotated[str, Query(pattern=r"^\d{1,12}(,\d{1,12})*$", max_length=4000)],
) -> Any:
    """Names and attributes of up to 200 nodes, by their numbers separated by commas."""
    held = await _graph(service, person, graph)
    wanted = [int(each) for each in index.split(",")][:MOST_NODES]
    return {"nodes": nodes_json(held, wanted)}


@graphs_router.get("/graphs/{graph}/edges", response_model=EdgesReply, responses=OCTETS)
async def graph_edges(
    graph: str,
    person: Viewer,
    service: TheService,
    around: Annotated[str | None, Query(max_length=1000)] = None,
) -> Any:
    """The edges around a node as pairs of indices; without `around` all, as pairs of uint32."""
    found = await _graph(service, person, graph)
    if around is not None:
        node = node_index(found, around)
        return {"edges": [[node, other] for other in found.neighbors(node).tolist()]}
    if found.n_edges > MOST_EDGES:
        raise Refusal(413, "too_many_edges", f"only up to {MOST_EDGES:,} edges are sent at once")
    sources, targets, _ = found.edges()
    pairs = np.column_stack([sources, targets]).astype("<u4")
    return Response(pairs.tobytes(), media_type="application/octet-stream")


@graphs_router.get("/graphs/{graph}/search", response_model=SearchReply)
async def search_graph(
    graph: str,
    person: Viewer,
    service: TheService,
    q: Annotated[str, Query(min_length=1, max_length=200)],
    count: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Any:
    """Nodes whose name or text contains these words."""
    found = await _graph(service, person, graph)
    return {"nodes": await asyncio.to_thread(found_nodes, found, q, count)}


@graphs_router.get(
    "/graphs/{graph}/layout",
    responses={**OCTETS, 202: {"model": ProgressReply}},
    response_class=Response,
)
async def graph_layout(
    graph: str,
    request: Request,
    person: Viewer,
    service: TheService,
    after: Annotated[
        float,
        Query(ge=0, le=1, description="Also return places so far if more than this is done."),
    ] = 1.0,
) -> Response:
    """Two coordinates per node as float32; 202 while they are computed."""
    with service.store.reading() as connection:
        service.library.facts(connection, person, graph)
    place = service.library.place(graph)
    found = stored_layout(place)
    if found is None:
        service.workers.running(f"layout {graph}", layout_written, str(place))
        share, places = layout_stage(place, after)
        headers = {"Retry-After": "1", "X-Lapwing-Progress": str(share)}
        if places:
            return Response(places, 202, headers, media_type="application/octet-stream")
        return JSONResponse({"progress": share}, 202, headers)
    content, tag = found
    headers = {"ETag": tag, "Cache-Control": "private, max-age=3600"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/octet-stream", headers=headers)


async def _graph(service: Service, person: Person, graph: str) -> Graph:
    with service.store.reading() as connection:
        service.library.facts(connection, person, graph)
    return await asyncio.to_thread(service.library.graph, graph)


def _stem(name: str | None) -> str:
    """The name of a file without its folder and suffix, for people to read."""
    return (name or "graph").replace("\\", "/").rpartition("/")[2].partition(".")[0]
