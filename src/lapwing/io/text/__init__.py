"""Edge lists and tables as text."""
