"""Figures, all drawn with matplotlib in one style."""

from lapwing.figures.map import draw_map
from lapwing.figures.style import PALETTE, new_figure, saved

__all__ = ["PALETTE", "draw_map", "new_figure", "saved"]
