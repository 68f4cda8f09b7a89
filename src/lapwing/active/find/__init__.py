"""Find as many nodes of some classes as possible."""
