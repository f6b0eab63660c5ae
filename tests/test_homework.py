"""The assignments: complete, solvable, and tested so that right code wins and wrong code is told
what is wrong. How they are released and graded is tested in the folder of the grader.
"""

import csv
import re
from itertools import combinations

import assignments
import numpy as np
import pytest
from assignments import (
    CLASSES,
    SOURCES,
    TESTS,
    cells,
    code,
    execute,
    graded,
    hidden,
    mark,
    model,
    released,
    without_hidden,
)
from conftest import ROOT

from olc_helpers import (
    FixedShare,
    Halving,
    Hedge,
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

pytestmark = pytest.mark.usefixtures("one_play_for_all")
one_play_for_all = assignments.one_play_for_all  # a fixture


# The source ---------------------------------------------------------------------------------------


def test_there_are_six_assignments():
    assert [name[:4] for name in SOURCES] == [f"hw{k}_" for k in range(1, 7)]
    assert all(path.parent.name == name for name, path in SOURCES.items())


def test_questions_name_the_bound_the_proof_and_what_is_known():
    """The question with the formula, which of two proofs, and that T is known for the rate."""
    texts = {k: [cell.source for cell in cells(name)] for k, name in enumerate(SOURCES, 1)}
    for k, told in texts.items():
        for number in re.findall(r"(?:bound|inequality) of question (\d+)", "\n".join(told)):
            question = next(text for text in told if text.startswith(f"## {number} · "))
            assert re.search(r"\\le|bound", question), (k, number)
    asked = {number: text for text in texts[1] if (number := text[3:4]) and text[:3] == "## "}
    assert "You know $T$" in asked["8"] and "bound of question 7" in asked["9"]
    assert "a\\,m + b\\ln n" in asked["9"] and "\\ln(2/(1+\\beta))" in asked["7"]
    assert any("relative entropy" in text and "Hoeffding" in text for text in texts[2])


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
    opening, graded = cells(name)[0].source, [cell for cell in cells(name) if mark(cell).grade]
    rows = [
        tuple(map(int, row))
        for row in re.findall(r"(?m)^\| (\d+) \| .+ \| (\d+) \| (\d+) \|$", opening)
    ]
    points, minutes = ([row[k] for row in rows] for k in (1, 2))
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert points == [mark(cell).points for cell in graded]
    assert f"**Points:** {sum(points)}." in opening and sum(points) == 100
    assert f"about {sum(minutes)} minutes" in opening and 60 <= sum(minutes) <= 120
    headings = re.findall(
        r"(?m)^## (\d+) · .+ \((\d+) points\)$", "\n".join(cell.source for cell in cells(name))
    )
    assert [(int(k), int(p)) for k, p in headings] == [row[:2] for row in rows]


@pytest.mark.parametrize("name", SOURCES)
def test_every_cell_has_its_metadata(name):
    ours = [cell for cell in cells(name) if "nbgrader" in cell.metadata]
    ids = [mark(cell).grade_id for cell in ours]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"\w+", i) for i in ids)
    for cell in ours:
        known = mark(cell)
        assert (
            known.schema_version == 3
            and known.cell_type == cell.cell_type
            and known.locked is not known.solution
        )
        assert bool(hidden(cell.source)) == (known.grade and not known.solution), known.grade_id
        assert ("BEGIN SOLUTION" in cell.source) == (known.solution and cell.cell_type == "code"), (
            known.grade_id
        )
    assert all(
        "BEGIN" not in cell.source for cell in cells(name) if "nbgrader" not in cell.metadata
    )


@pytest.mark.parametrize("name", SOURCES)
def test_every_written_answer_has_a_solution_and_a_rubric_for_all_points(name):
    for cell in cells(name):
        if mark(cell).grade and mark(cell).solution:
            rubric = cell.source.partition("Rubric.")[2]
            points = sum(map(int, re.findall(r"(\d+): ", rubric)))
            assert points == mark(cell).points, mark(cell).grade_id
            assert cell.cell_type == "code" or cell.source.startswith("**Model solution")


@pytest.mark.parametrize("name", SOURCES)
def test_a_human_reads_at_most_forty_points(name):
    read = [mark(cell).points for cell in cells(name) if mark(cell).solution]
    assert 30 <= sum(read) <= 40


