"""Methods that embed each node as a vector and classify the vectors."""
