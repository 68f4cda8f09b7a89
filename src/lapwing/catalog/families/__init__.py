"""The entries of the catalog, one family per file."""
