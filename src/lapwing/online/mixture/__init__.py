"""A mixture of learners over a grid of penalties."""
