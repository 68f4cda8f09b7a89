"""What it costs to follow a growing graph, against computing everything again."""
