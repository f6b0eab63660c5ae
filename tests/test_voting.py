"""Voted, averaged and structured Perceptrons: plain versions, brute force, scikit-learn, and runs
that try to break the bound.
"""

import re
from itertools import product

import numpy as np
import pytest
from conftest import replays
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import MODEST, SIGNS, sizes, trials

from olc_helpers import (
    AveragedPerceptron,
    HypothesisError,
    Perceptron,
    StructuredPerceptron,
    VotedPerceptron,
    max_margin,
    play,
    proofs,
    streams,
)
from olc_helpers.structures import Listed, Tagging, viterbi, widest_gap
from olc_helpers.voting import figures

WHOLE = st.integers(-3, 3).map(float)
STREAMS = trials(sizes(25, 4), st.integers(-3, 3), SIGNS)
SENTENCES, TAGGINGS = streams.SENTENCES
TASK = Tagging(sorted({word for x in SENTENCES for word in x}), "ADNPV")


# Voted and averaged -------------------------------------------------------------------------------


def plain_vectors(X, y, epochs):
    """Every weight vector of the Perceptron with the number of trials at whose end it was in
    charge.
    """
    pairs = [[(0,) * X.shape[1], 0]]
    for x, label in list(zip(X.tolist(), y.tolist(), strict=True)) * epochs:
        if label * sum(a * b for a, b in zip(pairs[-1][0], x, strict=True)) <= 0:
            pairs.append([tuple(a + label * b for a, b in zip(pairs[-1][0], x, strict=True)), 0])
        pairs[-1][1] += 1
    return pairs


def plain_vote(pairs, x):
    scores = [(sum(a * b for a, b in zip(w, x, strict=True)), c) for w, c in pairs]
    return 1 if sum(c * ((s > 0) - (s < 0)) for s, c in scores) >= 0 else -1


def plain_average(pairs, x):
    return (
        1 if sum(c * sum(a * b for a, b in zip(w, x, strict=True)) for w, c in pairs) >= 0 else -1
    )


@given(STREAMS, st.integers(1, 3), st.booleans())
@MODEST
def test_vote_and_average_are_their_definitions(stream, epochs, fast):
    X, y = stream
    pairs = plain_vectors(X, y, epochs)
    voted, averaged = VotedPerceptron(X.shape[1]), AveragedPerceptron(X.shape[1])
    runs = [
        play(learner, X, y, epochs=epochs, fast=fast)
        for learner in (voted, averaged, Perceptron(X.shape[1]))
    ]
    assert [tuple(w) for w in voted.vectors] == [w for w, _ in pairs] and voted.counts == [
        c for _, c in pairs
    ]
    assert averaged.total.tolist() == np.sum([np.multiply(c, w) for w, c in pairs], axis=0).tolist()
    # The sum over trials, not over vectors.
    assert averaged.total.tolist() == runs[1].weights[1:].sum(axis=0).tolist()
    assert voted.classify(X).tolist() == [plain_vote(pairs, x) for x in X.tolist()]
    assert averaged.classify(X).tolist() == [plain_average(pairs, x) for x in X.tolist()]
    assert runs[0].mistake.tolist() == runs[1].mistake.tolist() == runs[2].mistake.tolist()
    assert (runs[0].weights == runs[2].weights).all() and (runs[1].weights == runs[2].weights).all()
    assert (
        sum(voted.counts) == epochs * len(y) and voted.counts[0] == 0 and min(voted.counts[1:]) >= 1
    )


def test_six_orthonormal_vectors():
    X, y = np.eye(6), np.array([1, -1, 1, 1, -1, -1])
    for learner in (VotedPerceptron(6), AveragedPerceptron(6)):
        assert play(learner, X, y).mistakes == 6 and learner.classify(X).tolist() == y.tolist()
    voted = VotedPerceptron(6)
    play(voted, X, y)
    assert voted.counts == [0, 1, 1, 1, 1, 1, 1]


def test_a_tie_of_the_vote_is_plus_1_and_a_zero_score_abstains():
    voted = VotedPerceptron(2)
    assert voted.classify([[1.0, 2.0]]).tolist() == [1] and AveragedPerceptron(2).classify(
        [[1.0, 2.0]]
    ).tolist() == [1]
    voted.vectors, voted.counts = [np.array([1.0, 0.0]), np.array([0.0, -1.0])], [5, 1]
    assert voted.classify([[0.0, 1.0], [1.0, 9.0], [-1.0, 9.0]]).tolist() == [-1, 1, -1]


