"""A folder of Parquet files becomes a partitioned graph, a file or a block per task."""
