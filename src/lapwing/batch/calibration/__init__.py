"""Scores turned into probabilities that mean what they say."""
