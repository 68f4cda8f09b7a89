"""Which node next? Every strategy at equal budget, judged on nodes that are never asked about."""
