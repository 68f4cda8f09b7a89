"""Node attributes as rows: text, categories, numbers and vectors of the node table."""
