"""The pool of experts: graph, attributes and structure, weighted by what they get right."""
