"""What wvGN costs: processor seconds and memory of the exact solver on Cora with 1% of labels.

Ye 2017's tables and figures themselves: ``lapwing reproduce ye2017/table1`` and so on.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from lapwing import data
from lapwing.batch import WVGN
from lapwing.reproduce.trials.split import labelled_nodes, truth_of


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    found = data.load("cora-full")
    truth = truth_of(found)
    given = labelled_nodes(truth, {"labels": 0.01}, seed=0)
    WVGN(found.graph).fit(given[:20], truth[given[:20]])
    before, begin = megabytes(), time.process_time()
    model = WVGN(found.graph).fit(given, truth[given])
    model.predict(np.arange(found.graph.n_nodes))
    print(
        f"wvgn exact, {found}, 1% ({len(given)} labels, lambda {model.ridge_:g} chosen inside): "
        f"{time.process_time() - begin:.2f} CPU s, peak {megabytes():.0f} MB "
        f"of which {before:.0f} MB before; all rows would be "
        f"{8 * found.graph.n_nodes**2 / 2**20:,.0f} MB"
    )


if __name__ == "__main__":
    main()
