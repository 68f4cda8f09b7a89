"""Validators of arguments, with uniform error messages.

A public method checks its arguments once, here, and then calls unchecked code. Every message says
what must hold and what was given.
"""

from lapwing.checks.collections import several, value_per_name
from lapwing.checks.labels import (
    MOST_CLASSES,
    class_names,
    label_text,
    many_labels,
    many_signs,
    one_label,
    one_sign,
)
from lapwing.checks.memory import fits_in_memory, free_memory, memory_size
from lapwing.checks.nodes import (
    candidates,
    costs,
    many_nodes,
    node_or_nodes,
    one_node,
)
from lapwing.checks.parameters import (
    at_least,
    between,
    finite_at_least,
    finite_positive,
    one_of,
    plain_text,
    positive,
    strictly_between,
    true_or_false,
    whole_number,
)
from lapwing.checks.tables import chance_table, label_table, number_table, zero_one_table

__all__ = [
    "MOST_CLASSES",
    "at_least",
    "between",
    "candidates",
    "chance_table",
    "costs",
    "finite_at_least",
    "finite_positive",
    "fits_in_memory",
    "free_memory",
    "label_table",
    "class_names",
    "label_text",
    "many_labels",
    "many_nodes",
    "many_signs",
    "memory_size",
    "node_or_nodes",
    "number_table",
    "one_label",
    "one_node",
    "one_of",
    "one_sign",
    "plain_text",
    "positive",
    "several",
    "strictly_between",
    "true_or_false",
    "value_per_name",
    "whole_number",
    "zero_one_table",
]
