"""The halving algorithm and the counts of labellings it needs."""
