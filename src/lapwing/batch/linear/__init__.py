"""Linear models of all classes at once, and how strongly they are regularised."""
