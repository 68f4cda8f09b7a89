"""Audits with stakes: how to draw them, and what they prove."""
