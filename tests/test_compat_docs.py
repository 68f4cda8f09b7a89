"""The examples of docs/bridges.md run, in their order, as one program."""

import re
from pathlib import Path


def test_bridges_run():
    text = (Path(__file__).resolve().parents[1] / "docs" / "bridges.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == text.count("```python") == 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "bridges.md", "exec"), names)
    assert {"search", "online", "stream", "answered", "found"} <= set(names)
