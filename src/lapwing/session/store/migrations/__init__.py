"""Steps from each shape of the tables to the next."""
