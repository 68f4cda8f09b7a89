"""Generators of random graphs and of example graphs."""
