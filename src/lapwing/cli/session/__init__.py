"""``lapwing session``: look at, move, replay and verify labelling sessions."""
