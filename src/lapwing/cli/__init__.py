"""The commands. Each file here adds its commands to `app`; importing the room registers all."""

from lapwing.cli import convert, data, embed, info
from lapwing.cli.app import app, main

__all__ = ["app", "convert", "data", "embed", "info", "main"]
