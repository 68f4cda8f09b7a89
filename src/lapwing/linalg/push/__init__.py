"""Residual pushes: keep diffusions solved while labels and edges change."""
