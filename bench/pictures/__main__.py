"""Draw every picture again: ``python -m bench.pictures``."""

from bench.pictures import PAGES, drawn

for each in PAGES:
    print(drawn(each))
