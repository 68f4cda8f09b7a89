"""Calibration: turn scores into reliable probabilities."""
