"""Compiled readers of big text tables."""
