"""Methods that spread labels over the edges."""