# Numbers in model solutions -----------------------------------------------------------------------


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
            play(Perceptron(3), *streams.planted_margin(T, [1, 1, 1], gamma, rng=seed), keep="last")
            for seed in range(20)
        ]
        made = 100 * np.array([run.mistakes for run in runs]) * gamma**2
        return f"{made.mean():.1f} ± {made.std(ddof=1) / 20**0.5:.1f}%"

    text = model("hw3_perceptron", "figure")
    assert f"At γ = 0.05 there are {part(500, 0.05)} of" in text
    assert f"at γ = 0.4 {part(500, 0.4)}" in text
    assert f"in 20000 trials it is {part(20000, 0.05)}" in text


def test_numbers_of_random_orders_and_of_large_rates():
    (X, y), rng, made = streams.TEN_POINTS, np.random.default_rng(0), []
    for _ in range(200):
        i = rng.permutation(10)
        run = play(Perceptron(2), X[i], y[i], epochs=99, until_consistent=True)
        made.append(run.mistakes)
    error = np.std(made, ddof=1) / 200**0.5
    told = f"{min(made)} to {max(made)} updates, {np.mean(made):.1f} ± {error:.1f} on average"
    assert told in model("hw3_perceptron", "explore")
    text, means = model("hw2_hedge", "explore"), [0.5, 0.45, 0.4, 0.5]
    coins = streams.coin_losses(1000, means, rng=0)
    small, larger, large, huge = (play(Hedge(4, e), coins).regret for e in (0.01, 0.3, 10, 100))
    assert f"from {small:.1f} at" in text
    assert f"to {larger:.1f} at 0.3 and {large:.1f} at 10" in text
    assert f"{large:.1f}" == f"{huge:.1f}" and round(np.sqrt(2 * np.log(4) / 1000), 2) == 0.05
    ends = [play(Hedge(4, eta), np.tile(means, (1000, 1))).regret for eta in (0.01, 100)]
    assert "falls from {:.1f} to {:.2f}:".format(*ends) in text
    turns = np.eye(2)[np.arange(1, 1001) % 2]
    turns[0] = 0, 1 / 2
    assert abs(play(Hedge(2, 100), turns).regret - 500) < 2


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

    def losses(k, T=800):
        X, y, _ = streams.shifting_experts(T, n=16, k=k, rng=0)
        return [
            play(FixedShare(16, 0.5, alpha=alpha), X, y).losses.sum()
            for alpha in (0, 0.0003, 3 / 799, 0.024, 0.1, 0.3)
        ]

    none, few, many = losses(0), losses(3), losses(39)
    assert ", ".join(f"{loss:.1f}" for loss in few[:-1]) + f" and {few[-1]:.1f}" in text
    assert min(none) == none[0] and f"is best ({none[0]:.1f})" in text
    assert f"3/799 costs only {none[2]:.1f}" in text
    assert f"between {min(many):.1f} and {max(many):.1f}" in text
    slow = losses(39, T=8000)
    assert min(slow) < 2 / 3 * slow[0], "it is the length of the segments"


def test_numbers_of_the_averaged_perceptron():
    def errors(flip, seed):
        X, y = streams.planted_margin(300, np.eye(10)[0], 0.05, rng=seed)
        flipped = np.random.default_rng([seed, 1]).random(300) < flip
        near.extend(np.abs(X[flipped, 0]))
        y = np.where(flipped, -y, y)
        Z, z = streams.planted_margin(4000, np.eye(10)[0], 0.05, rng=1000 + seed)
        w = play(Perceptron(10), X, y).weights
        return [100 * np.mean(np.sign(Z @ u) != z) for u in (w[-1], w[:-1].mean(axis=0))]

    text, near = model("hw6_batch_and_limits", "explore"), []
    for flip in (0, 0.1, 0.2):
        found = np.array([errors(flip, seed) for seed in range(20)])
        (last, mean), (e, f) = found.mean(axis=0), found.std(axis=0, ddof=1) / 20**0.5
        better = np.sum(found[:, 1] < found[:, 0])
        assert f"{last:.1f} ± {e:.1f}% and {mean:.1f} ± {f:.1f}% ({better} of 20)" in text
    assert abs(np.mean(near) - 0.525) < 0.03, "the flips don't look for the boundary"


def test_sets_of_k_points_have_both_dimensions_k():
    for N, k in ((2, 1), (4, 2), (6, 2), (6, 3)):
        C = [[int(i in s) for i in range(N)] for s in combinations(range(N), k)]
        assert dimensions.vc_dimension(C) == dimensions.littlestone_dimension(C) == k


# As students get them -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SOURCES)
def test_release_fails_only_where_something_is_not_implemented(name):
    errors = execute(map(released, code(cells(name))))
    tests = [cell for cell in cells(name) if mark(cell).grade and cell.cell_type == "code"]
    assert len(errors) == len(tests)
    assert all(isinstance(error, NotImplementedError) for error in errors)


