"""How sure people must be together before a label counts."""

import pytest

from lapwing.session.log.events import Event, Kind
from lapwing.session.log.votes import Votes


@pytest.mark.parametrize(("ann", "label"), [(0.5, None), (0.7, None), (0.8, None), (0.9, 0)])
def test_a_disputed_node_has_a_label_only_above_four_fifths(ann, label, monkeypatch):
    """Against bo, who is right three times in five, ann's answer has the odds of both."""
    odds = ann / (1 - ann) * 0.4 / 0.6
    assert (odds / (1 + odds) >= 0.8) == (label is not None)
    monkeypatch.setattr(Votes, "reliability", lambda _: {"ann": ann, "bo": 0.6})
    votes = Votes()
    votes.count(Event(1, Kind.TOLD, "", "ann", node=7, label=0))
    votes.count(Event(2, Kind.TOLD, "", "bo", node=7, label=1))
    assert votes.label(7) == label
