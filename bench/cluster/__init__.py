"""What a cluster costs beside one machine, and what it survives."""