@pytest.mark.parametrize("name", SOURCES)
def test_solutions_run_green_with_the_visible_and_with_all_tests(name):
    names = {"display": print}
    for cell in cells(name):
        if cell.cell_type == "code":
            assert execute([without_hidden(cell.source)], names) == []
            if hidden(cell.source):
                assert execute([cell.source], dict(names)) == [], mark(cell).grade_id


@pytest.mark.parametrize("name", SOURCES)
def test_hints_come_in_three_steps_before_each_answer_and_give_no_answer_away(name):
    before = None
    for cell in cells(name):
        answer = mark(cell).solution and mark(cell).grade_id
        if answer and answer not in ("figure", "explore"):
            steps = re.split(r"<details><summary>\w*\s?[Hh]int</summary>\n\n", before.source)
            assert before.id == f"hints-{answer}" and len(steps) == 4 and steps[0] == ""
            assert before.source.endswith("</details></details></details>")
            assert all(3 <= len(step.split()) <= 60 for step in steps[1:])
            lines = [line.strip() for line in cell.source.splitlines() if "SOLUTION" not in line]
            code = [line for line in lines if cell.cell_type == "code" and len(line) > 30]
            assert not [line for line in code if line in before.source]
        before = cell


# What is said of a wrong answer -------------------------------------------------------------------


def changed(task, *pieces):
    """Returns the class of the model solution with something changed: (right, wrong, …)."""
    names, source = {"np": np, "__name__": "students"}, model(TESTS[task][0], task)
    for right, wrong in zip(pieces[::2], pieces[1::2], strict=True):
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    exec(source, names)
    return names[CLASSES[task]]


UPDATE, VOTE = "self.w = self.w & (x == y)", "x[self.w].sum() >= self.w.sum()"


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("Wrong start", ("halving", "np.ones(n, bool)", "np.arange(n) > 0")),
        ("Missing update: self.w is the same after every trial", ("halving", UPDATE, "pass")),
        (
            "Missing update: trial",
            ("winnow", "(y - self.predict(x))", "max(0, y - self.predict(x))"),
        ),
        ("Update too many", ("perceptron", "y * (self.w @ x) <= 0", "True")),
        (
            "Wrong normalisation",
            ("weighted_majority", "self.beta * self.w)", "self.beta * self.w) / 2"),
        ),
        ("Wrong update", ("hedge", "-self.eta", "self.eta")),
        (
            "Wrong update: after trial",
            ("perceptron", "+ y * x", "+ (x if self.w.any() else y * x)"),
        ),
        ("Wrong tie: on trial 1 both sides", ("weighted_majority", ">=", ">")),
        ("Wrong tie: on trial 1 w·x = n", ("winnow", ">=", ">")),
        (
            "Wrong tie: on trial 1 w·x = 0",
            ("perceptron", "np.sign(self.w @ x)", "2 * (self.w @ x >= 0) - 1"),
        ),
        ("Wrong prediction", ("halving", VOTE, "x.sum() >= len(x)")),
        (
            "Wrong order of predict and update: your predictions use the weights of the trial",
            (
                *("halving", VOTE, VOTE.replace("self.w", "self.v")),
                *("self.w = np.ones", "self.w = self.v = np.ones"),
                *(UPDATE, "self.v, self.w = self.w, self.w & (x == y)"),
            ),
        ),
    ],
)
def test_first_difference_is_put_into_words(words, change):
    with pytest.raises(Slip) as slip:
        check(changed(*change), change[0])
    assert str(slip.value).startswith(words)


BELOW_ONE = "perceptron", "<= 0", "< 1"  # the same on whole numbers


def shown(change, seed):
    """Returns what the search says about a model solution with one thing changed."""
    with pytest.raises(Slip) as slip:
        search(changed(*change), change[0], seed)
    return str(slip.value)


