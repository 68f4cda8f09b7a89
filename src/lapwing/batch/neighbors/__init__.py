"""Methods that vote or learn on the labels of neighbours."""
