"""Goals that people have: what finding costs, and whether its claims hold."""
