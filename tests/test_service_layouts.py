"""A layout is shown while it is made: stages lie beside the graph until the last one is there."""

import numpy as np

from lapwing import Graph
from lapwing.service.graphs import layouts
from lapwing.service.graphs.shelf import shelved
from tests.service_running import SIX


def test_stages_are_served_once_each_and_leave_nothing_behind(tmp_path, monkeypatch):
    graph = Graph.from_edges(SIX)
    shelved(graph, tmp_path)
    rough, fine = np.full((6, 2), 0.5), np.full((6, 2), 0.25)

    def stages(read):
        assert read.n_nodes == 6
        assert layouts.layout_stage(tmp_path, 0.0) == (0.0, b"")
        yield 0.4, rough
        share, content = layouts.layout_stage(tmp_path, 0.0)
        assert share == 0.4
        assert (np.frombuffer(content, "<f4").reshape(6, 2) == rough).all()
        assert layouts.layout_stage(tmp_path, 0.4) == (0.4, b"")
        assert layouts.stored_layout(tmp_path) is None
        yield 1.0, fine

    before = set(tmp_path.iterdir())
    monkeypatch.setattr(layouts, "layout_stages", stages)
    layouts.layout_written(str(tmp_path))
    content, _ = layouts.stored_layout(tmp_path)
    assert (np.frombuffer(content, "<f4").reshape(6, 2) == fine).all()
    assert set(tmp_path.iterdir()) - before == {tmp_path / layouts.LAYOUT}
