"""Feedback on homework: what checks and hidden tests call, with the tasks of the rooms."""

from importlib import import_module

from .counterexamples import agree, search
from .feedback import TASKS, check, expect
from .own_work import Slip

__all__ = ["TASKS", "Slip", "agree", "check", "expect", "search"]
PARTS = ("experts.task", "perceptron.task", "winnow.task", "shifting.task")
for part in PARTS:
    import_module(f".{part}", __package__)
