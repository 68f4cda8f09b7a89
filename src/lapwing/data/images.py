"""Images of handwritten digits, joined with the images nearest to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import io

from lapwing.data.dataset import Dataset
from lapwing.data.neighbors import knn_graph
from lapwing.errors import ReadError
from lapwing.optional import need

DIGITS = tuple("0123456789")


def digits(*, k: int = 7) -> Dataset:
    """1,797 digits of 8 x 8 pixels, each joined with its k nearest (union); unit weights.

    The images come with scikit-learn. `points` holds their pixels and `images` the same as squares,
    as does the graph's node table. With k = 7 the graph is connected; with smaller k, 27 images of
    the digit 1 form a component of their own.

    Examples
    --------
    >>> digits()
    Dataset(digits: 1,797 nodes, 8,727 edges, 10 classes)
    >>> digits().images.shape
    (1797, 8, 8)
    """
    pixels, labels = need("sklearn.datasets", extra="all").load_digits(return_X_y=True)
    return Dataset(
        name="digits",
        graph=knn_graph(pixels, k).with_node_table({"image": pixels.reshape(-1, 8, 8)}),
        labels=labels,
        classes=DIGITS,
        description=f"handwritten digits joined with their {k} nearest images",
        source="Alpaydin, Kaynak. Optical recognition of handwritten digits. UCI, 1998",
        points=pixels,
        images=pixels.reshape(-1, 8, 8),
    )


def usps(file: Path, *, k: int = 3) -> Dataset:
    """9,298 digits of 16 x 16 pixels, each joined with its k nearest (union); unit weights.

    The file's labels are 1..10; label 1 is the digit 0, label 10 the digit 9.
    """
    table = io.loadmat(file).get("usps_all")
    if table is None or table.ndim != 2 or table.shape[1] != 257:
        raise ReadError(file, "must hold a matrix 'usps_all' of 257 columns")
    pixels = table[:, :256].astype(np.float64)
    return Dataset(
        name="usps",
        graph=knn_graph(pixels, k).with_node_table({"image": pixels.reshape(-1, 16, 16)}),
        labels=table[:, 256].astype(np.intp) - 1,
        classes=DIGITS,
        description=f"handwritten digits of envelopes joined with their {k} nearest images",
        source="Hull. A database for handwritten text recognition research. PAMI 16(5), 1994",
        points=pixels,
        images=pixels.reshape(-1, 16, 16),
    )
