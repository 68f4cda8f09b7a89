"""Migrations of the tables, one per version."""
