"""What was decided on the development graphs: the text of the results page."""

from __future__ import annotations

CHOICES = """\
## What was decided on the development graphs

Seeds from 100 on, sessions and held-out halves as above; none of these runs is in the tables.

- **Experts judged by labels left out** in place of exponents fitted to earlier guesses. The same
  label orders (6 seeds each), random labels, 20 / 50 / 100 / 200: cora 61.6 / 75.1 / 81.1 / 84.3
  before, 63.8 / 77.7 / 81.7 / 85.2 after; chameleon 33.7 / 33.9 / 36.0 / 38.8 before, 33.4 / 33.8 /
  35.9 / 40.1 after; texas 56.8 / 73.4 before, 56.8 / 74.2 after. Chosen labels: cora 74.2 / 79.2 /
  82.9 / 86.0 before, 75.7 / 80.0 / 83.5 / 86.5 after; texas 58.1 / 68.9 before, 61.9 / 73.1 after.
  Which experts belong to a view, and the power of a label's likelihood (a quarter to 1), hardly
  mattered on seven development graphs: means within 0.2 points.
- **Less expected of neighbours whose attributes are not alike**, as in `classify`. With attributes,
  chosen less random labels at 20 / 50: chameleon -13.5 / -3.4 (4 seeds) before, -1.6 / -1.2 after
  (6 seeds); texas +0.6 / -3.5 before, +9.3 / -1.3 after.
- **No hubs before the audits speak for it.** Graph only, 20 / 50 labels, 8 seeds: chameleon 26.6 /
  33.7 before, 29.0 / 35.5 after (random labels 34.0 / 34.2); cora 73.9 / 76.9 before, 72.6 / 77.7
  after; digits 93.7 / 97.3 before, 95.7 / 97.6 after; co-authors 60.6 / 63.6 before, 57.5 / 63.4
  after; network2 52.8 / 76.1 before, 57.5 / 75.6 after. **The goal of one point below random labels
  is missed on chameleon's and network2's graphs alone at 20 labels.**
- **Classes balanced**: probabilities over a power of the classes' shares among the labels, learned
  from 0.4 on. Accuracy at 20 / 50 labels, chosen and random, 8 seeds each: texas 60.2 / 72.6 to
  62.4 / 76.2, network2 61.2 / 74.6 to 67.7 / 78.9, chameleon 32.5 / 34.3 to 32.6 / 35.3, cora's
  graph alone 67.2 / 75.2 to 67.4 / 75.9; planted graphs with a class of 80 to 95% within 0.5 of
  before. Shares matched by force, or only those outside an interval: worse, or no gain.
- **Class shares as a view of their own**, first weight 0.15. Labels that have nothing to do with
  their graph (8 seeds, 5 / 10 / 20% labels, largest class 47.6 / 49.8 / 49.9): 42.1 / 46.7 / 47.7
  without it, 45.2 / 49.5 with a weight of 0.5, which cost chameleon two points at 50 and 100 chosen
  labels (seen at the reported seeds). On the development seeds its losses speak against class
  shares by 3.5 nats and more at 100 labels; those of labels at random for them by 0.6 to 4.5 at 40
  to 80: hence 0.15.
- **A class with n labels raised by at most 1 + n / 2**, since its share is uncertain. The graph
  alone, 8 seeds, 20 / 50 labels, balance off, as before, and with limits of 1 + n / 3 and
  1 + n / 1.5 (1 + n / 2 lies between them; balance read off the same runs): chosen labels of texas
  52.6 / 61.5, 51.1 / 63.7, 51.8 / 63.7 and 51.4 / 63.7; of network2 58.5 / 75.0, 66.7 / 77.1,
  66.9 / 77.1 and 66.7 / 77.1; of generated casts with hubs and a class of 55% 70.6 / 76.6,
  72.4 / 77.1, 71.8 / 76.9 and 72.3 / 77.1. Hardly a difference; kept because a share counted from
  one label is hardly known. Whether it helps where one label decides was not measured.
  Shares shrunk towards even ones (2, 4 or 8 labels more for each class), or a power times
  n / (n + 1) or n / (n + 3), lost most of the gain on network2. Not taken.
- **Streams: `auto` learns which classes go together**, and has the class shares beside it. Labels
  at random, 5 / 10%, 8 seeds, points above the largest class among them (the mean of those that
  tie), with first weights of 2 and 4, 2 and 2 (taken), 4 and 0.001 (hardly any class shares), and
  before: texas -0.6 / 0.0, -0.7 / -0.2, -0.1 / +0.5 and -7.8 / -5.1; network2 (6 and 12 labels)
  +0.9 / +11.8, +2.5 / +13.9, +3.9 / +14.8 and +5.5 / +14.2. **The goal of half a point below the
  former `auto` is missed on network2 at 5% (by 3 points).** Labels that have nothing to do with
  their graph, 1,500 nodes: -0.2 / 0.0, -0.4 / -0.2, -1.6 / -1.7 with hardly any class shares.
  Generated graphs of people and places: with 2 and 4, 79.0 / 88.9 (6 seeds), and 57.8 / 80.5
  without a look at neighbours' neighbours. 200 nodes whose neighbours differ: -2.7 at 10 labels
  (**missed** by 1.7), +5.5 at 20. cora, digits and co-authors at 5, 10 and 20% with 2 and 4: within
  0.4 of before (4 seeds).
- **Streams: first weights by whether the graph has communities** (`community_prior`, as in
  `classify`). Generated graphs without communities whose neighbours differ, 5 / 10% labels, 29
  graphs, 24 seeds: mean 50.1 before, 51.0 with the diffusions' weights times 0.03 to 1, 50.8 with
  0.25 to 1; more than a point below the largest class in 18, 4 and 6 of 58 settings. But where
  neighbours are alike and communities too faint to be told (5 graphs), 61.9 to 60.7 and 61.1, at
  worst -4.1 and -2.4. With communities, a first weight of 1 for classes that go together and 0.5
  for class shares (2 and 2 today): network2 at 5% +2.4, 41 graphs whose neighbours are alike +0.9
  on average, but labels at random on graphs with communities -1.3, at worst -5.1 (12 seeds). Taken:
  0.25 to 1 without communities.
- **Penalties kept from 30 labels on until there are a quarter more**, and found from the usual one
  step by step, and near-far's regression compiled: 200 labels of cora take 1.7 CPU s, 2.8 before;
  random labels, seed 100: 68.1 / 80.9 / 82.4 / 84.5 before, 68.1 / 81.0 / 82.4 / 84.5 after.
- **Class shares corrected by the audits** where near-far is behind them: chameleon's graph alone
  26.6 / 33.7 to 28.8 / 31.7, texas' 54.9 / 62.0 to 50.3 / 62.4. Not taken.
- **Last temperature from the audits**, from 1 on (0.9 before), since the mixture is modest by
  itself. Calibration error with chosen labels at 20 / 50 (6 seeds): cora 9.8 / 7.7 from 0.9 on, 6.5
  / 3.8 from 1 on and with today's rule of asking; digits 4.3 / 0.9.
- **Two dozen smooth directions on small graphs** (`usual_rank`), one per 50 nodes before, which are
  three for a hundred nodes. The graph alone, 8 seeds, labels at random at 12 / 20 / 50: network2
  59.4 / 65.8 / 80.6 before, 77.1 / 82.5 / 89.8 with 24, 74.8 / 80.0 / 87.7 with 16; twelve planted
  communities in 115 nodes 48.6 / 58.8 / 82.6 before, 57.2 / 72.8 / 91.9 and 57.2 / 72.2 / 91.7; six
  in 150 (10 seeds) 57.0 / 69.6 / 76.1 before, 73.7 / 87.3 / 92.6 with 24. Sparse ones of 860 nodes
  lose: 61.7 / 65.7 / 72.3 before and with 16, 60.3 / 65.2 / 71.1 with 24. Where neighbours differ,
  at 10 / 20 / 50 (24 seeds): texas 47.7 / 53.5 / 62.9 before, 46.7 / 51.8 / 61.0 with 24 (its
  prior, below, not yet in use), hubs and leaves 37.9 / 41.9 / 47.6 before, 36.5 / 40.4 / 46.2.
  `classify`, 12 / 20 / 40 labels, 8 seeds: the twelve communities 82.9 / 80.9 / 81.8 before, 91.3 /
  93.2 / 93.8 after; network2 59.6 / 69.2 / 75.3 and 67.8 / 74.8 / 84.2. Forty planted communities
  in 2,000 nodes would gain 2 to 4 points with 48 directions (32 today), twenty nothing. Not taken.
- **Neighbours trusted less where the graph has no communities** (`community_prior`), in sessions
  from edges alone, too. Chosen labels at 9 / 18 / 36: accounts and shops 23.8 / 48.6 / 77.7 before,
  67.2 / 76.7 / 81.1 after (8 seeds), texas 39.4 / 49.5 / 60.9 and 51.1 / 52.4 / 60.2 (24 seeds);
  labels at random 54.8 / 63.3 / 74.5 and 66.0 / 69.7 / 75.1, 46.1 / 50.4 / 58.6 and 49.0 / 53.0 /
  58.9. Five planted graphs whose neighbours are alike and network2 are not touched.
- **Guesses held against class shares on classes that had labels**: a label of a new class, which
  nobody can guess, counted against the learner alone. Chosen labels of digits at 10 / 15 / 20 / 30,
  16 seeds: 77.3 / 92.5 / 95.8 / 97.3 before, 80.5 / 91.7 / 95.5 / 96.9 after.
- **Nearby labels divided by the number of labels of their class** (or its root): where walks reach
  all of a graph, the class with most labels wins everywhere. Labels at random at 20: cora +0.6,
  planted communities +0.2 to +1.5, but a class of 85% -2 to -3. Not taken.
- **A stand-in for usps**: digits turned, sheared, shifted and mixed with their neighbours, 7,000 of
  16 x 16 pixels in unequal classes joined with their three nearest. Chosen labels at 10 / 20 / 50,
  10 seeds: near-far 79.9 / 87.9 / 93.2, the pool 77.9 / 90.8 / 94.3. It does not show the loss.
"""
