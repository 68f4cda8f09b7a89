"""Commands on a partitioned graph: on a Dask cluster, or out of core on this machine."""
