"""``lapwing play``: a labelled graph as a stream."""
