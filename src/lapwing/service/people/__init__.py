"""Who works on a session: people with roles, their tokens, the questions they hold."""
