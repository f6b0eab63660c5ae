"""What several tests draw at random: numbers, tables, streams; and nature that watches."""

from copy import deepcopy

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from olc_helpers import play

MODEST = settings(max_examples=60)
BITS, SIGNS, ENDS = st.integers(0, 1), st.sampled_from([-1, 1]), st.sampled_from([0.0, 1.0])
UNIT = ENDS | st.floats(0, 1)


def sizes(most, columns):
    """Draws (T, n) from (1, 1) up."""
    return st.tuples(st.integers(1, most), st.integers(1, columns))


def tables(shapes, elements=BITS, kind=int):
    """Draws a table of one of the shapes."""
    return shapes.flatmap(lambda shape: arrays(kind, shape, elements=elements))


def trials(shapes, elements, labels=None, kind=int):
    """Draws (X, y), by default with labels that are such elements, too."""
    return tables(shapes, elements, kind).flatmap(
        lambda X: st.tuples(
            st.just(X), arrays(kind, len(X), elements=elements if labels is None else labels)
        )
    )


@st.composite
def forecasts(draw, shapes, elements):
    """Draws T x n numbers, often the same on every trial."""
    T, n = draw(shapes)
    if draw(st.booleans()):
        return draw(arrays(float, (T, n), elements=elements))
    return np.tile(draw(arrays(float, n, elements=elements)), (T, 1))


def against(learner, X, nature):
    """Returns the Run on the labels `nature(x, prediction)` of a first play, by a shortcut if there
    is one.
    """
    return play(learner, X, play(deepcopy(learner), X, nature).y)
