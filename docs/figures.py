"""Draws the pictures of these pages: ``python docs/figures.py``."""

from pathlib import Path

from lapwing.data import karate
from lapwing.figures.pushes import draw_pushes
from lapwing.figures.style import saved

if __name__ == "__main__":
    figure = draw_pushes(karate().graph, 0, 33)
    figure.set_dpi(90)
    saved(figure, Path(__file__).with_name("how-lapwing-learns.png"))
