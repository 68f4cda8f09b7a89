"""Learners that are only told whether a guess was right, one algorithm per file."""

from lapwing.bandit.banditron import Banditron
from lapwing.bandit.confidit import Confidit
from lapwing.bandit.linucb import LinUCB
from lapwing.bandit.molg_bandit import MOLGBandit
from lapwing.bandit.oslg_bandit import OSLGBandit
from lapwing.bandit.rows.row_bandit import RowBandit
from lapwing.bandit.soba import SOBA
from lapwing.bandit.thompson import Thompson

__all__ = [
    "Banditron",
    "Confidit",
    "LinUCB",
    "MOLGBandit",
    "OSLGBandit",
    "RowBandit",
    "SOBA",
    "Thompson",
]
