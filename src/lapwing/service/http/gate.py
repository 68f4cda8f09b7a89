"""The gate that every request passes: limits, security headers, one log line, numbers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import structlog
from limits import parse
from limits.strategies import FixedWindowRateLimiter
from starlette.responses import JSONResponse

from lapwing.service.http.windows import Windows
from lapwing.service.operation.metrics import Metrics
from lapwing.service.operation.settings import MEGABYTE
from lapwing.service.people.tokens import token_digest
from lapwing.service.problems import Refusal
from lapwing.service.service import Service

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
LOOPBACK = {"localhost", "127.0.0.1", "::1", "[::1]"}
UPLOADS = ("/v1/graphs", "/grow")
FREE = ("/healthz", "/readyz")


class Gate:
    """Middleware around the application; it knows no secrets and logs none."""

    def __init__(self, app: Any, service: Service, metrics: Metrics) -> None:
        self.app, self.service, self.metrics = app, service, metrics
        self._limiter = FixedWindowRateLimiter(Windows())
        self._rate = parse(service.settings.rate)
        self._log = structlog.get_logger("lapwing.service")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, request = time.perf_counter(), secrets.token_hex(8)
        told: dict[str, Any] = {"status": 500}
        headers = dict(scope["headers"])

        body = _Counted(receive, self._most(scope["path"]))

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                told["status"] = message["status"]
                message["headers"] = [
                    *message.get("headers", ()), *HEADERS, (b"x-request-id", request.encode())
                ]  # fmt: skip
            await send(message)

        try:
            self._check(scope, headers)
            if int(headers.get(b"content-length", b"0") or 0) > body.most:
                raise _too_large(body.most)
            await self._answer(scope, body, sending)
        except Refusal as refusal:
            reply = JSONResponse(refusal.body(), refusal.status, refusal.headers)
            await reply(scope, receive, sending)
        finally:
            self._note(scope, request, told["status"], time.perf_counter() - begun)

    async def _answer(self, scope: Scope, body: _Counted, sending: Send) -> None:
        """Pass a request on; what is said about a body that was cut off is not sent."""

        async def unless_cut(message: MutableMapping[str, Any]) -> None:
            if not body.too_large:
                await sending(message)

        try:
            await self.app(scope, body, unless_cut)
        except Exception:
            if not body.too_large:
                raise
        if body.too_large:
            raise _too_large(body.most)

    def _most(self, path: str) -> int:
        large = path.endswith(UPLOADS)
        settings = self.service.settings
        return int(MEGABYTE * (3 * settings.upload_megabytes if large else settings.body_megabytes))

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse other sites' pages, other names for this computer, and too many requests."""
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin.decode("latin-1")).netloc != host:
            raise Refusal(403, "foreign_origin", "requests from pages of other sites are refused")
        if scope["path"] in FREE:
            return
        if not self.service.needs_tokens and (urlsplit(f"//{host}").hostname or "") not in LOOPBACK:
            raise Refusal(403, "foreign_host",
                          "without tokens the service answers this computer alone")  # fmt: skip
        client = scope.get("client") or ("", 0)
        sent = headers.get(b"authorization")
        who = token_digest(sent.decode("latin-1")) if sent else str(client[0])
        if not self._limiter.hit(self._rate, who):
            most = f"at most {self.service.settings.rate} requests are answered"
            raise Refusal(429, "too_many_requests", most, Retry_After="1")

    def _note(self, scope: Scope, request: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(method, route).observe(seconds)
        self._log.info(
            "request", method=method, route=route, status=status,
            ms=round(1000 * seconds, 2), request=request,
        )  # fmt: skip


METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}


def _too_large(most: int) -> Refusal:
    return Refusal(413, "too_large", f"the body of a request must have at most {most:,} bytes")


class _Counted:
    """A body that ends where it gets longer than allowed, whatever its header said."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive, self.most = receive, most
        self.read, self.too_large = 0, False

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self.receive()
        if message["type"] == "http.request":
            self.read += len(message.get("body", b""))
            if self.read > self.most:
                self.too_large = True
                return {"type": "http.disconnect"}
        return message
