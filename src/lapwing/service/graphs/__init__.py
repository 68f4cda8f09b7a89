"""Graphs that the service keeps: uploaded, checked in a child process, stored as plain arrays."""
