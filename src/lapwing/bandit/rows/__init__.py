"""Shared parts of the bandits on rows: guesses, ridge regressions and perceptrons."""
