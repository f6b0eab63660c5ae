"""The assignments: complete, solvable, released without their solutions, and graded so that the
right code wins and no other.
"""

import copy
import csv
import functools
import pickle
import re
import zipfile
from itertools import combinations
from types import SimpleNamespace

import coursework
import homework
import matplotlib
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from coursework import ASSIGNMENTS, PLOT, copy_of
from grader.remote import Student
from nbformat.v4 import new_code_cell
from planted import PLANTS, QUESTIONS

from olc_helpers import (
    FixedShare,
    Halving,
    Perceptron,
    WeightedMajority,
    counterexamples,
    dimensions,
    feedback,
    play,
    proofs,
    streams,
)
from olc_helpers.grading import TASKS, Slip, agree, check, expect, search

template, needs_sandbox = coursework.template, coursework.needs_sandbox  # fixtures
SOURCES = {path.stem: path for path in sorted((ROOT / "notebooks/homework").glob("*/*.ipynb"))}
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
CLASSES = {task: f"My{task.title().replace('_', '')}" for task in TASKS}


@functools.cache
def cells(name):
    return nbformat.read(SOURCES[name], 4).cells


def grader(cell):
    return SimpleNamespace(
        **{"grade": False, "solution": False, "grade_id": "", "points": 0}
        | cell.metadata.get("nbgrader", {})
    )


def hidden(source):
    return "".join(
        re.findall(r"(?ms)^ *### BEGIN HIDDEN TESTS\n(.*?)^ *### END HIDDEN TESTS\n?", source)
    )


def without_hidden(source):
    return re.sub(
        r"(?ms)^ *### BEGIN HIDDEN TESTS\n.*?^ *### END HIDDEN TESTS(\n|\Z)", "", source
    ).rstrip("\n")


def without_solutions(source):
    def stub(region):
        return "".join(f"{region[1]}{line}\n" for line in STUB.split("\n"))

    return re.sub(
        r"(?ms)^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION(\n|\Z)", stub, source
    ).rstrip("\n")


def execute(sources, names=None):
    """Returns the errors of the code cells, executed one after the other; an error does not stop
    the others.
    """
    matplotlib.use("Agg")
    names, errors = {"display": print} if names is None else names, []
    for source in sources:
        try:
            exec(compile(source, "cell", "exec"), names)
        except Exception as error:
            errors.append(error)
        matplotlib.pyplot.close("all")
    return errors


def code(cells):
    return [cell.source for cell in cells if cell.cell_type == "code"]


TESTS = {
    grader(cell).grade_id.removesuffix("_check"): (name, cell.source)
    for name in SOURCES
    for cell in cells(name)
    if grader(cell).grade and not grader(cell).solution
}
PRACTICE = ["exponentiated_gradient"]  # a lecture asks for it, and no assignment
for task in PRACTICE:
    assert task not in TESTS, f"an assignment asks for {task}: it is no longer practice"
    mine = f"{CLASSES[task]}, {task!r}"
    search_too = f"### BEGIN HIDDEN TESTS\nsearch({mine})\n### END HIDDEN TESTS\n"
    TESTS[task] = "hw4_winnow", f"check({mine})\n{search_too}"


# The source ---------------------------------------------------------------------------------------


def test_there_are_six_assignments():
    assert list(SOURCES) == ASSIGNMENTS
    assert all(path.parent.name == name for name, path in SOURCES.items())


def test_together_they_ask_every_question_of_the_sources():
    with open(ROOT / "notebooks/items.csv", encoding="utf-8", newline="") as file:
        items = {row["id"] for row in csv.DictReader(file)}
    tags = {
        tag for name in SOURCES for cell in cells(name) for tag in cell.metadata.get("tags", [])
    }
    assert tags <= items
    assert {item for item in items if "-Q" in item} <= tags


@pytest.mark.parametrize("name", SOURCES)
def test_points_and_minutes_add_up(name):
    opening, graded = cells(name)[0].source, [cell for cell in cells(name) if grader(cell).grade]
    rows = [
        tuple(map(int, row))
        for row in re.findall(r"(?m)^\| (\d+) \| .+ \| (\d+) \| (\d+) \|$", opening)
    ]
    points, minutes = ([row[k] for row in rows] for k in (1, 2))
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert points == [grader(cell).points for cell in graded]
    assert f"**Points:** {sum(points)}." in opening and sum(points) == 100
    assert f"about {sum(minutes)} minutes" in opening and 60 <= sum(minutes) <= 120
    headings = re.findall(
        r"(?m)^## (\d+) · .+ \((\d+) points\)$", "\n".join(cell.source for cell in cells(name))
    )
    assert [(int(k), int(p)) for k, p in headings] == [row[:2] for row in rows]


