"""Slow measurements: reproductions and rivals; each runs by ``python -m bench.NAME``."""
