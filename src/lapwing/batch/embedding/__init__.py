"""Methods that turn each node into a row and classify the rows."""
