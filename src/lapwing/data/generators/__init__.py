"""Random and example graphs, made on the spot."""
