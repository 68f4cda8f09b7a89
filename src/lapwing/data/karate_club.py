"""Zachary's karate club: 34 members, their friendships, and how the club split."""

from __future__ import annotations

import numpy as np

from lapwing.data.dataset import Dataset
from lapwing.graph import Graph

FRIENDS = {
    0: (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31),
    1: (2, 3, 7, 13, 17, 19, 21, 30),
    2: (3, 7, 8, 9, 13, 27, 28, 32),
    3: (7, 12, 13),
    4: (6, 10),
    5: (6, 10, 16),
    6: (16,),
    8: (30, 32, 33),
    9: (33,),
    13: (33,),
    14: (32, 33),
    15: (32, 33),
    18: (32, 33),
    19: (33,),
    20: (32, 33),
    22: (32, 33),
    23: (25, 27, 29, 32, 33),
    24: (25, 27, 31),
    25: (31,),
    26: (29, 33),
    27: (33,),
    28: (31, 33),
    29: (32, 33),
    30: (32, 33),
    31: (32, 33),
    32: (33,),
}
"""Each friendship once, under the member with the smaller number."""

WITH_MR_HI = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21)


def karate() -> Dataset:
    """The karate club of 34 members; node 0 is the instructor, node 33 the officer.

    Member 8 is counted with Mr. Hi, whose club he joined, although his friends were in the other
    one.

    Reference
    ---------
    Zachary. An information flow model for conflict and fission in small groups. Journal of
    Anthropological Research 33(4), 1977.

    Examples
    --------
    >>> club = karate()
    >>> club
    Dataset(karate: 34 nodes, 78 edges, 2 classes)
    >>> club.classes, club.class_sizes().tolist()
    (('Mr. Hi', 'Officer'), [17, 17])
    """
    edges = [(a, b) for a, friends in FRIENDS.items() for b in friends]
    labels = np.ones(34, dtype=np.intp)
    labels[list(WITH_MR_HI)] = 0
    return Dataset(
        name="karate",
        graph=Graph.from_edges(edges),
        labels=labels,
        classes=("Mr. Hi", "Officer"),
        description="members of a karate club joined by friendship, before the club split",
        source="Zachary. An information flow model for conflict and fission in small groups. 1977",
    )
