"""How right the default of `lapwing classify` is, beside simple methods and other libraries."""