@pytest.mark.parametrize("name", SOURCES)
def test_every_cell_has_its_metadata(name):
    ours = [cell for cell in cells(name) if "nbgrader" in cell.metadata]
    ids = [grader(cell).grade_id for cell in ours]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"\w+", i) for i in ids)
    for cell in ours:
        mark = grader(cell)
        assert (
            mark.schema_version == 3
            and mark.cell_type == cell.cell_type
            and mark.locked is not mark.solution
        )
        assert bool(hidden(cell.source)) == (mark.grade and not mark.solution), mark.grade_id
        assert ("BEGIN SOLUTION" in cell.source) == (mark.solution and cell.cell_type == "code"), (
            mark.grade_id
        )
    assert all(
        "BEGIN" not in cell.source for cell in cells(name) if "nbgrader" not in cell.metadata
    )


@pytest.mark.parametrize("name", SOURCES)
def test_every_written_answer_has_a_solution_and_a_rubric_for_all_points(name):
    for cell in cells(name):
        if grader(cell).grade and grader(cell).solution:
            rubric = cell.source.partition("Rubric.")[2]
            assert sum(map(int, re.findall(r"(\d+): ", rubric))) == grader(cell).points, grader(
                cell
            ).grade_id
            assert cell.cell_type == "code" or cell.source.startswith("**Model solution")


@pytest.mark.parametrize("name", SOURCES)
def test_a_human_reads_at_most_forty_points(name):
    read = [grader(cell).points for cell in cells(name) if grader(cell).solution]
    assert 30 <= sum(read) <= 40


# Numbers in model solutions -----------------------------------------------------------------------


def model(name, question):
    return next(cell.source for cell in cells(name) if grader(cell).grade_id == question)


def test_numbers_of_the_two_mistakes_in_a_row():
    class Lazy(WeightedMajority):
        before = False

        def update(self, x, y):
            wrong = self.predict(x) != y
            if wrong and self.before:
                super().update(x, y)
            self.before = wrong

    more = []
    for seed in range(20):
        X, y = streams.noisy_experts(T=300, error=[0.1, 0.3, 0.4, 0.5], rng=seed)
        lazy, run = play(Lazy(4, 0.5), X, y), play(WeightedMajority(4, 0.5), X, y)
        more.append(lazy.mistakes - run.mistakes)
        assert proofs.wm_bound(lazy).first_violation[0] == 3
        assert lazy.mistakes <= np.dot(proofs.wm_constants(0.5), [run.best_loss, np.log(4)])
    assert f"{min(more)} to {max(more)} more mistakes" in model("hw1_experts", "explore")


def test_numbers_of_the_perceptron_on_short_and_long_streams():
    def part(T, gamma):
        runs = [
            play(Perceptron(3), *streams.planted_margin(T, [1, 1, 1], gamma, rng=seed))
            for seed in range(5)
        ]
        return 100 * np.mean([run.mistakes for run in runs]) * gamma**2

    text = model("hw3_perceptron", "figure")
    assert f"At γ = 0.05 there are {part(500, 0.05):.0f}% of" in text
    assert f"at γ = 0.4 {part(500, 0.4):.0f}%" in text
    assert f"in 20000 trials it is {part(20000, 0.05):.0f}%" in text


def test_numbers_of_the_support_vector_machine_and_of_changing_rates():
    X, y = np.array([[1, 0], [0, 2], [-1, -1]]), np.array([1, 1, -1])
    u = np.array([1, 1 / 2])
    assert (y * (X @ u) >= 1).all()
    other = np.random.default_rng(0).uniform(-3, 3, (20000, 2))
    fits = other[(other @ (X * y[:, None]).T >= 1).all(axis=1)]
    assert len(fits) > 100 and (np.linalg.norm(fits, axis=1) >= np.linalg.norm(u)).all()
    assert np.max(np.sum(X**2, axis=1)) * (u @ u) == 5

    def mistakes(rates):
        w, count = 0.0, 0
        for label in (1, -1, 1):
            if label * w <= 0:
                w, count = w + rates[count] * label, count + 1
        return count

    assert mistakes([1, 1, 1]) == 3 and mistakes([1, 1 / 2, 1 / 4]) == 2


