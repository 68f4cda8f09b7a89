"""``lapwing reproduce``: the papers' tables and figures, run again."""
