"""Residual pushes: diffusions that stay solved while labels and edges change."""
