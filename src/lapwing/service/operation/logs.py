"""Structured logs: one line per request, without bodies, names of nodes or tokens."""

from __future__ import annotations

import logging
import sys

import structlog


def configured_logs(level: str, *, as_json: bool) -> None:
    """Log to standard error from this level on."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    last = structlog.processors.JSONRenderer() if as_json else plain
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
