"""The commands. Each file here adds its commands to `app`; importing the room registers all."""

from lapwing.cli import certify, convert, data, embed, gallery, info, learners, play
from lapwing.cli.app import app, main

__all__ = [
    "app",
    "certify",
    "convert",
    "data",
    "embed",
    "gallery",
    "info",
    "learners",
    "main",
    "play",
]
