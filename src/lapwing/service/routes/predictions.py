"""Addresses of predictions: some nodes, all nodes as a stream, the map."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from lapwing.io import table_text
from lapwing.optional import need
from lapwing.service.graphs.truth import NO_CLASS, truth_bytes
from lapwing.service.http.addresses import addresses
from lapwing.service.http.doors import TheService, Viewer
from lapwing.service.http.session_replies import (
    EvidenceReply,
    ExplanationReply,
    PredictionsReply,
)
from lapwing.service.problems import Refusal
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.explaining import explanation_json
from lapwing.service.sessions.forecasts import Forecasts, forecast, likeliest, make_forecasts
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import is_hidden
from lapwing.session import Predictions, Session
from lapwing.types import UNKNOWN

predictions_router = addresses("predictions")
ANSWERED, ASKED_NOW, HELD = 1, 2, 4
ROWS = 20_000
"""Rows of a stream that are written at once."""
MOST_NODES = 1000
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "arrow": "application/vnd.apache.arrow.stream",
    "parquet": "application/vnd.apache.parquet",
}
CONTENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
            for kind in KINDS.values()
        }
    }
}


@predictions_router.get(
    "/sessions/{session}/predictions", response_model=PredictionsReply, responses=CONTENTS
)
async def predictions_of_session(
    session: str,
    person: Viewer,
    service: TheService,
    nodes: Annotated[
        str | None, Query(max_length=100_000, description="Names with commas.")
    ] = None,
    node: Annotated[
        list[str] | None, Query(max_length=MOST_NODES, description="One name each.")
    ] = None,
    format: Literal["csv", "arrow", "parquet"] | None = None,
) -> Any:
    """Predictions of some nodes as JSON, or of all as a stream of CSV, Arrow or Parquet.

    As JSON, a node about which this person is being asked without a guess is `hidden`.
    """
    desk = await service.desk(person, session)
    if format is not None:
        table = await service.read_aside(desk, lambda held: held.predictions(), learned=True)
        return StreamingResponse(
            STREAMS[format](table), media_type=KINDS[format],
            headers={"Content-Disposition": f'attachment; filename="predictions.{format}"'},
        )  # fmt: skip
    wanted = [*(node or ()), *(nodes.split(",") if nodes else ())]
    if not wanted or len(wanted) > MOST_NODES:
        raise Refusal(422, "invalid", f"ask for 1 to {MOST_NODES} nodes, or say format=csv, arrow "
                      f"or parquet for all; got {len(wanted)}")  # fmt: skip
    forecasts: Forecasts | None = desk.notes.get("forecasts")
    if forecasts is not None and forecasts.are_due:
        await service.read_aside(desk, lambda held: make_forecasts(desk, held), learned=True)
    by = person.name
    return JSONResponse(
        await service.read(desk, lambda held: some_predictions(desk, held, wanted, by=by))
    )


def some_predictions(desk: Desk, session: Session, wanted: list[str], *, by: str) -> dict[str, Any]:
    """Return the labels of some nodes, told or predicted, and how sure they are, for a person."""
    dialogue, names = session.dialogue, session.graph.names
    state, classes = dialogue.state, dialogue.classes
    nodes = np.array([node_index(session.graph, name) for name in wanted], dtype=np.intp)
    kinds, sure = forecast(desk, session, nodes)
    rows = []
    for index, kind, chance in zip(nodes.tolist(), kinds.tolist(), sure.tolist(), strict=True):
        told, hidden = state.labels.get(index), is_hidden(session, index, by)
        label = kind if told is None else told
        rows.append({
            "node": str(names[index]),
            "label": None if label == UNKNOWN or hidden else classes[label],
            "confidence": 0.0 if hidden else round(chance, 6) if told is None else 1.0,
            "asked": told is not None,
            "hidden": hidden,
        })  # fmt: skip
    return {"predictions": rows, "event": state.n_events}


def _csv(table: Predictions) -> Iterator[str]:
    for start in range(0, len(table), ROWS):
        piece = {name: values[start : start + ROWS] for name, values in table.columns.items()}
        text = table_text(piece, "csv")
        yield text if start == 0 else text.partition("\n")[2]


def _arrow(table: Predictions) -> Iterator[bytes]:
    arrow, pa = table.to_arrow(), need("pyarrow", extra="tables")
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, arrow.schema) as writer:
        for batch in arrow.to_batches(max_chunksize=ROWS):
            writer.write_batch(batch)
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()


def _parquet(table: Predictions) -> Iterator[bytes]:
    sink = io.BytesIO()
    need("pyarrow.parquet", extra="tables").write_table(table.to_arrow(), sink)
    yield sink.getvalue()


STREAMS: dict[str, Callable[[Predictions], Iterator[Any]]] = {
    "csv": _csv,
    "arrow": _arrow,
    "parquet": _parquet,
}


@predictions_router.get(
    "/sessions/{session}/map",
    response_class=Response,
    responses={
        200: {
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            }
        }
    },
)
async def session_map(session: str, person: Viewer, service: TheService) -> Response:
    """Class (uint16), confidence (uint8) and flags (uint8) of every node, one array each."""
    desk = await service.desk(person, session)

    def look(held: Session) -> tuple[bytes, int]:
        number = held.dialogue.state.n_events
        kept = desk.notes.get("map")
        if kept is None or kept[0] != number:
            kept = number, map_arrays(held)
            desk.notes["map"] = kept
        return map_bytes(held, *kept[1], by=person.name), number

    content, number = await service.read_aside(desk, look, learned=True)
    headers = {"X-Lapwing-Event": str(number)}
    return Response(content, media_type="application/octet-stream", headers=headers)


@predictions_router.get(
    "/sessions/{session}/truth",
    response_class=Response,
    responses={
        200: {
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            }
        }
    },
)
async def session_truth(session: str, person: Viewer, service: TheService) -> Response:
    """The true class (uint16) of every node, where it was given with the graph."""
    desk = await service.desk(person, session)
    folder = service.library.place(desk.shared.graph)

    def look(held: Session) -> bytes:
        found = truth_bytes(folder, held.classes, held.graph.n_nodes)
        if found is None:
            raise Refusal(404, "no_truth", "the true classes of this graph are not known")
        return found

    content = await service.read_aside(desk, look)
    return Response(content, media_type="application/octet-stream")


def map_arrays(session: Session) -> tuple[Any, Any, Any]:
    """Return each node's class, confidence and whether people answered it."""
    dialogue, size = session.dialogue, session.graph.n_nodes
    best, most = likeliest(session, np.arange(size))
    kinds = np.where(best == UNKNOWN, NO_CLASS, best).astype("<u2")
    sure = np.round(255 * np.clip(most, 0, 1)).astype(np.uint8)
    labels = dialogue.labels
    told = labels != UNKNOWN
    kinds[told], sure[told] = labels[told], 255
    return kinds, sure, told