def test_numbers_of_other_factors_in_winnow():
    def mistakes(X, y, a):
        w, count = np.ones(64), 0
        for x, label in zip(X, y, strict=True):
            said = int(w @ x >= 64)
            w, count = w * float(a) ** ((label - said) * x), count + (said != label)
        return count

    streams_ = [streams.disjunction(T=1000, n=64, k=3, rng=seed) for seed in range(20)]
    found = [sum(mistakes(X, y, a) for X, y in streams_) for a in (1.2, 1.5, 2, 4, 8)]
    words = ", ".join(map(str, found[:-1])) + f" and {found[-1]} mistakes"
    assert words in model("hw4_winnow", "explore")


def test_numbers_of_fixed_share():
    text = model("hw5_shifting", "explore")

    def losses(k):
        X, y, _ = streams.shifting_experts(T=800, n=16, k=k, rng=0)
        return [
            play(FixedShare(16, 0.5, alpha=alpha), X, y).losses.sum()
            for alpha in (0, 0.0003, 3 / 799, 0.024, 0.1, 0.3)
        ]

    none, few, many = losses(0), losses(3), losses(39)
    assert ", ".join(f"{loss:.1f}" for loss in few[:-1]) + f" and {few[-1]:.1f}" in text
    assert min(none) == none[0] and f"is best ({none[0]:.1f})" in text
    assert f"3/799 costs only {none[2]:.1f}" in text
    assert f"between {min(many):.1f} and {max(many):.1f}" in text


def test_numbers_of_the_averaged_perceptron():
    def errors(flip, seed):
        X, y = streams.planted_margin(300, np.eye(10)[0], 0.05, rng=seed)
        y = np.where(np.random.default_rng(seed).random(300) < flip, -y, y)
        Z, z = streams.planted_margin(4000, np.eye(10)[0], 0.05, rng=1000 + seed)
        w = play(Perceptron(10), X, y).weights
        return [100 * np.mean(np.sign(Z @ u) != z) for u in (w[-1], w[:-1].mean(axis=0))]

    text = model("hw6_batch_and_limits", "explore")
    for flip in (0, 0.1, 0.2):
        found = np.array([errors(flip, seed) for seed in range(20)])
        last, mean = found.mean(axis=0)
        better = np.sum(found[:, 1] < found[:, 0])
        assert f"{last:.1f}% and {mean:.1f}% ({better} of 20)" in text


def test_sets_of_k_points_have_both_dimensions_k():
    for N, k in ((2, 1), (4, 2), (6, 2), (6, 3)):
        C = [[int(i in s) for i in range(N)] for s in combinations(range(N), k)]
        assert dimensions.vc_dimension(C) == dimensions.littlestone_dimension(C) == k


# The release --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course(tmp_path_factory, template):
    """A course folder in which all assignments are released."""
    return copy_of(template, tmp_path_factory.mktemp("homework"))


def released(course, name):
    return nbformat.read(course / f"release/{name}/{name}.ipynb", 4).cells


@pytest.mark.parametrize("name", SOURCES)
def test_release_is_the_source_without_solutions_and_hidden_tests(course, name):
    pairs = list(zip(cells(name), released(course, name), strict=True))
    for source, release in pairs:
        if source.cell_type == "markdown":
            assert release.source == (
                "YOUR ANSWER HERE" if grader(source).solution else source.source
            )
        else:
            assert (
                release.source == without_hidden(without_solutions(source.source))
                and release.outputs == []
            )
    text = "\n".join(release.source for _, release in pairs)
    assert not re.search("BEGIN|END|Rubric|Model solution", text)
    kept = {
        line.strip()
        for source, release in pairs
        if grader(source).solution and source.cell_type == "code"
        for line in release.source.splitlines()
    } - {"", *STUB.split("\n")}
    assert [
        line for line in kept if not re.fullmatch(r"(class|def) .+:|(labels, )?loss = .+", line)
    ] == []
    secret = {line.strip() for cell in cells(name) for line in hidden(cell.source).splitlines()}
    public = {line.strip() for line in text.splitlines()}
    assert len(secret) >= 4 and secret & public <= {""}


