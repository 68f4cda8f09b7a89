"""Who is asking, and whether they may: the dependencies of every address."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Header, Request

from lapwing.service.database.idempotency import Repeat, fingerprint
from lapwing.service.people.person import Person, Role
from lapwing.service.people.tokens import TEAM
from lapwing.service.problems import Refusal
from lapwing.service.service import Service

_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,100}$")


async def service_of(request: Request) -> Service:
    """Return the service; a coroutine, since FastAPI calls plain functions in a thread."""
    service: Service = request.app.state.service
    return service


def person_asking(request: Request, service: Service) -> Person:
    """Return who sent a request; refuse one without a valid token where tokens are needed."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and secret:
        found = service.person(secret.strip())
        if found is not None:
            return found
    elif not service.needs_tokens:
        name = request.headers.get("x-lapwing-person", "me").strip()
        if not _NAME.match(name):
            raise Refusal(422, "invalid", "X-Lapwing-Person must have 1 to 100 characters")
        return Person(TEAM, name, Role.owner)
    raise Refusal(401, "no_token", "a valid token must be sent as Authorization: Bearer TOKEN",
                  WWW_Authenticate="Bearer")  # fmt: skip


def needs(role: Role) -> Callable[[Request], Awaitable[Person]]:
    """Return a dependency that lets in whom this role, or a higher one, was given."""

    async def allowed(request: Request) -> Person:
        person = person_asking(request, request.app.state.service)
        if not person.may(role):
            raise Refusal(403, "not_allowed", f"this needs the role {role.name}")
        return person

    allowed.role = role  # type: ignore[attr-defined] # read by the test of all addresses
    return allowed


Viewer = Annotated[Person, Depends(needs(Role.viewer))]
Annotator = Annotated[Person, Depends(needs(Role.annotator))]
Owner = Annotated[Person, Depends(needs(Role.owner))]
TheService = Annotated[Service, Depends(service_of)]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key", min_length=1, max_length=200, pattern="^[!-~]+$",
        description="A repeat with the same key changes nothing and returns the same reply.",
    ),
]  # fmt: skip


def repeat_of(person: Person, key: str | None, *parts: object) -> Repeat | None:
    """Return what makes a request the same as another; None without a key."""
    if key is None:
        return None
    return Repeat(f"{person.team}/{person.name}", key, fingerprint(*parts))
