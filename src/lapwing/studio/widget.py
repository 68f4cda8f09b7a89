"""The studio in a notebook: the same page in a cell, answered by the kernel."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from lapwing.session import Session
from lapwing.studio.kernel import NotebookKernel
from lapwing.studio.page import checked_page


class StudioWidget(anywidget.AnyWidget):
    """A session's page in a cell. Made by `lapwing.Session.widget`."""

    _esm = ""
    session = traitlets.Unicode("here").tag(sync=True)
    person = traitlets.Unicode("").tag(sync=True)
    place = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)

    def __init__(self, kernel: NotebookKernel, *, height: int = 640) -> None:
        script = (checked_page() / "widget.js").read_text(encoding="utf-8")
        held = kernel.session
        super().__init__(
            _esm=script,
            height=height,
            person=kernel.by,
            place=f"{held.name}:{held.graph.hash[:12]}:{held.dialogue.state.n_events}",
        )
        self.kernel = kernel
        self.on_msg(self._asked)

    def _asked(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        del buffers
        reply = self.kernel.reply(
            content["method"], content["path"], content.get("body"), content.get("headers")
        )
        self.send(
            {"id": content["id"], "status": reply.status, "headers": reply.headers},
            buffers=[reply.content],
        )


def studio_widget(session: Session, *, target_error: float | None = None, height: int = 640) -> Any:
    """Return the studio of a session, as a widget for a notebook."""
    return StudioWidget(NotebookKernel(session, target_error=target_error), height=height)