def test_vote_and_average_differ_where_one_long_vector_is_outvoted():
    voted = VotedPerceptron(1)
    voted.vectors, voted.counts = [np.array([10.0]), np.array([-1.0]), np.array([-2.0])], [1, 1, 1]
    assert (
        voted.classify([[1.0]]).tolist() == [-1]
        and np.array(voted.counts) @ np.array(voted.vectors) > 0
    )


def test_scikit_learn_averages_the_same():
    from sklearn.linear_model import SGDClassifier

    X, y = streams.noisy_margin(300, np.ones(5), 0.05, 0.2, rng=2)
    theirs = SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        fit_intercept=False,
        shuffle=False,
        max_iter=1,
        tol=None,
        average=True,
    ).fit(X, y)
    ours = AveragedPerceptron(5)
    play(ours, X, y)
    np.testing.assert_allclose(ours.total / 300, theirs.coef_[0], rtol=1e-9)


def test_digits_are_1797_pictures_with_a_constant():
    from sklearn.datasets import load_digits

    X, digit = streams.digits()
    assert (
        X.shape == (1797, 65)
        and X[:, :64].min() == 0
        and X[:, :64].max() == 1
        and (X[:, 64] == 1).all()
    )
    assert sorted(set(digit.tolist())) == list(range(10))
    theirs = load_digits()
    assert (X[:, :64] == theirs.data / 16).all() and (digit == theirs.target).all()


@given(st.integers(1, 3), st.integers(1, 15), st.integers(1, 3), st.integers(0, 10**6))
@MODEST
def test_streams_side_by_side_are_the_learners_one_after_the_other(many, T, epochs, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, (many, T, 3)) + 0.5, rng.choice([-1, 1], (many, T))
    X_test, y_test = rng.integers(-3, 4, (20, 3)), rng.choice([-1, 1], 20)
    for after, rows, labels in zip(figures.perceptrons(X, y, epochs), X, y, strict=True):
        voted, averaged = VotedPerceptron(3), AveragedPerceptron(3)
        plain = play(Perceptron(3), rows, labels, epochs=epochs)
        assert (after == plain.weights[1:]).all()
        for t in range(1, epochs * T + 1):
            for learner in (voted, averaged):
                learner.update(rows[(t - 1) % T], labels[(t - 1) % T])
            said = (
                np.where(X_test @ plain.weights[t] >= 0, 1, -1),
                voted.classify(X_test),
                averaged.classify(X_test),
            )
            (errors,) = figures.errors_on(after, [t], X_test, y_test)
            assert errors.tolist() == [np.mean(labels != y_test) for labels in said]
        vectors, counts = figures.survivors(after)
        assert counts.sum() == epochs * T
        assert (np.repeat(vectors, counts, axis=0) == after).all()


# What the lecture says of digits in random order, in other orders ---------------------------------


def others(seed, noise=0.0):
    """The digits in twenty other orders."""
    return figures._several("odd?", ([seed, i] for i in range(20)), noise)


def digit_errors(seed, epochs, noise=0.0):
    """The test errors in %, orders x passes x (last, voted, averaged)."""
    X, y, X_test, y_test = others(seed, noise)
    times, played = 1200 * np.arange(1, epochs + 1), figures.perceptrons(X, y, epochs)
    return 100 * np.array(
        [
            figures.errors_on(after, times, *test)
            for after, *test in zip(played, X_test, y_test, strict=True)
        ]
    )


@replays("6d3aa146", sets=1)
def test_vote_and_average_after_one_pass_are_no_worse_than_the_last_vector_after_six(seed):
    last, *rules = digit_errors(seed, 6).transpose(2, 1, 0)
    for rule in rules:
        assert rule[0].mean() <= last[-1].mean()
        assert 2 * rule[0].std() < last[0].std()  # they hardly depend on the order


@replays("a8a3153f")
def test_noise_ruins_the_last_vector_and_not_the_vote(seed):
    (clean, *clean_rules), (noisy, *noisy_rules) = (
        digit_errors(seed, 1, noise).mean(axis=0)[0] for noise in (0, 0.2)
    )
    assert noisy > 1.7 * clean
    for before, after in zip(clean_rules, noisy_rules, strict=True):
        assert before < after < before + 5 and 2 * after < noisy


