"""The inverse matrix of ridge regression, updated one row at a time."""
