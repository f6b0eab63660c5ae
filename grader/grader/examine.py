"""Grade one notebook: the student's cells run in the sandbox, the true test cells here."""

import ast
import builtins
import contextlib
import re
from dataclasses import dataclass, field
from functools import partial

import nbformat
from nbformat.v4 import new_markdown_cell, new_output
from nbformat.v4.nbbase import validate

from .remote import Student
from .sandbox import Sandbox
from .shell import Shell

RESTARTS = 3
MISSES = {"Slip", "NameError"}  # errors of a cell that misses an answer, or what comes after it
LIMIT = {"TimeoutError": "timed out", "MemoryError": "out of memory"}  # what an error means
UNWRITTEN = ("NotImplementedError", "NotWritten")  # errors that mean: not done yet


@dataclass
class Blueprint:
    """An assignment as the teacher wrote it: `cells` with all tests and without solutions,
    `visible` as students get it, `solutions` with the rubrics of what the teacher reads.
    """

    name: str
    cells: list
    visible: dict  # grade_id -> source
    solutions: dict  # grade_id -> Markdown

    @classmethod
    def find(cls, classroom, name):
        """Return the blueprint of an assignment of a course, with the words of its settings."""
        return cls.read(classroom.source(name), classroom.config)

    @classmethod
    def read(cls, path, config=None):
        """Return the blueprint of the source notebook at a path."""
        return cls.of(path.stem, nbformat.read(path, 4), config)

    @classmethod
    def of(cls, name, nb, config=None):
        """Return the blueprint of a source notebook."""
        from nbgrader import preprocessors

        solutions = {mark(cell)["grade_id"]: solution(cell) for cell in nb.cells if is_read(cell)}
        for step in ("ClearSolutions", "ClearOutput", "ComputeChecksums"):
            nb, _ = getattr(preprocessors, step)(config=config).preprocess(nb, {})
        cells = nb.cells
        public, _ = preprocessors.ClearHiddenTests(config=config).preprocess(
            nbformat.from_dict(nb), {}
        )
        return cls(
            name,
            cells,
            {mark(cell)["grade_id"]: cell.source for cell in public.cells if mark(cell)},
            solutions,
        )

    @property
    def marked(self):
        """The cells that nbgrader knows, by their id."""
        return {mark(cell)["grade_id"]: cell for cell in self.cells if mark(cell)}

    @property
    def given(self):
        """The code cells that students find ready."""
        return [cell for cell in self.cells if cell.cell_type == "code" and not mark(cell)]

    @property
    def titles(self) -> dict[str, str]:
        """The heading above each cell that gives points, by its id."""
        titles, heading = {}, self.name
        for cell in self.cells:
            heading = next(
                iter(re.findall(r"(?m)^## (.+?)(?: \(\d+ points\))?$", cell.source)), heading
            )
            if mark(cell).get("grade"):
                titles[mark(cell)["grade_id"]] = heading
        return titles


@dataclass
class Examined:
    """A graded notebook, and what happened: `troubles` are (kind, where, words)."""

    nb: nbformat.NotebookNode
    troubles: list = field(default_factory=list)
    blank: bool = False


def mark(cell):
    """Return nbgrader's metadata of a cell; a student's notebook may hold anything there."""
    found = cell.metadata.get("nbgrader")
    return found if isinstance(found, dict) and isinstance(found.get("grade_id"), str) else {}


def is_test(cell):
    """Return whether the cell is a test: it gives points, and nobody but the teacher writes it."""
    return (
        cell.cell_type == "code"
        and mark(cell).get("grade", False)
        and not mark(cell).get("solution", False)
    )


def is_read(cell):
    """Return whether the cell is an answer that the teacher reads and gives points for."""
    return mark(cell).get("grade", False) and mark(cell).get("solution", False)


def solution(cell) -> str:
    """Return the model solution and the rubric in a cell of the teacher, as Markdown."""
    if cell.cell_type == "markdown":
        return cell.source
    code = re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", cell.source)
    return f"**Model solution.**\n\n```python\n{code.strip()}\n```"


def beside(nb, solutions: dict):
    """Put the model solution and the rubric below each answer that the teacher reads."""
    cells = []
    for cell in nb.cells:
        cell.metadata.pop("olc_solution", None)  # a student's cell is none
        cells.append(cell)
        if is_read(cell):
            name = mark(cell)["grade_id"]
            text = '<details open class="rubric"><summary>Model solution and rubric</summary>\n\n'
            text += f"{solutions[name]}\n\n</details>"
            cells.append(new_markdown_cell(text, metadata={"olc_solution": name}))
    nb.cells = cells