@replays("7a12afb3")
def test_survivors_err_less_at_every_age(seed):
    """In each tenth of a run: longer survival does not only mean a later vector."""
    gaps = []
    for X, y, X_test, y_test in zip(*others(seed), strict=True):
        vectors, counts = figures.survivors(figures.perceptrons(X[None], y[None])[0])
        error = 100 * np.mean(np.where(vectors @ X_test.T >= 0, 1, -1) != y_test, axis=1)
        age = np.arange(len(counts)) * 10 // len(counts)
        means = [
            [error[(age == tenth) & chosen].mean() for chosen in (counts <= 2, counts >= 4)]
            for tenth in range(10)
        ]
        gaps.append(np.subtract(*np.transpose(means)))
    mean, deviation = np.mean(gaps, axis=0), np.std(gaps, axis=0) / np.sqrt(len(gaps))
    assert (mean - 2 * deviation > 0).all(), (mean, deviation)


def test_some_vectors_that_err_at_once_are_good():
    for seed in (4, 100):
        told = figures.survival(seed=seed, orders=2).description
        assert "the very next trial err on 9% to 5" in told


@replays("w7mean", sets=1)
def test_vectors_err_about_twice_as_often_as_their_vote_and_most_of_it_is_outvoted(seed):
    ratios = []
    for X, y, X_test, y_test in zip(*others(seed), strict=True):
        learner = VotedPerceptron(65)
        play(learner, X, y)
        wrong = np.where(X_test @ np.transpose(learner.vectors) >= 0, 1, -1) != y_test[:, None]
        share = np.average(wrong, axis=1, weights=learner.counts)
        lost = learner.classify(X_test) != y_test
        ratios.append(share.mean() / lost.mean())
        outvoted = share[~lost].sum() / len(lost)
        assert outvoted > share.mean() / 2
    assert 1.5 < min(ratios) and 1.7 < np.mean(ratios) < 2.1 and max(ratios) < 2.3
    told = figures.wrong_votes(seed=[seed, 19])
    assert told.caption == (
        f"A vector errs on {share.mean():.1%} of the new digits, weighted by survival; the vote"
        f" errs on {lost.mean():.1%}."
    )
    assert f"the other {100 * outvoted:.1f} are outvoted" in told.description


@replays("w7equal1")
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_without_survival_times_the_vote_is_as_good(noise, seed):
    """One vote for each vector; what carries the vote is that wrong votes are outvoted."""
    X, y, tests, truths = others(seed, noise)
    more = []
    for after, X_test, y_test in zip(figures.perceptrons(X, y), tests, truths, strict=True):
        vectors, counts = figures.survivors(after)
        signs = np.sign(X_test @ vectors.T)
        said = [np.where(signs @ c >= 0, 1, -1) for c in (counts, np.ones(len(counts)))]
        vote, single = (np.mean(labels != y_test) for labels in said)
        assert 1.5 * vote < np.mean(signs != y_test[:, None]) and vote < 0.17
        more.append(100 * (single - vote))
    assert abs(np.mean(more)) < 0.5 and np.std(more) < 1.5


# Structures ---------------------------------------------------------------------------------------

TABLES = st.tuples(st.integers(1, 4), st.integers(2, 3)).flatmap(
    lambda size: st.tuples(
        arrays(float, size, elements=WHOLE), arrays(float, (size[1],) * 2, elements=WHOLE)
    )
)


@given(TABLES)
def test_viterbi_finds_the_best_of_all_paths(tables):
    score, follow = tables

    def total(path):
        return sum(score[i, k] for i, k in enumerate(path)) + sum(
            follow[j, k] for j, k in zip(path, path[1:], strict=False)
        )

    assert total(viterbi(score, follow)) == max(
        map(total, product(range(len(follow)), repeat=len(score)))
    )


