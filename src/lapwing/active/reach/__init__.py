"""The default strategy: ask where the most uncertainty can be reached."""
