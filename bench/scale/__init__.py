"""What size costs: kernel, rows, batch methods and sessions on planted and skewed graphs."""