@pytest.mark.parametrize(
    ("change", "trials"),
    [
        (("halving", "x[self.w].sum() >= self.w.sum()", "x.sum() >= len(x)"), 3),
        (("weighted_majority", "np.ones(n), beta", "np.ones(n), 0.5"), 1),
        (("hedge", "np.ones(n), eta", "np.ones(n), 0.5"), 1),
        (BELOW_ONE, 3),
        (("perceptron", "self.w + y * x", "(self.w + y * x).astype(int)"), 1),
        (("winnow", ">= self.n", ">= 8"), 2),
        (("fixed_share", "eta, alpha\n", "eta, 0.05\n"), 1),
    ],
)
def test_search_shows_a_small_stream_on_which_the_class_is_wrong(change, trials):
    """It can be typed in again, and shows the same slip."""
    task, answer = change[0], changed(*change)
    for seed in range(3):
        words = shown(change, seed)
        slip, _, example = words.partition(
            f"\nThe smallest stream found on which this happens: {CLASSES[task]}"
        )
        call, data = re.fullmatch(r"\((.+?)\) on (.+)", example).groups()
        values = {}
        exec(
            f"def read(X=None, y=None, losses=None): return X, y, losses\nit = read({data})", values
        )
        X, y, losses = (None if a is None else np.array(a) for a in values["it"])
        y = losses if y is None else y
        assert 1 <= len(y) <= trials and slip, words
        arguments = [float(value) for value in call.split(",")[1:]]
        arguments = dict(zip(TASKS[task].arguments, arguments, strict=True))
        again = counterexamples.slip_on(answer, TASKS[task], (arguments, X, y), False)
        assert again.startswith(slip[:12])


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("Wrong prediction", ("halving", VOTE, "x[:16][self.w[:16]].sum() >= self.w[:16].sum()")),
        ("Wrong tie", ("winnow", ">= self.n", ">= 8")),
        ("Wrong normalisation", ("fixed_share", "/ (len(m) - 1)", "/ 3")),
    ],
)
def test_search_finds_what_the_visible_check_lets_pass(words, change, monkeypatch):
    """Whatever seed the grader draws."""
    assert check(changed(*change), change[0]).holds
    assert shown(change, None).startswith(words)
    monkeypatch.setattr(counterexamples, "EFFORT", 0)  # found is found: no need to make it smaller
    for seed in (1, 2):
        assert shown(change, seed)


def test_search_depends_on_its_seed_only(monkeypatch):
    said_before = [shown(BELOW_ONE, seed) for seed in range(4)]
    assert said_before == [shown(BELOW_ONE, seed) for seed in range(4)]
    assert len(set(said_before)) > 1
    for seed in range(4):
        monkeypatch.setenv("OLC_SEED", str(seed))
        assert shown(BELOW_ONE, None) == said_before[seed], "the grader's seed counts"
    monkeypatch.delenv("OLC_SEED")
    assert shown(BELOW_ONE, None) == said_before[0]


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
    ("change", "line"),
    [
        (("weighted_majority", "x == y", "x != y"), 3),
        (("weighted_majority", "x == y", "False"), 5),
        (("halving", "self.w = self.w &", "self.v = self.w &"), 2),
        (("winnow", "(y - self.predict(x))", "max(0, y - self.predict(x))"), 10),
        (("perceptron", "y * (self.w @ x) <= 0", "True"), 2),
        (("hedge", "-self.eta", "self.eta"), 2),
        (
            (
                "fixed_share",
                "(1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)",
                "m",
            ),
            4,
        ),
    ],
)
def test_message_names_the_line_of_the_proof_and_the_trial(change, line, capsys):
    with pytest.raises(Slip) as slip:
        check(changed(*change), change[0])
    assert re.search(
        rf"\nThe proof breaks first at line \({line}\), on trial \d+: .+ but (about )?\S+ is not"
        r" [<>=≤≥] (about )?\S+\. It needs: .+\.$",
        str(slip.value),
    )
    assert "VIOLATED" in capsys.readouterr().out  # the ledger is shown, too


def test_proof_that_holds_is_not_blamed():
    with pytest.raises(Slip, match="No line of the proof breaks"):
        check(changed("weighted_majority", ">=", ">"), "weighted_majority")


# What else can go wrong ---------------------------------------------------------------------------


class Bare:
    def __init__(self, n):
        pass

    def predict(self, x):
        return 1

    def update(self, x, y):
        pass


def test_rounding_decides_no_tie_of_weighted_majority():
    """What is left are ties of equal weights: of two, or before the first mistake."""
    task, rng = TASKS["weighted_majority"], np.random.default_rng(0)
    cases = [task.draw(rng, n, T) for _ in range(20) for n, T in counterexamples.SIZES]
    cases += [(task.arguments, *task.stream(seed)[:2]) for seed in range(6)]
    ties = 0
    for arguments, X, y in cases:
        errors = np.cumsum(X != y[:, None], axis=0) - (X != y[:, None])
        w = arguments["beta"] ** errors
        ones, zeros = (w * X).sum(axis=1), (w * (1 - X)).sum(axis=1)
        for t in np.flatnonzero(np.isclose(ones, zeros, rtol=1e-6, atol=0)):
            assert len(set(errors[t])) == 1 and (X.shape[1] == 2 or not errors[t].any())
            ties += 1
    assert ties > 100


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
