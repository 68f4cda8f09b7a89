"""One file per group of addresses; each turns a request into one call and its result into JSON."""