@pytest.mark.parametrize("name", SOURCES)
def test_release_fails_only_where_something_is_not_implemented(course, name):
    errors = execute(code(released(course, name)))
    tests = [cell for cell in cells(name) if grader(cell).grade and cell.cell_type == "code"]
    assert {type(error) for error in errors} == {NotImplementedError} and len(errors) == len(tests)


@pytest.mark.parametrize("name", SOURCES)
def test_solutions_run_green_with_the_visible_and_with_all_tests(course, name):
    names = {"display": print}
    for source, release in zip(cells(name), released(course, name), strict=True):
        if source.cell_type == "code":
            assert (
                execute([source.source if grader(source).solution else release.source], names) == []
            )
            if hidden(source.source):
                assert execute([source.source], dict(names)) == [], grader(source).grade_id


def test_release_can_be_repeated(course, capsys):
    target = course / "release/hw1_experts.zip"
    before, other = target.read_bytes(), (course / "release/hw2_hedge.zip").stat().st_mtime_ns
    assert homework.release(course, ["hw1_experts"]) == 0
    assert (
        target.read_bytes() == before
        and (course / "release/hw2_hedge.zip").stat().st_mtime_ns == other
    )
    said = capsys.readouterr()
    assert re.fullmatch(
        r"hw1_experts  \d+ cells, 100 points  release/hw1_experts.zip \d+ kB\n", said.out
    )
    assert "holds the solutions and the hidden tests in notebooks/homework" in said.err
    with pytest.raises(SystemExit, match="there is no assignment 'hw9'; there are hw1_experts, "):
        homework.release(course, ["hw9"])


def test_zip_holds_the_assignment_and_its_environment_and_no_solution(course):
    with zipfile.ZipFile(course / "release/hw2_hedge.zip") as archive:
        names = set(archive.namelist())
        assert {
            "hw2_hedge/hw2_hedge.ipynb",
            "binder/requirements.txt",
            "binder/runtime.txt",
            "binder/postBuild",
            "pyproject.toml",
            "olc_helpers/grading.py",
        } <= names
        readme = archive.read("README.md").decode()
        assert (
            len(readme.split("\n- ")) == 4
            and "hw2_hedge/hw2_hedge.ipynb" in readme
            and "solution" not in readme.lower()
        )
        assert (
            archive.read("binder/requirements.txt")
            == (ROOT / "binder/requirements.txt").read_bytes()
        )
        assert archive.getinfo("binder/postBuild").external_attr >> 16 & 0o100
        assert not any(name.startswith(("notebooks", "tests")) for name in names)
        assert b"Model solution" not in archive.read("hw2_hedge/hw2_hedge.ipynb")


# Right and wrong solutions ------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def one_play_for_all():
    """The course's own learner does the same for every answer: it plays each stream once."""
    play, plays = feedback.played, {}

    def played(learner, X, y):
        if isinstance(learner, feedback.Watched | feedback.Shifted):
            return play(learner, X, y)
        key = pickle.dumps((learner, X, y))
        if key not in plays:
            plays[key] = play(learner, X, y)
        return plays[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback, "played", played)
        yield


@functools.cache
def verdict(answer, task, seed=0):
    """Returns the ledger and the error of a check, which depend on nothing but these."""
    try:
        return check(answer, task, seed), None
    except Exception as error:
        return None, error


def checked(answer, task, seed=0):
    ledger, error = verdict(answer, task, seed)
    if error is not None:
        raise error
    return ledger


@functools.cache
def given(name):
    """Returns the names of the first code cell of an assignment; each check is made once."""
    names = {}
    assert execute([code(cells(name))[0]], names) == []
    return names | {"display": lambda *_: None, "check": checked}


def graded(question, answer, visible=False):
    """Returns the error that the whole test cell of a question raises for an answer, or what the
    student sees of it, or None.
    """
    homework_name, source = TESTS[question]
    names = dict(given(homework_name))
    names[CLASSES.get(question, question)] = answer
    return next(iter(execute([without_hidden(source) if visible else source], names)), None)


def said(error):
    """Returns the words of a slip, here or in the sandbox, or the error."""
    slip = type(error).__name__ == "Slip"
    return str(error) if slip else f"{type(error).__name__}: {error}"


