"""The commands. Each file here adds its commands to `app`; importing the room registers all."""

from lapwing.cli import (
    certify,
    classify,
    convert,
    data,
    demo,
    embed,
    gallery,
    info,
    label,
    learners,
    play,
    reproduce,
    session,
)
from lapwing.cli.app import app, main

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
