"""Whether the service runs, whether it is ready, and its numbers."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import text

from lapwing.service.http.addresses import addresses
from lapwing.service.http.doors import TheService, Viewer

health_router = addresses("operation", prefix="")


@health_router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process runs."""
    return {"status": "ok"}


@health_router.get("/readyz", responses={503: {"description": "Not ready."}})
async def readyz(service: TheService) -> Response:
    """The database answers and every log was replayed."""
    told: dict[str, Any] = {"replayed": service.replayed, "sessions": service.to_replay}
    ready = service.ready and not service.closing
    try:
        with service.store.reading() as connection:
            connection.execute(text("SELECT 1"))
        told["database"] = "ok"
    except Exception:
        ready, told["database"] = False, "unavailable"
    return JSONResponse({"ready": ready, **told}, 200 if ready else 503)


@health_router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(person: Viewer, request: Request) -> Response:  # noqa: ARG001 - only people with a token
    """Numbers for Prometheus."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4")
