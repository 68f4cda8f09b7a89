"""Metrics: how well predictions and queries agree with the true labels."""

from lapwing.metrics.attribute_worth import AttributeWorth, attribute_worth
from lapwing.metrics.calibration import (
    Bin,
    brier,
    calibration_error,
    label_calibration_error,
    log_loss,
    reliability,
)
from lapwing.metrics.f1 import F1, f1
from lapwing.metrics.rounds import MEASURES, Summary, cumulative, spread, summary

__all__ = [
    "AttributeWorth",
    "Bin",
    "F1",
    "MEASURES",
    "Summary",
    "attribute_worth",
    "brier",
    "calibration_error",
    "cumulative",
    "f1",
    "label_calibration_error",
    "log_loss",
    "reliability",
    "spread",
    "summary",
]