def plants(**wanted):
    return [
        pytest.param(plant, id=f"{plant.question}-{plant.name}")
        for plant in PLANTS
        if all(bool(getattr(plant, key)) == value for key, value in wanted.items())
    ]


def test_every_coding_question_is_planted_often_enough():
    assert set(TESTS) == set(QUESTIONS)
    for question in QUESTIONS:
        verdicts = [bool(plant.words) for plant in PLANTS if plant.question == question]
        assert verdicts.count(True) >= 12 and verdicts.count(False) >= 8, question
    assert len({(plant.question, plant.name) for plant in PLANTS}) == len(PLANTS)


@pytest.mark.parametrize("plant", plants(words=False))
def test_right_answer_gets_all_points(plant, monkeypatch):
    for seed in ("0", "1"):
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is None


@pytest.mark.parametrize("plant", plants(words=True, subtle=False))
def test_wrong_answer_loses_with_the_right_message(plant, capsys):
    assert said(graded(plant.question, plant.answer, visible=True)).startswith(plant.words)
    assert said(graded(plant.question, plant.answer)).startswith(plant.words)


@pytest.mark.parametrize("plant", plants(subtle=True))
def test_subtly_wrong_answer_passes_what_is_visible_and_loses(plant, monkeypatch):
    """Whatever seed the grader draws."""
    assert graded(plant.question, plant.answer, visible=True) is None
    assert said(graded(plant.question, plant.answer)).startswith(plant.words)
    monkeypatch.setattr(counterexamples, "EFFORT", 0)  # found is found: no need to make it smaller
    for seed in ("1", "2"):
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is not None, seed


def test_planted_answers_get_the_same_verdict_from_the_sandbox(needs_sandbox, capsys):
    """Code that lives in another process is told the same words: every eighth of them."""
    files = {
        f"planted/{path.name}": path.read_bytes() for path in (ROOT / "tests/planted").glob("*.py")
    }
    student = Student(needs_sandbox, 0, files)
    try:
        assert student.run("import planted") == []
        student.set_time(needs_sandbox.limits.total)
        for plant in PLANTS[::8]:
            student.run(f"answer = planted.{plant.question}.{plant.name}")
            error = graded(plant.question, student.names(["answer"])["answer"])
            assert bool(plant.words) == (error is not None), (plant.name, error)
            assert error is None or said(error).startswith(plant.words), plant.name
    finally:
        student.stop()


# The search ---------------------------------------------------------------------------------------


def shown(name, seed):
    """Returns what the search says about a planted class."""
    plant = next(plant for plant in PLANTS if plant.name == name)
    with pytest.raises(Slip) as slip:
        search(plant.answer, plant.question, seed)
    return str(slip.value)


@pytest.mark.parametrize(
    ("name", "trials"),
    [
        ("HalvingCountsAll", 3),
        ("MajorityHalf", 1),
        ("HedgeHalf", 1),
        ("PerceptronBelowOne", 3),
        ("PerceptronWholeWeights", 1),
        ("WinnowEight", 2),
        ("ShareTwentieth", 1),
    ],
)
def test_search_shows_a_small_stream_on_which_the_class_is_wrong(name, trials):
    """It can be typed in again, and shows the same slip."""
    for seed in range(3):
        words = shown(name, seed)
        slip, _, example = words.partition(
            "\nThe smallest stream found on which this happens: " + name
        )
        call, data = re.fullmatch(r"\((.+?)\) on (.+)", example).groups()
        plant = next(plant for plant in PLANTS if plant.name == name)
        values = {}
        exec(
            f"def read(X=None, y=None, losses=None): return X, y, losses\nit = read({data})", values
        )
        X, y, losses = (None if a is None else np.array(a) for a in values["it"])
        y = losses if y is None else y
        assert 1 <= len(y) <= trials and slip, words
        arguments = [float(value) for value in call.split(",")[1:]]
        arguments = dict(zip(TASKS[plant.question].arguments, arguments, strict=True))
        assert counterexamples.slip_on(
            plant.answer, TASKS[plant.question], (arguments, X, y), False
        ).startswith(slip[:12])


