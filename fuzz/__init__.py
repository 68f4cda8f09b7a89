"""Damaged files by the thousand, to show that no reader dies: ``python -m fuzz --help``."""
