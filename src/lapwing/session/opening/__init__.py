"""How a session opens: its parts, its place in a store, and what its graph has gained."""
