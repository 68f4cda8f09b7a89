"""Diffusion by residual push: the learners users get by default."""

from __future__ import annotations

from lapwing.bandit.push_bandit import PushBandit
from lapwing.catalog.entry import Entry
from lapwing.online import ExpertPool, NearFar
from lapwing.online.push import Auto, PushLGC, PushPerceptron, PushRidge

ENTRIES = (
    Entry(
        name="auto",
        kind="online",
        summary="several diffusions kept exact by pushes, weighed by what they get right",
        paper="Zhou et al. 2004; Cesa-Bianchi and Lugosi 2006",
        build=Auto,
    ),
    Entry(
        name="near-far",
        kind="online",
        summary="labels nearby times the graph at large: for sessions, where labels are few",
        paper="Zhou et al. 2004; Belkin and Niyogi 2004",
        build=NearFar,
    ),
    Entry(
        name="pool",
        kind="online",
        summary="near-far, attributes and structure, each trusted as its guesses deserve",
        paper="Cesa-Bianchi and Lugosi 2006",
        build=ExpertPool,
    ),
    Entry(
        name="push-lgc",
        kind="online",
        summary="local and global consistency, exactly up to date after every label and edge",
        paper="Zhou et al. 2004; Andersen et al. 2006",
        build=PushLGC,
    ),
    Entry(
        name="push-ridge",
        kind="online",
        summary="ridge regression on the diffusion kernel, by the same pushes",
        paper="Herbster and Pontil 2006; Andersen et al. 2006",
        build=PushRidge,
    ),
    Entry(
        name="push-perceptron",
        kind="online",
        summary="the perceptron on the diffusion kernel, its columns spread by pushes",
        paper="Herbster and Pontil 2006",
        build=PushPerceptron,
    ),
    Entry(
        name="push-bandit",
        kind="bandit",
        summary="the same diffusion told one bit: accepted guesses attract, rejected ones repel",
        paper="Yang et al. 2018 (feedback); Andersen et al. 2006",
        build=PushBandit,
    ),
)