@given(
    st.lists(st.sampled_from([*TASK.words, "unheard"]), min_size=1, max_size=3),
    st.integers(0, 10**6),
    st.booleans(),
)
@settings(max_examples=30)
@example(["unheard", "a", "a"], 179, False)  # A P A and P A P have the same features
def test_tagging_is_brute_force(words, seed, ties):
    rng, x = np.random.default_rng(seed), tuple(words)
    w = rng.integers(-2, 3, TASK.size).astype(float) if ties else rng.standard_normal(TASK.size)
    listed = Listed(TASK.size, TASK.features, TASK.candidates)
    y = tuple(rng.choice(TASK.tags, len(x)))
    scores = {c: float(w @ TASK.features(x, c)) for c in TASK.candidates(x)}
    assert len(scores) == 5 ** len(x)
    best, rival = TASK.best(w, x), TASK.rival(w, x, y)
    assert scores[best] == pytest.approx(max(scores.values()), abs=1e-9)
    assert rival != y and scores[rival] == pytest.approx(
        max(s for c, s in scores.items() if c != y), abs=1e-9
    )
    second = TASK.rival(w, x, best)
    assert second != best and scores[second] == pytest.approx(
        max(s for c, s in scores.items() if c != best), abs=1e-9
    )
    for found, other, left_out in (
        (best, listed.best(w, x), None),
        (rival, listed.rival(w, x, y), y),
    ):
        first, second = sorted(s for c, s in scores.items() if c != left_out)[:-3:-1]
        assert found == other or first - second < 1e-9
    emit, follow = TASK.scores(w, x)
    assert scores[y] == pytest.approx(
        sum(emit[i, TASK.tags.index(t)] for i, t in enumerate(y))
        + sum(
            follow[TASK.tags.index(a), TASK.tags.index(b)] for a, b in zip(y, y[1:], strict=False)
        )
    )


def test_features_count_pairs():
    task = Tagging(["can", "we"], "NV")
    emit, follow = task.parts(task.features(("we", "can", "can", "fish"), ("N", "V", "V", "N")))
    # Fish is no known word.
    assert emit.tolist() == [[0, 2], [1, 0]] and follow.tolist() == [[0, 1], [1, 1]]


def plain_structured(X, Y, features, candidates, size):
    w, mistakes = [0.0] * size, []
    for x, y in zip(X, Y, strict=True):
        scores = [sum(a * b for a, b in zip(w, features(x, c), strict=True)) for c in candidates(x)]
        guess = list(candidates(x))[scores.index(max(scores))]
        mistakes.append(guess != y)
        if guess != y:
            w = [a + b - c for a, b, c in zip(w, features(x, y), features(x, guess), strict=True)]
    return mistakes, w


def blocks(x, k):
    f = np.zeros((3, len(x)))
    f[k] = x
    return f.ravel()


@given(
    st.integers(1, 20).flatmap(
        lambda T: st.tuples(
            arrays(float, (T, 2), elements=WHOLE), arrays(int, T, elements=st.integers(0, 2))
        )
    )
)
@MODEST
def test_structured_perceptron_is_the_pseudo_code(stream):
    X, y = stream
    run = play(StructuredPerceptron(Listed(6, blocks, lambda x: range(3))), X, y)
    mistakes, w = plain_structured(X, y.tolist(), blocks, lambda x: range(3), 6)
    assert run.mistake.tolist() == mistakes and run.weights[-1].tolist() == w


def test_two_candidates_make_it_the_perceptron_up_to_ties():
    X, y = streams.noisy_margin(200, [1, 2, 3], 0.1, 0.1, rng=0)
    y[0] = -1  # all scores are tied at the start, and the first candidate +1 must be wrong
    two = Listed(3, lambda x, c: c * x / 2, lambda x: (1, -1))
    run, plain = play(StructuredPerceptron(two), X, y), play(Perceptron(3), X, y)
    assert run.mistake.tolist() == plain.mistake.tolist()
    np.testing.assert_allclose(run.weights, plain.weights, atol=1e-12)
    for label, mistakes in ((1, 0), (-1, 2)):  # two ties: the first candidate +1 may be right
        unit = np.eye(2), [label, label]
        pair = Listed(2, lambda x, c: c * x / 2, lambda x: (1, -1))
        assert play(StructuredPerceptron(pair), *unit).mistakes == mistakes
        assert play(Perceptron(2), *unit).mistakes == 2


