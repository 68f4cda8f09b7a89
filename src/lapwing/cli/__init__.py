"""The command line: one file or folder per command."""

from lapwing.cli.app import app, main

__all__ = ["app", "main"]
