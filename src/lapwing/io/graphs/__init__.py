"""Graph formats other than text tables: one format, one file."""
