"""Write the points of an assignment into the grade table that Moodle, Canvas or a teacher has."""

import csv
import io
import re
import sys
from pathlib import Path

from .classroom import Classroom, plain
from .report import rows


def fill(root: Path, name: str, path: Path, column: str) -> Path:
    """Return where a copy of a CSV table is, in whose column each student who is graded and read
    has points. Students are known by the column in which most of them stand, alone or as the last
    word.
    """
    classroom = Classroom(root)
    classroom.require(name)
    points = {row.student: row for row in rows(classroom, name)[1] if row.points}
    text = path.read_text(encoding="utf-8-sig")
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    head, *lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    if column not in head:
        sys.exit(f"there is no column {column!r} in {path.name}; there are {', '.join(head)}")

    def who(line, k):
        cell = line[k] if k < len(line) else ""
        return cell if cell in points else (re.findall(r"[\w-]+", cell) or [""])[-1]

    def known(k):
        return {who(line, k) for line in lines} & points.keys()

    key, place = max(range(len(head)), key=lambda k: len(known(k))), head.index(column)
    for line in lines:
        row = points.get(who(line, key))
        if row and not row.to_read:
            line[place] = f"{row.total:g}"
    target = classroom.root / "grades" / f"filled_{path.name}"
    target.parent.mkdir(exist_ok=True)
    with open(target, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([head, *lines])
    found, unread = known(key), [each for each, row in points.items() if row.to_read]
    ready = len(found - {*unread})
    print(f"grades/{target.name}  {ready} of {len(points)} graded students have points")
    for words, some in (("answers to read", unread), ("not in this table", points.keys() - found)):
        if some:
            print(plain(f"left out, {words}: {', '.join(sorted(some))}"))
    return target