def test_the_sentences_are_learnt_and_ambiguous():
    assert len(SENTENCES) == len(TAGGINGS) == 14 and all(
        len(x) == len(y) for x, y in zip(SENTENCES, TAGGINGS, strict=True)
    )
    assert (
        len(
            {
                t
                for x, y in zip(SENTENCES, TAGGINGS, strict=True)
                for w, t in zip(x, y, strict=True)
                if w == "light"
            }
        )
        == 3
    )
    run = play(StructuredPerceptron(TASK), SENTENCES, TAGGINGS, epochs=100, until_consistent=True)
    assert run.mistakes_per_pass[-1] == 0 and run.mistakes_per_pass[0] > 0
    assert [TASK.best(run.weights[-1], x) for x in SENTENCES] == list(TAGGINGS)


def test_the_widest_gap_is_the_largest_margin_over_all_candidates():
    X, Y = SENTENCES[:4], TAGGINGS[:4]
    v, gamma = widest_gap(TASK, X, Y)
    rows = [
        TASK.features(x, y) - TASK.features(x, c)
        for x, y in zip(X, Y, strict=True)
        for c in TASK.candidates(x)
        if c != y
    ]
    assert np.linalg.norm(v) == pytest.approx(1) and min(row @ v for row in rows) == pytest.approx(
        gamma
    )
    assert gamma == pytest.approx(max_margin(np.array(rows), np.ones(len(rows))).gamma, rel=1e-6)


# Anything can be played ---------------------------------------------------------------------------


class Echo:
    """Says what it was told to say for an input last time."""

    inputs = labels = "anything"

    def __init__(self):
        self.said = {}

    def predict(self, x):
        return self.said.get(x)

    def update(self, x, y):
        self.said[x] = y


