"""Reproduce the papers' tables and figures: studies, trials, results and reports."""

from lapwing.reproduce.plan import Trial, planned
from lapwing.reproduce.results import Cell, Results
from lapwing.reproduce.runs import records
from lapwing.reproduce.study import Study, load_study, names

__all__ = ["Cell", "Results", "Study", "Trial", "load_study", "names", "planned", "records"]
