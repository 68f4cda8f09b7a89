"""Labelling sessions over HTTP, for teams: one writer per database, leases, roles and a log."""