def test_inputs_and_labels_stay_the_objects_that_they_are():
    X, y = ["one", ("two", 2), "one"], [("a", "b"), "c", ("a", "b")]
    run = play(Echo(), X, y, epochs=2)
    assert run.X.tolist() == X * 2 and run.y.tolist() == y * 2
    assert run.predictions.tolist() == [None, None, ("a", "b"), ("a", "b"), "c", ("a", "b")]
    assert run.mistake.tolist() == [
        True,
        True,
        False,
        False,
        False,
        False,
    ] and run.mistakes_per_pass.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: play(Echo(), [], []), "X is empty: a stream needs at least one trial"),
        (lambda: play(Echo(), ["a"], ["b", "c"]), "X has 1 rows, y has 2"),
        (lambda: play(Echo(), ["a"]), "y is missing: Echo learns from labels"),
        (
            lambda: TASK.features(("we", "can"), ("P",)),
            "('we', 'can') has 2 words, ('P',) has 1 tags",
        ),
        (lambda: TASK.features(("we",), ("X",)), "the tags are A, D, N, P, V; ('X',) has 'X'"),
        (lambda: TASK.best(np.zeros(TASK.size), ()), "a sentence must have at least one word"),
        (
            lambda: Tagging(["a", "a"], "NV"),
            "words must be different from each other; got ('a', 'a')",
        ),
        (
            lambda: Tagging(["a"], "N"),
            "tags must be different from each other, at least 2; got ('N',)",
        ),
        (
            lambda: Listed(1, blocks, lambda x: [7]).rival(np.zeros(1), "x", 7),
            "7 has no rival: it is the only candidate for 'x'",
        ),
        (
            lambda: widest_gap(Listed(1, lambda x, y: np.ones(1), lambda x: "ab"), ["x"], ["a"]),
            "nothing tells 'a' from 'b' for 'x': they have the same features",
        ),
        (
            lambda: widest_gap(Listed(3, blocks, lambda x: range(3)), [[1.0], [1.0]], [0, 1]),
            "nothing separates the data",
        ),
        (lambda: VotedPerceptron(0), "n must be a whole number >= 1; got 0"),
        (
            lambda: play(AveragedPerceptron(1), [[1.0]], [0]),
            "y[0] is 0 (these look like 0/1 labels: pass 2*y - 1)",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


# The theorem --------------------------------------------------------------------------------------


@st.composite
def planted(draw):
    """(run, v): three to five candidates with random integer features, the truth chosen by v, a few
    passes.
    """
    T, k, d = draw(st.integers(1, 12)), draw(st.integers(2, 4)), draw(st.integers(1, 3))
    F = draw(arrays(float, (T, k, d), elements=WHOLE))
    v = draw(arrays(float, d, elements=WHOLE))
    scores = np.sort(F @ v, axis=1)
    F = F[scores[:, -1] > scores[:, -2]]  # the inputs with a single best candidate
    assume(len(F))
    task = Listed(d, lambda x, c: F[x, c], lambda x: range(k))
    return (
        play(
            StructuredPerceptron(task),
            range(len(F)),
            (F @ v).argmax(axis=1),
            epochs=draw(st.integers(1, 3)),
        ),
        v,
    )


@given(planted())
@MODEST
def test_no_run_breaks_the_structured_bound(case):
    run, v = case
    ledger = proofs.structured_bound(run, v)
    assert ledger.holds, ledger
    assert ledger.value == run.mistakes and len(ledger.lines) == 9
    assert not ledger.lines[1].rhs.any(), "a mistake: ŷ scored at least as high as y"


@pytest.mark.parametrize("T", [1, 4, 9])
def test_orthonormal_data_attain_the_structured_bound(T):
    two = Listed(T, lambda x, c: c * x / 2, lambda x: (1, -1))
    ledger = proofs.structured_bound(
        play(StructuredPerceptron(two), np.eye(T), [-1] * T), -np.ones(T)
    )
    assert ledger.holds and ledger.value == T and ledger.bound == pytest.approx(T)


def test_the_structured_bound_on_the_sentences():
    run = play(StructuredPerceptron(TASK), SENTENCES, TAGGINGS, epochs=100, until_consistent=True)
    v, gamma = widest_gap(TASK, SENTENCES, TAGGINGS)
    ledger = proofs.structured_bound(run, 3 * v)  # its length does not matter
    trials = zip(run.X, run.y, run.predictions, strict=True)
    R2 = max(((TASK.features(x, y) - TASK.features(x, said)) ** 2).sum() for x, y, said in trials)
    assert (
        ledger.holds
        and ledger.value == run.mistakes
        and ledger.bound == pytest.approx(R2 / gamma**2)
    )


class Timid(StructuredPerceptron):
    """Halves its updates."""

    def update(self, x, y):
        before = self.w
        super().update(x, y)
        self.w = (before + self.w) / 2


class Restless(StructuredPerceptron):
    """Moves without a mistake, too."""

    def update(self, x, y):
        super().update(x, y)
        self.w = self.w + 0.1


class Contrary(StructuredPerceptron):
    """Predicts the worst candidate instead of the best."""

    def predict(self, x):
        return self.task.best(-self.w, x)


@pytest.mark.parametrize(("make", "line"), [(Timid, 1), (Restless, 1), (Contrary, 2)])
def test_a_broken_learner_breaks_the_right_line(make, line):
    v, _ = widest_gap(TASK, SENTENCES, TAGGINGS)
    ledger = proofs.structured_bound(play(make(TASK), SENTENCES, TAGGINGS, epochs=2), v)
    assert not ledger.holds and ledger.first_violation[0] == line, ledger


@pytest.mark.parametrize(
    ("v", "message"),
    [
        (np.zeros(TASK.size), "v must be a vector of 85 numbers, not all 0"),
        (np.ones(3), "v must be a vector of 85 numbers"),
        (
            np.ones(TASK.size),
            (
                "v must score each y above all other candidates; on trial 1 it scores ('P', 'V',"
                " 'V') above"
            ),
        ),
    ],
)
def test_a_missing_hypothesis_is_named(v, message):
    with pytest.raises(HypothesisError, match=re.escape(message)):
        proofs.structured_bound(play(StructuredPerceptron(TASK), SENTENCES, TAGGINGS), v)


def test_the_structured_bound_is_about_structured_learners():
    with pytest.raises(HypothesisError, match="must keep its task in an attribute task"):
        proofs.structured_bound(play(Perceptron(1), [[1.0]], [1]), [1.0])


def test_the_same_features_err_for_ever():
    task = Listed(1, lambda x, y: np.array([float(len(y))]), lambda x: ("ab", "ba"))
    run = play(StructuredPerceptron(task), ["x"] * 100, ["ba"] * 100)
    assert run.mistakes == 100 and not run.weights.any()
    with pytest.raises(HypothesisError, match="it scores 'ba' above 'ab' by 0"):
        proofs.structured_bound(run, [1.0])
