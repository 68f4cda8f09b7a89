"""The methods that run on a partitioned graph, each with the arithmetic of one machine."""
