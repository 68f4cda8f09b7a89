"""Passes over a partitioned graph: one block at a time, or a share of the blocks per worker."""
