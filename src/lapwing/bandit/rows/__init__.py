"""What the bandits on rows share: guesses, ridge regressions, exploring perceptrons."""
