"""The commands. Each file here adds its commands to `app`; importing the room registers all."""

from lapwing.cli import certify, classify, convert, data, demo, embed, gallery, info, learners
from lapwing.cli.app import app, main
from lapwing.cli.label import command as label
from lapwing.cli.play import command as play
from lapwing.cli.reproduce import command as reproduce
from lapwing.cli.session import command as session

__all__ = [
    "app",
    "certify",
    "classify",
    "convert",
    "data",
    "demo",
    "embed",
    "gallery",
    "info",
    "label",
    "learners",
    "main",
    "play",
    "reproduce",
    "session",
]
