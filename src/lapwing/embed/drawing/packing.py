"""Pack small components in rings around the large one."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes

GAP = 0.7
"""Space around a component, in units of one node's own radius."""


SECTORS = 72
"""Directions in which the outline of the large component is taken."""


def outline(places: Array) -> Array:
    """Return how far places reach in each of `SECTORS` directions, smoothed.

    Examples
    --------
    >>> square = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    >>> outline(square).shape
    (72,)
    """
    turn = np.arctan2(places[:, 1], places[:, 0]) % (2 * np.pi)
    sector = np.minimum((turn * (SECTORS / (2 * np.pi))).astype(np.intp), SECTORS - 1)
    reach = np.zeros(SECTORS)
    np.maximum.at(reach, sector, np.hypot(places[:, 0], places[:, 1]))
    reach = np.maximum(reach, 0.5 * reach.max())
    wide = np.max([np.roll(reach, shift) for shift in range(-3, 4)], axis=0)
    return np.asarray(np.mean([np.roll(wide, shift) for shift in range(-3, 4)], axis=0))


@njit(cache=True)
def ring_centres(radii: Array, inside: Array, unit: float) -> Array:
    """Return the centres of circles, set side by side in rings around an outline.

    Give the radii in descending order: the larger circles get the inner rings. `inside` is the
    outline, as a distance per direction.

    Examples
    --------
    >>> centres = ring_centres(np.array([1.0, 1.0, 0.5]), np.full(72, 10.0), 0.5)
    >>> distances = np.hypot(centres[:, 0], centres[:, 1])
    >>> bool((distances - np.array([1.0, 1.0, 0.5]) >= 10.0).all())
    True
    """
    centres = np.zeros((len(radii), 2))
    gap, offset, place, angle = GAP * unit, 0.0, 0, 0.0
    while place < len(radii):
        widest, turn = radii[place], 0.0
        while place < len(radii):
            sector = int(angle / (2.0 * np.pi) * len(inside)) % len(inside)
            distance = inside[sector] + offset + gap + widest
            width = 2.0 * np.arcsin(min((radii[place] + gap) / distance, 1.0))
            if turn > 0.0 and turn + width > 2.0 * np.pi:
                break
            middle = angle + 0.5 * width
            centres[place, 0] = distance * np.cos(middle)
            centres[place, 1] = distance * np.sin(middle)
            angle += width
            turn += width
            place += 1
        offset += 2.0 * (gap + widest)
    return centres


def discs(sizes: Nodes, unit: float) -> Array:
    """Return places within each component's own disc, component after component, as in sunflowers.

    Examples
    --------
    >>> discs(np.array([1, 2]), 1.0).round(1).tolist()
    [[0.0, 0.0], [0.7, 0.0], [-0.7, 0.0]]
    """
    component = np.repeat(np.arange(len(sizes)), sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    within = np.arange(len(component)) - first
    size = sizes[component]
    small = size <= 6
    angle = np.where(small, 2 * np.pi * within / size, 2.399963 * within)
    radius = np.where(small, np.where(size == 1, 0.0, 0.5 * np.sqrt(size)), np.sqrt(within + 0.5))
    return np.asarray(unit * np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1))