def test_search_depends_on_its_seed_only(monkeypatch):
    said_before = [shown("PerceptronBelowOne", seed) for seed in range(4)]
    assert said_before == [shown("PerceptronBelowOne", seed) for seed in range(4)]
    assert len(set(said_before)) > 1
    for seed in range(4):
        monkeypatch.setenv("OLC_SEED", str(seed))
        assert shown("PerceptronBelowOne", None) == said_before[seed], "the grader's seed counts"
    monkeypatch.delenv("OLC_SEED")
    assert shown("PerceptronBelowOne", None) == said_before[0]


def test_agree_draws_from_the_seed_of_the_grader(monkeypatch):
    def drawn():
        seen = []
        agree(len, len, lambda rng, size: seen.append(rng.random()) or ([0] * size,))
        return seen

    monkeypatch.setenv("OLC_SEED", "1")
    one = drawn()
    assert drawn() == one and len(one) == 40
    monkeypatch.setenv("OLC_SEED", "2")
    assert drawn() != one


def test_search_refuses_the_classes_of_the_package():
    with pytest.raises(Slip, match="built on the one of the package"):
        search(type("Mine", (Halving,), {}), "halving")
    with pytest.raises(Slip, match="built on the one of the package"):
        search(Halving, "halving")


def test_a_submission_cannot_read_the_seed(needs_sandbox, monkeypatch):
    monkeypatch.setenv("OLC_SEED", "20260101")
    student = Student(needs_sandbox, 0, {})
    try:
        student.run("import os, pathlib\nseen = [*os.environ, *os.environ.values()]")
        student.run("seen += [pathlib.Path('/proc/self/environ').read_text()]")
        student.run(
            "parents = [p.read_bytes().decode() for p in pathlib.Path('/proc').glob('*/environ')"
            " if os.access(p, os.R_OK)]\nseen = ' '.join(seen + parents)"
        )
        seen = student.names(["seen"])["seen"]
    finally:
        student.stop()
    assert seen and "OLC_SEED" not in seen and "20260101" not in seen


@pytest.mark.parametrize("task", TASKS)
def test_answers_of_the_visible_check_by_heart_lose(task):
    """A class that knows what to say on the visible stream passes the visible check, and no
    other.
    """
    X, y, _ = TASKS[task].stream(0)
    n = feedback.width(X, y)
    own = TASKS[task].reference(n, *TASKS[task].arguments.values())
    played = feedback.played(own, X, y)

    class ByHeart:
        def __init__(self, *arguments):
            self.t, self.w = 0, played.weights[0]

        def predict(self, x):
            return played.predictions[self.t % len(y)]

        def update(self, x, y):
            self.t += 1
            self.w = played.weights[self.t % len(played.weights)]

    assert check(ByHeart, task).holds
    assert isinstance(graded(task, ByHeart), Slip)


@pytest.mark.parametrize(
    ("student", "line"),
    [
        ("MajorityPunishesTheRight", 3),
        ("MajorityPunishesAll", 5),
        ("HalvingLost", 2),
        ("WinnowNeverDemotes", 10),
        ("PerceptronAlways", 2),
        ("HedgeRewards", 2),
        ("ShareForgets", 4),
    ],
)
def test_message_names_the_line_of_the_proof_and_the_trial(student, line, capsys):
    plant = next(plant for plant in PLANTS if plant.name == student)
    with pytest.raises(Slip) as slip:
        check(plant.answer, plant.question)
    assert re.search(
        rf"\nThe proof breaks first at line \({line}\), on trial \d+: .+ but \S+ is not [<>=]="
        r" \S+\. It needs: .+\.$",
        str(slip.value),
    )
    assert "VIOLATED" in capsys.readouterr().out  # the ledger is shown, too


def test_proof_that_holds_is_not_blamed():
    plant = next(plant for plant in PLANTS if plant.name == "MajorityTie")
    with pytest.raises(Slip, match="No line of the proof breaks"):
        check(plant.answer, plant.question)


# What else can go wrong ---------------------------------------------------------------------------


class Bare:
    def __init__(self, n):
        pass

    def predict(self, x):
        return 1

    def update(self, x, y):
        pass


