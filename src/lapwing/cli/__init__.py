"""The commands. Each file here adds its commands to `app`; importing the room registers all."""

from lapwing.cli import convert, data, demo, embed, info
from lapwing.cli.app import app, main

__all__ = ["app", "convert", "data", "demo", "embed", "info", "main"]
