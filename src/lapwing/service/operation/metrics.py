"""Numbers for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from lapwing.service.service import Service


class Metrics:
    """Requests, seconds and the writer's groups; one registry per application."""

    def __init__(self, service: Service) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "lapwing_requests", "Requests.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "lapwing_request_seconds", "Seconds per request.", ["method", "route"],
            registry=self.registry,
        )  # fmt: skip
        gauges = {
            "lapwing_commands": ("Commands written.", lambda: service.writer.commands),
            "lapwing_commits": ("Commits of the writer.", lambda: service.writer.groups),
            "lapwing_waiting": ("Commands that wait.", lambda: service.writer.waiting),
            "lapwing_work": ("Works of worker processes.", lambda: service.workers.count),
            "lapwing_sessions_open": ("Open sessions.", lambda: service.desks.count),
        }
        for name, (words, read) in gauges.items():
            Gauge(name, words, registry=self.registry).set_function(read)

    def text(self) -> bytes:
        """Return all numbers in the format of Prometheus."""
        return generate_latest(self.registry)
