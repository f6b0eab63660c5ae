"""Data of one's own in a CSV file, read so that whatever is wrong has a row and a column."""

import csv
import io
import math
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..checks import SPACES
from .words import UserError, nearest


class Data(NamedTuple):
    """The columns of a file that are used, as numbers, and where they stand in the file."""

    names: dict[int, str]  # of the columns of the file, if it has a header
    rows: list[int]  # of the file, counted from 1
    columns: list[int]
    values: np.ndarray  # one row for each of the rows, one column for each of the columns

    def name(self, column: int) -> str:
        """Return what to call a column of the file, counted from 0."""
        return self.names.get(column, f"column {column + 1}")

    def only(self, columns: list[int]) -> "Data":
        """Return the data of some of the columns."""
        return self._replace(
            columns=columns, values=self.values[:, [self.columns.index(c) for c in columns]]
        )

    def check(self, space: str, wanted: str) -> None:
        """Raise a UserError for the first entry that is not in a space of `checks.SPACES`."""
        expected, test = SPACES[space]
        for t, j in np.argwhere(~test(self.values))[:1]:
            where = _place(self.names, self.rows[t], self.columns[j])
            raise UserError(f"{where}: {self.values[t, j]:g} is not {expected}, which {wanted}")


def _place(names, row, column):
    return f"row {row}, column {column + 1}" + (f" ({names[column]})" if names else "")


def column_of(text: str, names: dict[int, str], n: int) -> int:
    """Return the column, counted from 0, that is named or numbered, or the first or the last."""
    found = [column for column, name in names.items() if name == text]
    if len(found) > 1:
        raise UserError(f"{len(found)} columns are called {text!r}: give the number, 1 to {n}")
    if found or text in ("first", "last"):
        return found[0] if found else {"first": 0, "last": n - 1}[text]
    if text.isdecimal() and 1 <= int(text) <= n:
        return int(text) - 1
    if names and not text.isdecimal():
        raise UserError(nearest("column", text, names.values()))
    why = "" if names else " (the file has no header with names)"
    raise UserError(f"there is no column {text!r}{why}; give first, last or a number, 1 to {n}")


def read(path: str, skipped: list[str]) -> Data:
    """Return the numbers of a CSV file, or of the standard input if the path is -."""
    table, names = _table(path), {}
    first, top = table[0]
    for row, cells in table:
        if len(cells) != len(top):
            raise UserError(f"row {row} has {len(cells)} columns, row {first} has {len(top)}")
    if not any(_is_number(cell) for cell in top):
        names = {column: cell.strip() for column, cell in enumerate(top)}
        del table[0]
    if not table:
        raise UserError(f"{path} has a header, but no data")
    n = len(top)
    left_out = {column_of(text, names, n) for text in skipped}
    columns = [column for column in range(n) if column not in left_out]
    values = [[_number(cells[c], names, row, c) for c in columns] for row, cells in table]
    values = np.array(values, float).reshape(len(table), -1)
    return Data(names, [row for row, _ in table], columns, values)


def _table(path):
    """Return (row, cells) for each row of the file that is not empty; rows are counted from 1."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        text = data.decode("utf-8-sig")
        first = text.lstrip("\r\n").partition("\n")[0]
        separator = next((s for s in "\t;," if s in first), ",")
        table = [*enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1)]
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        before, byte = error.object[: error.start], error.object[error.start]
        row = before.count(b"\n") + 1
        raise UserError(
            f"{path} is not UTF-8: row {row} holds the byte {byte:#04x}; save it as CSV UTF-8"
        ) from None
    except csv.Error as error:
        raise UserError(f"{path} is no CSV file: {error}") from None
    table = [(row, cells) for row, cells in table if any(cell.strip() for cell in cells)]
    if not table:
        raise UserError(f"{path} is empty")
    return table


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell, names, row, column):
    known = _is_number(cell)
    if known and math.isfinite(float(cell)):
        return float(cell)
    expected = "finite number" if known else "number"
    found = f"{cell!r} is no {expected}" if cell.strip() else "there is nothing"
    hint = " (a row with a number in it is no header)" if row == 1 else ""
    raise UserError(f"{_place(names, row, column)}: {found}{hint}")
