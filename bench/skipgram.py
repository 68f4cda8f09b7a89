"""Skip-gram here against gensim's on the same walks: time, and DeepWalk's score on PubMed."""

from __future__ import annotations

import argparse
import time

import numpy as np

from lapwing import data
from lapwing.batch import DeepWalk
from lapwing.batch.embedding.row_classifier import scaled_rows
from lapwing.embed.skipgram import skip_gram
from lapwing.embed.walks import random_walks
from lapwing.metrics import f1
from lapwing.optional import need
from lapwing.reproduce.trials.split import labelled_nodes, truth_of

DIMENSION, WINDOW, NEGATIVES = 128, 10, 5


def ours(walks: np.ndarray, n: int) -> np.ndarray:
    return skip_gram(walks, n, dimension=DIMENSION, window=WINDOW, negatives=NEGATIVES)


def gensims(walks: np.ndarray, n: int, *, hierarchical: bool = False) -> np.ndarray:
    word2vec = need("gensim.models", extra="bench").Word2Vec
    sentences = [[str(node) for node in walk if node >= 0] for walk in walks.tolist()]
    model = word2vec(
        sentences,
        vector_size=DIMENSION,
        window=WINDOW,
        min_count=0,
        sg=1,
        hs=int(hierarchical),
        negative=0 if hierarchical else NEGATIVES,
        workers=1,
        epochs=1,
        sample=0,
        seed=1,
    )
    return np.array([model.wv[str(node)] for node in range(n)], dtype=np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="pubmed")
    parser.add_argument("--per-node", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    found = data.load(options.data)
    truth, n = truth_of(found), found.graph.n_nodes
    begin = time.process_time()
    walks = random_walks(found.graph, length=40, per_node=options.per_node)
    print(f"{found}: {walks.size:,} steps of walks in {time.process_time() - begin:.1f} CPU s")
    skip_gram(walks[:1], n, dimension=DIMENSION)
    ways = {
        "ours": ours,
        "gensim": gensims,
        "gensim, hierarchical": lambda w, n: gensims(w, n, hierarchical=True),
    }
    for name, make in ways.items():
        begin = time.process_time()
        rows = make(walks, n)
        seconds = time.process_time() - begin
        model = DeepWalk(found.graph)
        model.__dict__["rows"] = scaled_rows(rows)
        cells = []
        for amount in (0.01, 0.05):
            scores = []
            for seed in range(options.repeats):
                given = labelled_nodes(truth, {"labels": amount}, seed)
                rest = np.setdiff1d(np.arange(n), given)
                guesses = model.fit(given, truth[given]).scores(rest)
                scores.append(100 * f1(guesses, truth[rest]).micro)
            cells.append(f"{amount:.0%}: {np.mean(scores):.1f} +- {np.std(scores):.1f}")
        print(f"{name:22s} {seconds:6.1f} CPU s   Micro-F1 {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
