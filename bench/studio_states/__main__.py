"""Pictures of the studio in every state, to be looked at; ``--docs`` renews those of the guide.

``python -m bench.studio_states [STATE ...] --folder bench/out/states``
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from bench.studio_states import digits, graphs
from bench.studio_states.notebook import notebook
from bench.studio_states.opened import Studio, running
from tests import studio_browser as sb

DOCS = {
    "question": "studio.png",
    "stop-dark": "studio-stop.png",
    "first-visit": "studio-first-visit.png",
    "offline": "studio-offline.png",
    "notebook": "studio-notebook.png",
}
"""States that the guide and the README show, and under which name."""
PALETTE = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e07b39", "#8073ac",
           "#2aa198", "#8c6d46")  # fmt: skip
STATES: dict[str, Callable[[Studio], None]] = {
    state.__name__.replace("_", "-"): state
    for state in (
        digits.first_visit, digits.question, digits.offline, digits.stop, digits.sizes,
        digits.people, digits.start, graphs.classes, graphs.texts, notebook, graphs.pubmed,
        graphs.million,
    )
}  # fmt: skip


def small(picture: Image.Image) -> Image.Image:
    """The picture in 256 colours; those of classes are among them, however few dots have them."""
    classes = [int(each[k : k + 2], 16) for each in PALETTE for k in (1, 3, 5)]
    common = picture.quantize(256 - len(PALETTE)).getpalette() or []
    chosen = Image.new("P", (1, 1))
    chosen.putpalette(common[: 768 - len(classes)] + classes)
    return picture.quantize(palette=chosen, dither=Image.Dither.NONE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("states", nargs="*", metavar="STATE", help=f"of {', '.join(STATES)}")
    parser.add_argument("--folder", type=Path, default=Path("bench/out/states"))
    parser.add_argument("--docs", action="store_true", help="also write the guide's pictures")
    parser.add_argument("--jupyter", default="", help="a jupyter-lab, for the notebook")
    wanted = parser.parse_args()
    if lacks := sb.missing() or ", ".join(set(wanted.states) - set(STATES)):
        print(f"cannot take pictures: {lacks}")
        return 2
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with running(wanted.folder, wanted.jupyter) as studio:
        for name in wanted.states or STATES:
            STATES[name](studio)
    for name, path in DOCS.items() if wanted.docs else ():
        if (taken := wanted.folder / f"{name}.png").is_file():
            small(Image.open(taken).convert("RGB")).save(
                Path(__file__).parents[2] / "docs" / path, optimize=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
