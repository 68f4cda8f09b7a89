"""The papers' theorems, one paper per file."""
