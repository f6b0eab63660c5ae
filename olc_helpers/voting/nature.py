"""Handwritten digits and tagged sentences for lecture 10."""

import numpy as np

from ..optional import data_of_sklearn

# Made-up sentences with their taggings: D determiner, A adjective, N noun, P pronoun, V verb.
# Seven of the twelve words have more than one tag.
_TAGGED = """
we/P can/V fish/V
they/P saw/V a/D saw/N
the/D fish/N can/V watch/V
we/P can/V the/D fish/N
the/D old/A man/N saw/V a/D light/N
the/D old/N man/V the/D boats/N
they/P watch/V the/D old/A watch/N
a/D man/N can/V light/V the/D light/N
we/P man/V the/D old/A boats/N
old/A fish/N watch/V the/D light/A boats/N
the/D man/N can/V saw/V the/D can/N
they/P light/V a/D light/A can/N
the/D boats/N watch/V the/D fish/N
the/D light/N can/V fish/V
"""
SENTENCES = tuple(
    tuple(part)
    for part in zip(
        *(
            tuple(zip(*(token.split("/") for token in line.split()), strict=True))
            for line in _TAGGED.strip().splitlines()
        ),
        strict=True,
    )
)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return (X, digit): scikit-learn's 1797 handwritten digits, 64 grey values from 0 to 1 each,
    and a constant feature 1.
    """
    file = data_of_sklearn("digits.csv.gz", "reading the handwritten digits")
    data = np.loadtxt(file, delimiter=",")
    return np.column_stack([data[:, :64] / 16, np.ones(len(data))]), data[:, 64].astype(int)
