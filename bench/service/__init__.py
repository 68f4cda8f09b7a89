"""Proofs about the service: kills, load, generated requests."""
