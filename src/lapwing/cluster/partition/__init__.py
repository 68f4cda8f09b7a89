"""The partitioned graph on disk: blocks of rows, their halos and a dictionary of names."""