def own_answers(blueprint: Blueprint, cells) -> bool:
    """Return whether the student wrote into cells of their own; a written answer that is left blank
    in the same section then waits for the teacher, as nbgrader does without a checksum.
    """
    given = {key for cell in blueprint.cells for key in (cell.source.strip(), cell.id)}
    blank, own, some = [], False, False
    for cell in [*cells, None]:
        theirs = cell is not None and not mark(cell) and not given & {cell.source.strip(), cell.id}
        if cell is None or not mark(cell) and not theirs and re.match("#+ ", cell.source):
            for answer in blank if own else ():
                answer.metadata.nbgrader.pop("checksum", None)
            blank, own = [], False
        elif is_read(cell) and cell.source.strip() in given:
            blank.append(cell)
        elif theirs and cell.source.strip():
            own = some = True
    return some


def merge(blueprint: Blueprint, nb) -> tuple[Examined, dict]:
    """Return the notebook with the true test cells, and what the student's version of them was, by
    their id.

    A copy of a cell counts only where it stands last. A test cell that is missing goes back to its
    place.
    """
    marked = blueprint.marked
    theirs = claimed(marked, nb.cells)
    tests = {name: cell for name, cell in theirs.items() if is_test(marked[name])}
    said = {name: cell.source if cell.cell_type == "code" else "" for name, cell in tests.items()}
    troubles = [
        ("tampered test cell", name, "it is not the released one; the true test was run")
        for name, cell in tests.items()
        if cell.source.strip() != blueprint.visible[name].strip()
    ]
    for name, cell in theirs.items():
        restore(cell, marked[name])
    absent = [name for name in marked if name not in theirs and mark(marked[name])["grade"]]
    troubles += [
        ("tampered test cell", name, "it is missing; the true test was run")
        for name in absent
        if is_test(marked[name])
    ]
    nb.cells = put_back(blueprint, nb.cells, theirs, absent)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    untouched = all(
        cell.source.strip() == marked[name].source.strip()
        for name, cell in theirs.items()
        if mark(marked[name])["solution"]
    )
    own = own_answers(blueprint, nb.cells)
    return Examined(nb, troubles, untouched and not own), said


def claimed(marked: dict, cells: list) -> dict:
    """Return the student's version of each marked cell that is there, by its id; of several the
    last one, and the others lose their mark.
    """
    found = {}
    for cell in reversed(cells):
        name = mark(cell).get("grade_id")
        if name in found or name not in marked:
            cell.metadata.pop("nbgrader", None)
        else:
            found[name] = cell
    return dict(reversed(found.items()))


def restore(cell, true):
    """Change a student's cell so that it is of the true kind, has the true marks and, if it is a
    test, the true source.
    """
    if cell.cell_type != true.cell_type or is_test(true):
        source = true.source if is_test(true) else cell.source
        cell.update(nbformat.from_dict(true) | {"source": source, "id": cell.get("id", true.id)})
        if cell.cell_type != "code":
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
    cell.metadata.nbgrader = nbformat.from_dict(true.metadata.nbgrader)


def put_back(blueprint: Blueprint, cells: list, theirs: dict, absent: list[str]) -> list:
    """Return the cells with the true ones for those that are absent, each behind the marked cell
    that it followed.
    """
    cells, there, names = list(cells), dict(theirs), list(blueprint.marked)
    for name in absent:
        before = [there[n] for n in names[: names.index(name)] if n in there]
        places = [place for place, cell in enumerate(cells, 1) if before and cell is before[-1]]
        there[name] = nbformat.from_dict(blueprint.marked[name])
        cells.insert(places[0] if places else 0, there[name])
    return cells


class Tester:
    """Runs the true test cells in this process; a name that no cell of the teacher defines is the
    student's.
    """

    def __init__(self, blueprint: Blueprint, student: Student):
        self.shell, self.student = Shell.start(), student
        given = [cell.source for cell in blueprint.given]
        tests = [cell.source for cell in blueprint.cells if is_test(cell)]
        self.own = {name for source in given + tests for name in self._names(source)[0]}
        for source in given:
            self.shell.run(source)

    def _names(self, source):
        """Return the names that a cell defines and those that it reads."""
        defined, read = set(), set()
        for node in ast.walk(ast.parse(self.shell.transform_cell(source))):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else defined).add(node.id)
            elif isinstance(node, ast.alias):
                defined.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined.add(node.name)
            elif isinstance(node, ast.arg):
                defined.add(node.arg)
        return defined, read

    def run(self, source: str) -> list:
        """Return the outputs of a test cell. If it failed, one of them says so, whatever became of
        the others.
        """
        theirs = sorted(
            name for name in self._names(source)[1] - self.own if not hasattr(builtins, name)
        )
        for name in theirs:
            self.shell.user_ns.pop(name, None)
        self.shell.user_ns.update(self.student.names(theirs))
        outputs, error = tidy(self.shell.run(source)), self.shell.error
        if error is not None and all(output.output_type != "error" for output in outputs):
            outputs.append(
                error_output(
                    type(error).__name__, "the test failed, and its message could not be kept"
                )
            )
        return outputs


