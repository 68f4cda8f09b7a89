"""The default strategy: ask the node that reaches the most uncertainty."""
