"""Turn a user's parameter into a rule."""

from __future__ import annotations

from lapwing.errors import InputError
from lapwing.online.push.asking import ALWAYS, BUDGET, KAPPA, TARGET


def asks(
    *, budget: int | None = None, target_error: float | None = None, kappa: float | None = None
) -> tuple[int, float]:
    """Return the rule's number and its parameter; without a parameter it always asks.

    Examples
    --------
    >>> asks(), asks(budget=100)
    ((0, 0.0), (1, 100.0))
    """
    knobs = {"budget": budget, "target_error": target_error, "kappa": kappa}
    given = [name for name, value in knobs.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"at most one of budget, target_error, kappa can be set, got {given}")
    if budget is not None:
        if budget < 0:
            raise InputError(f"budget must be at least 0, got {budget}")
        return BUDGET, float(budget)
    if target_error is not None:
        if not 0.0 <= target_error <= 1.0:
            raise InputError(f"target_error must lie in 0..1, got {target_error}")
        return TARGET, float(target_error)
    if kappa is not None:
        if not kappa > 0.0:
            raise InputError(f"kappa must be positive, got {kappa}")
        return KAPPA, float(kappa)
    return ALWAYS, 0.0