def test_slips_that_end_the_play():
    with pytest.raises(Slip, match="has no attribute w. Keep the weights in self.w"):
        check(Bare, "halving")
    with pytest.raises(Slip, match="built on the one of the package"):
        check(type("Mine", (Halving,), {}), "halving")
    with pytest.raises(Slip, match=r"self.w must hold n = 16 numbers; its shape is \(15,\)"):
        check(
            type(
                "Short", (Bare,), {"__init__": lambda self, n: setattr(self, "w", np.ones(n - 1))}
            ),
            "halving",
        )
    with pytest.raises(
        Slip,
        match="Wrong label alphabet: predict must return 0 or 1; on trial 1 it returned 'rain'",
    ):
        check(
            type("Word", (Bare,), {"w": np.ones(16), "predict": lambda self, x: "rain"}), "halving"
        )
    held = Halving.predict
    for calls in (
        {"__init__": lambda self, n: setattr(self, "w", Halving(n).w)},
        {"w": np.ones(16), "predict": lambda self, x: held(self, x)},
    ):
        with pytest.raises(Slip, match="Your code calls the package for what it should do itself"):
            check(type("Calls", (Bare,), calls), "halving")
    assert Halving(2).predict(np.array([1, 0])) == 1, "afterwards it works again"
    with pytest.raises(ValueError, match="task must be one of halving, "):
        check(Bare, "halvign")


def test_error_of_a_student_stays_the_error_it_is_with_the_trial():
    def update(self, x, y):
        self.calls = getattr(self, "calls", 0) + 1
        return 1 / (3 - self.calls)

    with pytest.raises(ZeroDivisionError) as error:
        check(type("Divides", (Bare,), {"w": np.ones(16), "update": update}), "halving")
    assert error.value.__notes__ == ["It happened in update, on trial 3."]


def test_notebook_shows_the_words_and_no_traceback():
    assert Slip("one\ntwo")._render_traceback_() == ["one", "two"]


def test_expect_compares_shapes_and_short_names_long_values():
    with pytest.raises(
        Slip, match=r"Wrong answer: len\(\[0, 1, 2.*\.\.\.\) returns 100; it should be 99"
    ):
        expect(len, list(range(100)), answer=99)
    with pytest.raises(Slip, match="Wrong answer"):
        expect(lambda: [1, 1], answer=1)
    with pytest.raises(Slip, match=r"returns shape \(0,\); it should be shape \(0, 3\)"):
        expect(lambda: [], answer=np.zeros((0, 3)))
    with pytest.raises(Slip, match="returns a word"):
        expect(lambda: "a word", answer=1)


def test_validate_says_what_is_right_wrong_and_not_done(tmp_path, course, capsys, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # a home may be read-only
    nb = nbformat.read(course / "release/hw1_experts/hw1_experts.ipynb", 4)
    source = {grader(cell).grade_id: cell for cell in copy.deepcopy(cells("hw1_experts"))}
    wrong = source["weighted_majority"].source.replace(">=", ">")
    written = {
        "halving": "class MyHalving:\n    pass",
        "weighted_majority": wrong,
        "c_regret": "Two experts.",
        "figure": "print('a picture')",
    }
    for cell in nb.cells:
        cell.source = written.get(grader(cell).grade_id, cell.source.replace(PLOT, ""))
    left = ("halving_bound", "nobody_better", "toss_a_coin")
    nb.cells = [cell for cell in nb.cells if grader(cell).grade_id not in left]
    again = source["halving_check"]
    again.id = again.metadata.nbgrader.grade_id = "again_check"
    nb.cells += [new_code_cell(source["halving"].source), again]
    nbformat.write(nb, tmp_path / "mine.ipynb")
    assert homework.validate(tmp_path / "mine.ipynb") == 1
    printed = capsys.readouterr().out
    assert [line[:25].split() for line in printed.splitlines() if re.match("[✓✗·?] ", line)] == [
        ["✗", "halving_check"],
        ["·", "advice_check"],
        ["✗", "weighted_majority_check"],
        ["?", "c_regret"],
        ["·", "tune_beta"],
        ["?", "figure"],
        ["·", "explore"],
        ["✓", "again_check"],
    ]
    assert "    TypeError: MyHalving() takes no arguments" in printed
    assert (
        "    Slip: Wrong tie: on trial 1 both sides have the same weight; a tie gives 1. You"
        " predict 0." in printed
    )
    assert "    Weighted Majority's mistake bound: every line holds" in printed
    assert printed.endswith("1 right, 2 wrong, 3 not done, 2 for your teacher\n")
    with pytest.raises(SystemExit, match="there is no notebook"):
        homework.validate(tmp_path / "other.ipynb")
