"""The log of a session and what follows from it: append, replay, verify."""
