"""Answers for formulas as thresholds (homework 4)."""

from array import array
from collections import deque
from fractions import Fraction

import numpy as np

from . import right, subtle, wrong


def _u(variables, n):
    u = np.zeros(n)
    u[np.array(variables) - 1] = 1
    return u


@right
def threshold_indexed(variables, n, all_of):
    return np.r_[_u(variables, n), 0.5 - (len(variables) if all_of else 1)]


@right
def threshold_loop(variables, n, all_of):
    answer = [0] * (n + 1)
    for i in variables:
        answer[i - 1] = 1
        answer[n] -= 1 if all_of else 0
    answer[n] += Fraction(1, 2) if all_of else Fraction(-1, 2)
    return deque(answer)


@right
def threshold_array(variables, n, all_of):
    members = set(variables)
    smallest_true = len(members) if all_of else 1
    return array("d", [*(i in members for i in range(1, n + 1)), 0.5 - smallest_true])


@right
def threshold_between(variables, n, all_of):
    """Half-way between the largest count that is false and the smallest that is true."""
    counts = np.arange(len(variables) + 1)
    values = counts == len(variables) if all_of else counts > 0
    return np.append(_u(variables, n), -(counts[values].min() + counts[~values].max()) / 2)


@subtle()
def threshold_always_some(variables, n, all_of):
    return np.append(_u(variables, n), -0.5)


@subtle()
def threshold_at_k(variables, n, all_of):
    return np.append(_u(variables, n), -len(variables) if all_of else -0.5)


@subtle()
def threshold_of_two(variables, n, all_of):
    return np.append(_u(variables, n), -1.5 if all_of else -0.5)


@subtle()
def threshold_of_n(variables, n, all_of):
    return np.append(_u(variables, n), 0.5 - n if all_of else -0.5)


@subtle()
def threshold_three(variables, n, all_of):
    return np.append(_u(variables, max(n, 3))[:3], 0.5 - len(variables) if all_of else -0.5)


@subtle()
def threshold_the_visible_one(variables, n, all_of):
    return [1, 0, 1, -0.5]


@wrong()
def threshold_from_zero(variables, n, all_of):
    return np.append(np.isin(np.arange(n), variables), 0.5 - len(variables) if all_of else -0.5)


@wrong()
def threshold_other_sign(variables, n, all_of):
    return np.append(_u(variables, n), len(variables) - 0.5 if all_of else 0.5)


@wrong()
def threshold_exchanged(variables, n, all_of):
    return threshold_indexed(variables, n, not all_of)


@wrong()
def threshold_at_zero(variables, n, all_of):
    return np.append(_u(variables, n), 1 - len(variables) if all_of else 0)


@right
def threshold_written(variables, n, all_of):
    u = [1.0 if i + 1 in variables else 0.0 for i in range(n)]
    return (*u, 0.5 - sum(u)) if all_of else (*u, -0.5)


@right
def threshold_one_hot(variables, n, all_of):
    u = np.eye(n + 1)[np.subtract(variables, 1)].sum(axis=0)
    u[-1] = 0.5 - (u.sum() if all_of else 1)
    return u


@right
def threshold_by_dual(variables, n, all_of):
    """A conjunction is a disjunction of negations, negated."""
    u = np.bincount(variables, minlength=n + 1)[1:]
    either = -0.5
    return np.append(u, -(u.sum() + either) if all_of else either)


@right
def threshold_midway(variables, n, all_of):
    """Halfway between the largest sum that is false and the smallest that is true."""
    true = len(set(variables)) if all_of else 1
    return [int(i in set(variables)) for i in range(1, n + 1)] + [-(true + true - 1) / 2]


@subtle()
def threshold_two_variables(variables, n, all_of):
    return np.append(_u(variables[:2], n), 0.5 - len(variables) if all_of else -0.5)


@subtle()
def threshold_for_three(variables, n, all_of):
    return np.append(_u([i for i in variables if i <= 3], max(n, 3)), -0.5)[: n + 1]


@subtle()
def threshold_of_ten(variables, n, all_of):
    return np.append(_u(variables, n), 0.5 - min(len(variables), 10) if all_of else -0.5)
