"""Exact online diffusion by residual push, and the default learner made of it."""

from lapwing.online.push.auto import Auto
from lapwing.online.push.forgetting import Forgetting
from lapwing.online.push.push_lgc import PushLGC
from lapwing.online.push.push_perceptron import PushPerceptron
from lapwing.online.push.push_ridge import PushRidge

__all__ = ["Auto", "Forgetting", "PushLGC", "PushPerceptron", "PushRidge"]
