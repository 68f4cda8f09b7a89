"""How long planted communities take to make: up to a million nodes and five million edges."""

import resource
import time

import numpy as np

from lapwing.data import planted_partition

SIZES = (1_000, 10_000, 100_000, 1_000_000)


def main() -> None:
    planted_partition(n=200)
    print("nodes      edges      communities  mixing  mean degree  seconds  peak GB")
    for n in SIZES:
        start = time.perf_counter()
        data = planted_partition(n=n, mean_degree=10, mixing=0.2)
        seconds = time.perf_counter() - start
        tails, heads, _ = data.graph.edges()
        mixing = np.mean(data.labels[tails] != data.labels[heads])
        degree = 2 * data.graph.n_edges / n
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{n:<9,}  {data.graph.n_edges:<9,}  {data.n_classes:<11,}  {mixing:<6.3f}  "
            f"{degree:<11.2f}  {seconds:<7.2f}  {peak:.2f}"
        )


if __name__ == "__main__":
    main()
