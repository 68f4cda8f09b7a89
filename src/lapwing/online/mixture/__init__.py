"""Learners over a grid of penalties, mixed by how well each did."""
