"""Reproduce the papers' tables and figures: studies, trials, results and reports."""

from lapwing.deprecation import former_names
from lapwing.reproduce.plan import Trial, planned
from lapwing.reproduce.results import Cell, Results
from lapwing.reproduce.runs import records
from lapwing.reproduce.study import Study, load_study, names

__all__ = ["Cell", "Results", "Study", "Trial", "load_study", "names", "planned", "records"]

__getattr__ = former_names("lapwing.reproduce", {"load": "load_study"})
