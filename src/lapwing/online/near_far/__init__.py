"""The learner of sessions: labels nearby times the graph at large."""
