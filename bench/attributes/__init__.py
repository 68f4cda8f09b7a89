"""Accuracy against labels on graphs with attributes, and on graphs whose neighbours differ."""
