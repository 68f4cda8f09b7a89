"""``lapwing classify``: the labels of all nodes from those of a few."""
