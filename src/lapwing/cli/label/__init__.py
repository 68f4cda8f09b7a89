"""``lapwing label``: label a graph in the terminal."""
