"""The parts of a layout: levels of a graph, forces between nodes, packing of components."""
