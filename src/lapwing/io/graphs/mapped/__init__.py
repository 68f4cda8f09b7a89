"""Lapwing's own graph files, which are mapped into memory instead of read."""
