"""Methods that choose or combine other methods."""