def map_bytes(session: Session, kinds: Any, sure: Any, told: Any, *, by: str) -> bytes:
    """Return the map for one person: their open questions are asked now, others' are held."""
    flags = np.where(told, ANSWERED, 0).astype(np.uint8)
    for node, event in session.dialogue.state.open.items():
        flags[node] |= ASKED_NOW if event.by == by else HELD
        if is_hidden(session, node, by):
            kinds, sure = kinds.copy(), sure.copy()
            kinds[node], sure[node] = NO_CLASS, 0
    return bytes(kinds.tobytes() + sure.tobytes() + flags.tobytes())


@predictions_router.get("/sessions/{session}/explain", response_model=ExplanationReply)
async def explain_label(
    session: str,
    person: Viewer,
    service: TheService,
    node: Annotated[str, Query(min_length=1, max_length=1000)],
) -> Any:
    """What a node's label rests on; not while it is an open audit of this person."""
    desk = await service.desk(person, session)

    def look(held: Session) -> dict[str, Any]:
        return explanation_json(held, person.name, node)

    return await service.read_aside(desk, look, learned=True)


@predictions_router.get("/sessions/{session}/evidence", response_model=EvidenceReply)
async def session_evidence(session: str, person: Viewer, service: TheService) -> Any:
    """How much each kind of evidence counts in the predictions."""
    desk = await service.desk(person, session)
    shares = await service.read_aside(desk, lambda held: held.evidence(), learned=True)
    return {"parts": [{"name": name, "share": share} for name, share in shares.items()]}
