"""Combines nearby labels with the graph at large; an expert in the pool of sessions."""
