"""The inverse that ridge regression keeps, updated one row at a time."""
