"""``lapwing studio``: open the page on which a graph is labelled."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated, Any
from urllib.request import urlopen

import numpy as np
import typer

from lapwing.cli.inputs import NodesOption, Reading, problem, reads_files
from lapwing.cli.output import errors, waiting
from lapwing.errors import InputError
from lapwing.io import read_labels
from lapwing.optional import need
from lapwing.studio.page import checked_page
from lapwing.types import UNKNOWN

PATIENCE = 60.0
"""Seconds to wait for the service before the browser is opened anyway."""


@reads_files
def studio(
    graph: Annotated[
        str | None,
        typer.Argument(
            metavar="[GRAPH]",
            help="A graph file or a data set's name; without it, choose on the page.",
        ),
    ] = None,
    classes: Annotated[
        str, typer.Option(help="Names of classes, separated by commas; more may be added later.")
    ] = "",
    session: Annotated[
        str | None,
        typer.Option(help="Name of the session; one of this name is resumed. Default: GRAPH's."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="Table node,label of labels known beforehand."),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option("--truth", help="Table node,label to colour by; never asked or learned."),
    ] = None,
    nodes: NodesOption = None,
    target_error: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            help="Advise to stop below this error; if given, spot checks are planned for it. "
            "Default: 0.1.",
        ),
    ] = None,
    find: Annotated[
        list[str] | None,
        typer.Option(help="Find as many nodes of this class as possible; repeat for more classes."),
    ] = None,
    recall: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=1.0, help="With --find: advise to stop once this share has been found."
        ),
    ] = None,
    certify: Annotated[
        str | None,
        typer.Option(help="Prove this instead of the error, such as 'recall:fraud>=0.9'."),
    ] = None,
    second_looks: Annotated[
        bool, typer.Option("--second-looks", help="Ask again about answers that look wrong.")
    ] = False,
    folder: Annotated[Path | None, typer.Option(help="Folder of graphs and answers.")] = None,
    db: Annotated[
        Path | None,
        typer.Option(
            help="Database of lapwing label or Session(store=...): opens --session there."
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Label a graph on a page in your browser. Every answer is on disk before it counts as saved.

    Examples: lapwing studio digits --classes 0,1,2,3,4,5,6,7,8,9 ·
    lapwing studio edges.csv --nodes pages.csv --classes spam,fine ·
    lapwing studio edges.csv --find fraud --recall 0.9 · lapwing studio
    """
    checked_page()
    settings_from = need("lapwing.service.operation.settings", extra="service").settings_from
    if db is not None:
        _check_db(db, session, graph)
        folder = folder or db.parent / "studio"
    settings = settings_from(
        None,
        folder=folder,
        database=None if db is None else str(db),
        host="127.0.0.1",
        port=port or free_port(),
    )
    hosting = need("lapwing.studio.hosting", extra="service")
    place = ""
    if db is not None:
        with waiting("opening the session"):
            place = f"?session={hosting.adopted_session(settings, session)}"
    elif graph is not None:
        found = problem(graph, truth, reading=reading, nodes=nodes)
        named = [name.strip() for name in classes.split(",") if name.strip()]
        known = None
        if labels is not None:
            told = read_labels(labels, found.graph, **reading.of_table(labels))
            where = np.flatnonzero(told.labels != UNKNOWN)
            known = {found.graph.names[k]: str(told.classes[told.labels[k]]) for k in where}
        wish = hosting.Wish(
            graph=found.graph,
            name=session or Path(graph).stem,
            classes=named or list(map(str, found.classes)),
            labels=known,
            truth=found,
            aims=_aims(target_error, find, recall, certify)
            | ({"second_looks": True} if second_looks else {}),
        )
        with waiting("preparing the session"):
            place = f"?session={hosting.hosted_session(settings, wish)}"
    elif labels or truth or nodes or classes or session or find or certify:
        raise InputError(
            "GRAPH must be given with --classes, --session, --labels, --truth, --nodes, --find or "
            "--certify"
        )
    address = f"http://127.0.0.1:{settings.port}/{place}"
    threading.Thread(target=_shown_when_ready, args=(address, browser), daemon=True).start()
    need("lapwing.service.operation.command", extra="service").run_service(settings)


def _aims(
    target_error: float | None, find: list[str] | None, recall: float | None, certify: str | None
) -> dict[str, Any]:
    """What the session is for, as far as it was said."""
    if recall is not None and not find:
        raise InputError("--recall must go with --find")
    said = {
        "target_error": target_error,
        "goal": "find" if find else None,
        "positive": find or None,
        "target_recall": recall,
        "certify": certify,
    }
    return {name: value for name, value in said.items() if value is not None}


def _check_db(db: Path, session: str | None, graph: str | None) -> None:
    if not db.is_file():
        raise InputError(f"--db must be a database of sessions, there is no file {db}")
    if session is None or graph is not None:
        raise InputError("--db must go with --session and without GRAPH: the session knows its own")


def free_port() -> int:
    """Return a port of this computer that nothing listens on."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _shown_when_ready(address: str, browser: bool) -> None:
    """Print the address once it answers, and open it in a browser if asked to."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            urlopen(address, timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    errors.print(f"the studio: {address} (stop with Ctrl+C)", soft_wrap=True, markup=False)
    if browser:
        webbrowser.open(address)
