"""What all addresses have in common: the replies that refuse a request, and where they begin."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI

ERROR = {
    "type": "object",
    "title": "ErrorReply",
    "description": "What went wrong: a code for programs, a sentence for people.",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "examples": ["unknown_node"]},
                "message": {"type": "string", "examples": ["no node is named 'x'"]},
            },
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": words,
        "content": {"application/json": {"schema": ERROR}},
    }
    for status, words in (
        (401, "No valid token."),
        (403, "The role does not allow it."),
        (404, "Not there, or another team's."),
        (409, "Not what this session is for."),
        (413, "Too large."),
        (422, "Something in the request is wrong."),
        (429, "Too many requests."),
        (503, "The database cannot be used now; nothing was recorded."),
    )
}


def addresses(tag: str, prefix: str = "/v1") -> APIRouter:
    """Return a router for one group of addresses.

    Examples
    --------
    >>> addresses("graphs").prefix
    '/v1'
    """
    return APIRouter(prefix=prefix, tags=[tag], responses=ERRORS)


def add_addresses(app: FastAPI, *routers: APIRouter) -> None:
    """Add groups of addresses to an application; those that are asked most come first.

    The routes become the application's own. `include_router` keeps routers inside each other, and
    every request is then compared with their addresses once for each level and again inside.
    """
    for router in routers:
        app.router.routes.extend(router.routes)
