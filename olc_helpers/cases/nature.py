"""Short documents for lecture 20: the names of characters."""

from unicodedata import ucd_3_2_0

import numpy as np

_GENERATED = "CJK UNIFIED", "CJK COMPATIBILITY", "HANGUL SYLLABLE"  # names by number, no documents


def character_names() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return (rows, kinds, words): the names of 12886 characters as sets of words, their kinds
    ("Lu" is a capital letter), and the different words.

    Each row lists the words of a name by number, filled up with the number of words. The table is
    Unicode 3.2, which each Python brings, whatever its own Unicode is: it never changes.
    """
    named = ((char, ucd_3_2_0.name(char, "")) for char in map(chr, range(0x110000)))
    kept = [(char, name) for char, name in named if name and not name.startswith(_GENERATED)]
    documents = [sorted(set(name.split())) for _, name in kept]
    words = sorted(set().union(*documents))
    number, widest = {word: i for i, word in enumerate(words)}, max(map(len, documents))
    rows = np.full((len(documents), widest), len(words))
    for row, document in zip(rows, documents, strict=True):
        row[: len(document)] = [number[word] for word in document]
    return rows, np.array([ucd_3_2_0.category(char) for char, _ in kept]), words
