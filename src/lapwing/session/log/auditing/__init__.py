"""Spot checks of a session: when they are drawn, how, and what they prove."""
