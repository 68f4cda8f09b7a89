"""``lapwing serve``: run the service."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from lapwing.cli.output import errors
from lapwing.errors import InputError
from lapwing.optional import need
from lapwing.service.operation.settings import ServiceSettings, settings_from


def serve(
    folder: Annotated[Path | None, typer.Option(help="Folder of graphs and database.")] = None,
    database: Annotated[str | None, typer.Option(help="A file or a PostgreSQL address.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    workers: Annotated[int | None, typer.Option(help="Server processes.")] = None,
    lease: Annotated[float | None, typer.Option(help="Seconds a question is reserved.")] = None,
    rate: Annotated[
        str | None, typer.Option(help="Limit of requests per token, such as 500/second.")
    ] = None,
    settings: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
) -> None:
    """Serve labelling sessions over HTTP, for a team and its programs.

    Every setting is also read from the environment (LAPWING_SERVICE_PORT=9000) or a TOML file.

    Example: lapwing serve --folder work --port 8400
    """
    chosen = settings_from(
        settings, folder=folder, database=database, host=host, port=port, workers=workers,
        lease=lease, rate=rate,
    )  # fmt: skip
    run_service(chosen)


def run_service(settings: ServiceSettings) -> None:
    """Run the service until it is told to stop."""
    uvicorn = need("uvicorn", extra="service")
    checked_address(settings)
    os.environ[SETTINGS] = settings.model_dump_json()
    errors.print(f"lapwing: http://{settings.host}:{settings.port} (folder {settings.folder})")
    uvicorn.run(
        "lapwing.service.operation.command:app_of_process", factory=True, host=settings.host,
        port=settings.port, workers=settings.workers, log_level="warning", access_log=False,
        server_header=False, timeout_graceful_shutdown=10,
    )  # fmt: skip


SETTINGS = "LAPWING_SERVICE_ALL_SETTINGS"
"""The variable that carries the settings to server processes."""


def app_of_process() -> object:
    """Return the application in a server process, with the settings of the command."""
    app = need("lapwing.service.app", extra="service")
    logs = need("lapwing.service.operation.logs", extra="service")
    # Threads serve requests; those of BLAS inside them would only wait for each other.
    need("lapwing.linalg.threads", extra="service").one_thread().__enter__()
    settings = ServiceSettings.model_validate_json(os.environ[SETTINGS])
    os.environ.setdefault("LAPWING_CACHE", str(settings.folder.absolute() / "cache"))
    logs.configured_logs(settings.log_level, as_json=settings.log_json)
    return app.service_app(settings)


def checked_address(settings: ServiceSettings) -> None:
    """Refuse to answer other computers before there is a token."""
    if settings.on_loopback:
        return
    if not _has_token(settings):
        raise InputError(
            f"host must be an address of this computer alone (127.0.0.1) until a token is created "
            f"(lapwing token create NAME --role owner), got {settings.host}"
        )


def _has_token(settings: ServiceSettings) -> bool:
    tokens = need("lapwing.service.people.tokens", extra="service")
    schema = need("lapwing.service.database.schema", extra="service")
    store_type = need("lapwing.session.store.store", extra="session").Store
    with store_type(settings.database_address) as store:
        schema.service_tables_made(store.engine, store.where)
        with store.reading() as connection:
            return bool(tokens.any_token(connection))
