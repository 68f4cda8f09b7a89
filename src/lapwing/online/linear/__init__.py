"""Shared parts of the learners with weight vectors on rows."""
