"""A table of tumours, and two learners that are each other's nature (lecture 05)."""

from copy import deepcopy

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_count, check_values
from ..optional import data_of_sklearn
from ..protocol import Learner, Run, play

_MEASURES = (
    "radius, texture, perimeter, area, smoothness, compactness, concavity, concave points,"
    " symmetry, fractal dimension"
).split(", ")
TUMOUR_FEATURES = tuple(
    f"{kind} {name}" for kind in ("mean", "s.e. of", "worst") for name in _MEASURES
)


def tumours() -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): scikit-learn's 569 breast tumours, thirty measurements of their cells each
    (see TUMOUR_FEATURES), and whether they were malignant (+1) or benign (-1).
    """
    file = data_of_sklearn("breast_cancer.csv", "reading the tumours")
    data = np.loadtxt(file, delimiter=",", skiprows=1)
    return data[:, :30], 1 - 2 * data[:, 30].astype(int)


def duel(rows: Learner, columns: Learner, C: ArrayLike, T: int) -> tuple[Run, Run]:
    """Return the Runs of two learners of the allocation game that play T trials against each other
    (GAME-T1): with weights p and q the rows lose C q, the columns 1 - p C.

    The entries of C are in [0, 1]. The learners are copied and never changed.
    """
    C = check_values("C", C, "unit")
    row, column = deepcopy(rows), deepcopy(columns)
    losses, others = [], []
    for _ in range(check_count("T", T)):
        p, q = row.predict(None), column.predict(None)
        losses.append(C @ q)
        others.append(p @ (1 - C))
        row.update(None, losses[-1])
        column.update(None, others[-1])
    return play(deepcopy(rows), losses), play(deepcopy(columns), others)
