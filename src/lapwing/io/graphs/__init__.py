"""Graph formats other than text tables, one file per format."""
