"""A page of nodes by dash-cytoscape, for `bench.studio_pages`: needs nothing of lapwing.

``python bench/dash_page.py nodes.json PORT``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import dash
import dash_cytoscape as cyto
from dash import Input, Output, html

COLOURS = ["#4477aa", "#ee6677", "#228833"]


def stylesheet(shift: int) -> list[dict[str, Any]]:
    rules = [{"selector": "node", "style": {"width": 6, "height": 6}}]
    return rules + [
        {"selector": f".c{k}", "style": {"background-color": COLOURS[(k + shift) % 3]}}
        for k in range(3)
    ]


def served(file: Path, port: int) -> None:
    told = json.loads(file.read_text())
    elements = [
        {"data": {"id": str(k)}, "classes": f"c{label}",
         "position": {"x": 2000 * x, "y": 2000 * y}}
        for k, ((x, y), label) in enumerate(zip(told["places"], told["labels"], strict=True))
    ]  # fmt: skip
    app = dash.Dash(__name__)
    app.layout = html.Div([
        html.Button("recolour", id="go"),
        cyto.Cytoscape(id="map", elements=elements, layout={"name": "preset"},
                       style={"width": "1000px", "height": "800px"}, stylesheet=stylesheet(0)),
    ])  # fmt: skip

    @app.callback(Output("map", "stylesheet"), Input("go", "n_clicks"))
    def recolour(clicks: int | None) -> list[dict[str, Any]]:
        return stylesheet((clicks or 0) % 3)

    app.run(port=port, debug=False)


if __name__ == "__main__":
    served(Path(sys.argv[1]), int(sys.argv[2]))
