"""Array types shared by all modules."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Nodes: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Index: TypeAlias = int | Nodes

UNKNOWN = -1
"""The class index that means "no label" or "no answer"."""
