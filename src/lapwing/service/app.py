"""The application: routes, errors, the page, and what happens at start and end."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import lapwing
from lapwing.errors import LapwingError
from lapwing.service.http.addresses import add_addresses
from lapwing.service.http.examples import with_examples
from lapwing.service.http.gate import Gate
from lapwing.service.operation.metrics import Metrics
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.problems import Refusal, refusal_of
from lapwing.service.routes.answers import answers_router
from lapwing.service.routes.doubts import doubts_router
from lapwing.service.routes.events import events_router
from lapwing.service.routes.graphs import graphs_router
from lapwing.service.routes.growth import growth_router
from lapwing.service.routes.health import health_router
from lapwing.service.routes.predictions import predictions_router
from lapwing.service.routes.rounds import rounds_router
from lapwing.service.routes.sessions import sessions_router
from lapwing.service.service import Service
from lapwing.session import StoreError

ORDER = 5.0
"""Seconds between looks at what is to be kept or forgotten."""
NO_PAGE = "lapwing's service runs here. The page is not built in; the API is described at /docs.\n"


def service_app(settings: ServiceSettings) -> FastAPI:
    """Return the application for these settings."""
    service = Service(settings)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        replay = asyncio.create_task(_replayed(service))
        stopped = asyncio.Event()
        order = asyncio.create_task(_kept_in_order(service, stopped))
        _end_streams_at_signals(service)
        yield
        service.closing = True
        stopped.set()
        await asyncio.gather(replay, order)
        await asyncio.to_thread(service.close)

    app = FastAPI(
        title="lapwing", version=lapwing.__version__, lifespan=life,
        description="Labelling sessions on graphs, for teams.",
        docs_url="/docs" if settings.docs else None, redoc_url=None,
        separate_input_output_schemas=False,
    )  # fmt: skip
    app.state.service, app.state.metrics = service, Metrics(service)
    add_addresses(
        app, predictions_router, answers_router, sessions_router, rounds_router, health_router,
        doubts_router, graphs_router, events_router, growth_router,
    )  # fmt: skip
    _add_page(app, Path(str(files("lapwing"))) / "studio" / "static")
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused_by_framework)
    app.add_exception_handler(LapwingError, _refused)
    app.add_exception_handler(Exception, _refused)
    app.add_middleware(Gate, service=service, metrics=app.state.metrics)
    written = app.openapi
    app.openapi = lambda: with_examples(written())  # type: ignore[method-assign]
    return app


async def _replayed(service: Service) -> None:
    try:
        await asyncio.to_thread(service.replay)
    except Exception:
        structlog.get_logger("lapwing.service").exception("a session could not be replayed")
    gc.collect()
    gc.freeze()  # what was loaded stays: nobody waits while it is searched for garbage


async def _kept_in_order(service: Service, stopped: asyncio.Event) -> None:
    """Keep snapshots and forget old replies from time to time, until the service stops."""
    while not stopped.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), ORDER)
        if not stopped.is_set():
            try:
                await asyncio.to_thread(service.keep_order)
            except Exception as wrong:
                log = structlog.get_logger("lapwing.service")
                log.warning("not kept in order", reason=str(wrong))


def _end_streams_at_signals(service: Service) -> None:
    """Let streams of events end when the server is told to stop: it waits for all its replies."""
    if current_thread() is not main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, partial(_stop_heard, service, before))


def _stop_heard(service: Service, before: Any, number: int, frame: Any) -> None:
    service.closing = True
    before(number, frame)


def _add_page(app: FastAPI, folder: Path) -> None:
    """Serve the page if it was built, or say that it was not."""
    page = folder / "index.html"

    @app.get("/", include_in_schema=False)
    async def start_page() -> Response:
        return FileResponse(page) if page.is_file() else PlainTextResponse(NO_PAGE)

    if (folder / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=folder / "assets"), name="assets")


async def _refused(request: Request, problem: Exception) -> Response:
    refusal = refusal_of(problem)
    log = structlog.get_logger("lapwing.service")
    if isinstance(problem, StoreError):
        log.error("database", reason=str(problem))
    elif refusal.status >= 500:
        route = getattr(request.scope.get("route"), "path", "other")
        log.error("failed", route=route, kind=type(problem).__name__, exc_info=problem)
    return JSONResponse(refusal.body(), refusal.status, refusal.headers)


async def _invalid(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    refusal = Refusal(422, "invalid", f"{where or 'the body'}: {first['msg']}")
    return JSONResponse(refusal.body(), refusal.status)


async def _refused_by_framework(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    status = 422 if problem.status_code == 400 else problem.status_code
    code = {404: "not_found", 405: "not_allowed_here", 422: "invalid"}.get(status, "refused")
    refusal = Refusal(status, code, str(problem.detail))
    return JSONResponse(refusal.body(), refusal.status, problem.headers)