def tidy(outputs) -> list:
    """Return the outputs that a notebook can hold; the others come from code that forged them."""
    kept = []
    for output in outputs if isinstance(outputs, list) else []:
        with contextlib.suppress(Exception):
            output = nbformat.from_dict(output)
            validate(output, "output")
            kept.append(output)
    return kept


def error_output(name, text):
    name, text = name[:100], text[:1000]
    return new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])


def examine(
    blueprint: Blueprint, nb, files: dict[str, bytes], sandbox: Sandbox, slot: int
) -> Examined:
    """Return the notebook with the outputs of all cells, run from top to bottom in the order of the
    student.
    """
    examined, said = merge(blueprint, nb)
    session = Session(blueprint, sandbox, slot, files, examined.troubles)
    numbered = [(number, c) for number, c in enumerate(nb.cells, 1) if c.cell_type == "code"]
    try:
        for count, (number, cell) in enumerate(numbered, 1):
            session.where = mark(cell).get("grade_id", f"cell {number}")
            own = said.get(session.where, "") if is_test(cell) else cell.source
            cell.outputs = session.run(own)
            if is_test(cell):
                cell.outputs = session.test(cell.source)
            elif session.misses_answers(cell.outputs):
                cell.outputs = session.show()
            cell.execution_count = count
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
    finally:
        session.stop()
    return examined


class Session:
    """A student's process and the tests while the cells of a notebook are run; `troubles` gets what
    goes wrong in the cell `where`. In the process that is tested the package has no answers; a
    figure may use them, so cells that miss them are run in another one, and shown.
    """

    where = ""

    def __init__(self, blueprint: Blueprint, sandbox: Sandbox, slot: int, files, troubles: list):
        self.make = partial(Student, sandbox, slot, files)
        self.student, self.shower, self.shown = self.make(), None, 0
        self.tester = Tester(blueprint, self.student)
        self.troubles = troubles
        self.ran, self.restarts = [], RESTARTS

    def misses_answers(self, outputs: list) -> bool:
        """Return whether a cell failed that may not fail with the whole package."""
        errors = {output.ename for output in outputs if output.output_type == "error"}
        return bool(errors & MISSES or errors and self.shower)

    def show(self) -> list:
        """Return the outputs of the last cell with the whole package."""
        self.shower = self.shower or self.make(whole=True)
        *before, last = self.ran[self.shown :]
        self._again(self.shower, before, "for")
        self.shown = len(self.ran)
        return self._guarded(self.shower, partial(self.shower.run, last))

    def stop(self):
        for student in filter(None, (self.student, self.shower)):
            student.stop()

    def run(self, source: str) -> list:
        """Return the outputs of a cell of the student."""
        before = self.student.process
        outputs = self._attempt(lambda: self.student.run(source))
        if self.student.process is before:  # a cell that ended its process is not run again
            self.ran.append(source)
        return outputs

    def test(self, source: str) -> list:
        """Return the outputs of a true test cell."""
        return self._attempt(lambda: self.tester.run(source))

    def _attempt(self, run) -> list:
        """Return the outputs of a run; after a crash, start again."""
        outputs = self._guarded(self.student, run)
        if self.student.process is None and self.restarts > 0 and not self.student.late:
            self.restarts -= 1
            self._guarded(self.student, self.student.start)
            self._again(self.student, self.ran, "after")
        return outputs

    def _again(self, student: Student, sources: list, why: str):
        """Run cells again, unless the process has ended meanwhile."""
        here, self.where = self.where, f"run again {why} {self.where}"
        for source in sources:
            if student.process is not None:
                self._guarded(student, partial(student.run, source))
        self.where = here

    def _guarded(self, student: Student, run) -> list:
        """Return the outputs of a run, whatever happens in it: all trouble is the student's."""
        student.set_time(student.sandbox.limits.cell)
        try:
            outputs = tidy(run())
        except Exception as error:
            outputs = [error_output(type(error).__name__, str(error))]
        for output in outputs:
            self._look(output)
        for kind, words in student.lost.items():
            self._note(kind, words)
        student.lost.clear()
        return outputs

    def _look(self, output):
        """Note an output which says that a limit was reached."""
        if output.get("ename") == "TimedOut":
            words = self.student.sandbox.limits.words
            output.update(error_output("TimeoutError", words))
        if kind := LIMIT.get(output.get("ename")):
            self._note(kind, output.evalue or kind)

    def _note(self, kind, words):
        """Note what went wrong in this cell, each kind once."""
        if all((kind, self.where) != trouble[:2] for trouble in self.troubles):
            self.troubles.append((kind, self.where, words))
