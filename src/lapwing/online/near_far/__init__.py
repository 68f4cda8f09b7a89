"""The learner of sessions: combines nearby labels with the graph at large."""
