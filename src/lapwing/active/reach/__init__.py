"""The default strategy: ask about the node that reaches the most uncertainty."""
