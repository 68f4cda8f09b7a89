"""Linear models of all classes at once, and the choice of their penalty."""
