"""``lapwing demo``: the main job from start to end, with a simulated person."""
