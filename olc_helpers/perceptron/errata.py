"""Errors and remarks on the notes about the Perceptron and its mistake bound (lectures 06, 07)."""

import numpy as np
from numpy.typing import ArrayLike

from .. import adversaries, streams
from ..ledger import Proof, claim, theorem
from ..notes import erratum, remark
from ..protocol import Run, play
from .learners import Perceptron
from .margins import margin, max_margin
from .theorems import novikoff, novikoff_at_most, novikoff_comparator, novikoff_cosine

# Examples on which the tie rules differ.
THREE = (np.array([[1, 0], [0, 1], [1, 1]]), np.array([1, -1, 1]))


class _LowerAtZero(Perceptron):
    """The Perceptron of the notes after Mohri et al.: score <= 0 says -1, a wrong label updates."""

    def predict(self, x):
        return 1 if self.w @ x > 0 else -1

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = self.w + y * x


class _UpperAtZero(Perceptron):
    """The Perceptron of the slides: score >= 0 says +1, y·score <= 0 updates."""

    def predict(self, x):
        return 1 if self.w @ x >= 0 else -1


def _ten_points(learner=Perceptron):
    return play(learner(2), *streams.TEN_POINTS, epochs=9, until_consistent=True)


def _updates(run):
    """Return the trials, from 0, after which w changed."""
    return np.flatnonzero(np.diff(run.weights, axis=0).any(axis=1))


def _scores(run):
    return run.y * np.einsum("ti,ti->t", run.weights[:-1], run.X)


# Errors -------------------------------------------------------------------------------------------


@theorem(r"v\cdot w_{t+1} = v\cdot w_t + y_t\, v\cdot x_t", lecture="07", erratum="E0-11")
def printed_progress(run: Run, v: ArrayLike) -> Proof:
    """The progress along v as printed, on every trial because v makes no mistake."""
    along = run.weights @ v
    yield claim(
        r"v\cdot w_{t+1} = v\cdot w_t + y_t\, v\cdot x_t",
        along[1:],
        along[:-1] + run.y * (run.X @ v),
    ).because("as printed: v makes no mistake")


@erratum(
    "E0-11",
    severity="B",
    where="formula (12), second line",
    lecture="07",
    printed=r"v\cdot w_{t+1} = v\cdot w_t + y_t\,v\cdot x_t \text{ because } v \text{ never errs}",
    right=r"\text{it holds where the learner errs; that } v \text{ never errs gives the next line}",
)
def progress_on_every_trial():
    """The positive examples (10, 0), (10, 1), (9, 1) and v = (1, 0), which is right about all of
    them: after the first trial the learner is right too, so w stays.
    """
    run = play(Perceptron(2), np.array([[10, 0], [10, 1], [9, 1]]), np.ones(3, int))
    v = np.array([1.0, 0.0])
    return printed_progress(run, v).lines[0], novikoff(run, v).lines[6]


@erratum(
    "E0-12",
    severity="C",
    where="between formulas (13) and (14)",
    lecture="07",
    printed=r"v\cdot w_{t+1} \ge v\cdot w_t + \gamma \text{ at each time step}",
    right=r"v\cdot w_{t+1} \ge v\cdot w_t + \gamma \text{ at each mistake}",
)
def gain_at_each_step():
    """The positive examples (10, 0), (10, 1), (9, 1) and v = (1, 0): one mistake, three
    trials.
    """
    run = play(Perceptron(2), np.array([[10, 0], [10, 1], [9, 1]]), np.ones(3, int))
    v = np.array([1.0, 0.0])
    along, gamma = run.weights @ v, margin(run.X, run.y, v)
    line = r"v\cdot w_{t+1} \ge v\cdot w_t + \gamma"
    return (
        claim(line, along[1:], along[:-1] + gamma),
        claim(line, along[1:], along[:-1] + gamma, on=run.mistake),
    )


@erratum(
    "E1-08",
    severity="C",
    where="theorem 8.8, the chain for the length of w (in our copy)",
    lecture="07",
    printed=r"\|w\|^2 + r^2 = \|w^-\|^2 + 2r^2,\ w^- \text{ one update before } w",
    right=r"\|w\|^2 + r^2 \le \|w^-\|^2 + 2r^2",
)
def inner_equality():
    """The ten points of lecture 6 with the tie rule of these notes; the chain begins and ends with
    the right sign, the equality sign stands inside.
    """
    run = _ten_points(_LowerAtZero)
    done = _updates(run)
    before, after = (
        np.einsum("ti,ti->t", w, w) for w in (run.weights[done], run.weights[done + 1])
    )
    r2 = (run.X**2).sum(axis=1).max()
    sides = after + r2, before + 2 * r2
    return (
        claim(r"\|w\|^2 + r^2 = \|w^-\|^2 + 2r^2", *sides, of="updates"),
        claim(r"\|w\|^2 + r^2 \le \|w^-\|^2 + 2r^2", *sides, of="updates"),
    )


@erratum(
    "E2-17",
    severity="C",
    where="the Pythagorean lemma",
    lecture="07",
    printed=r"y_t\,(w_t\cdot x_t) < 0 \text{ on the trials of the lemma, which are the mistakes}",
    right=r"y_t\,(w_t\cdot x_t) \le 0 \text{ on mistakes, as in the algorithm}",
)
def pythagorean_lemma():
    """The ten points of lecture 6: the first mistake has y(w·x) = 0. The lemma is true as it
    stands, it only does not cover this mistake.
    """
    run = _ten_points()
    return (
        claim(r"y_t\,w_t\cdot x_t < 0", _scores(run), 0, on=run.mistake),
        claim(r"y_t\,w_t\cdot x_t \le 0", _scores(run), 0, on=run.mistake),
    )


@erratum(
    "E3-06",
    severity="B",
    where="the final summary of the Perceptron",
    lecture="07",
    printed=r"\text{the number of updates is proportional to } 1/\gamma",
    right=r"\text{to } 1/\gamma^2,\ \text{in the bound and in the worst case}",
)
def inverse_to_the_margin():
    """The worst streams in R³ with margins 0.2, 0.1 and 0.05: 25, 100 and 400 updates."""
    gammas = np.array([0.2, 0.1, 0.05])
    M = np.array([play(Perceptron(3), *adversaries.sharp_perceptron(g)).mistakes for g in gammas])
    return (
        claim(r"M\gamma = M_1\gamma_1", M * gammas, M[0] * gammas[0], of="streams"),
        claim(r"M\gamma^2 = M_1\gamma_1^2", M * gammas**2, M[0] * gammas[0] ** 2, of="streams"),
    )


@erratum(
    "E4-06",
    severity="C",
    where="section 3.2.2, the denominator in the proof of theorem 1",
    lecture="07",
    printed=r"2\,w\cdot x < 0 \text{ on an update}",
    right=r"2\,w\cdot x \le 0 \text{ on an update}",
)
def cross_term():
    """The ten points of lecture 6, all made positive: the first update has w·x = 0, which predicts
    −1 there too.
    """
    X, y = streams.TEN_POINTS
    run = play(_LowerAtZero(2), y[:, None] * X, np.ones(len(y), int))
    return (
        claim(r"2\,w\cdot x < 0", 2 * _scores(run), 0, on=run.mistake),
        claim(r"2\,w\cdot x \le 0", 2 * _scores(run), 0, on=run.mistake),
    )


@erratum(
    "E0-07",
    severity="C",
    where="formulas (6), (11) and (26), against the algorithms",
    lecture="07",
    printed=r"\Phi^{(t)} = \Phi^{(t-1)} - \tfrac12\sum_{n:\,x_n^{(t)}=1} w_n^{(t-1)}",
    right=r"x^{(t-1)} \text{ in the sum, if } w^{(t-1)} \text{ is what predicts } x^{(t-1)}",
)
def vector_before_or_after():
    """The algorithms start at w⁽¹⁾ and make w⁽ᵗ⁺¹⁾ of x⁽ᵗ⁾, the proofs make w⁽ᵗ⁾ of it; either is
    fine, but (26) mixes them. Winnow on (1, 1) with the labels 1 and 0, and then on (1, 0).
    """
    X, w = np.array([[1, 1], [1, 1], [1, 0]]), [np.ones(2)]
    for x, y in zip(X, (1, 0, 0), strict=True):
        w.append(w[-1] * 2.0 ** (x * (y - (w[-1] @ x > 2))))
    line = r"\Phi_t = \Phi_{t-1} - \sum_{i:\,x_{%s,i}=1} \frac12 w_{t-1,i}"
    mixed, same = (w[1].sum() - w[1] @ x / 2 for x in (X[2], X[1]))
    return claim(line % "t", w[2].sum(), mixed), claim(line % "t-1", w[2].sum(), same)


# Remarks ------------------------------------------------------------------------------------------


@remark(
    "E0-08",
    where="formula (6), the reason in its fourth line",
    lecture="06",
    says=r"y\,(w\cdot x) < 0 \text{ on a mistake}",
    fair=r"\le 0, \text{ because the first score is 0; the chain needs no more}",
)
def score_at_a_mistake():
    """The ten points of lecture 6."""
    run = _ten_points()
    return claim(r"y_t\,w_t\cdot x_t \le 0", _scores(run), 0, on=run.mistake)


@remark(
    "E0-09",
    where="Algorithm 1, line 4",
    lecture="06",
    says=r"\hat y = \operatorname{sign}(w\cdot x) \in \{-1, 1\}, \text{ at 0 left open}",
    fair=r"\text{mind the convention; with any choice the bound } R^2/\gamma^2 \text{ holds}",
)
def sign_of_zero():
    """Three examples, and sign(0) = 0, −1, +1 in turn: 3, 1 and 2 updates."""
    counts = [len(_updates(play(rule(2), *THREE))) for rule in (Perceptron, _LowerAtZero)]
    counts.append(len(_updates(play(_LowerAtZero(2), -THREE[0], -THREE[1]))))
    return claim(
        r"\text{updates} \le R^2/\gamma^2", counts, novikoff_at_most(*THREE), of="conventions"
    )


@remark(
    "E0-14",
    where="section 2.1, the list of properties",
    lecture="06",
    says=r"\text{it does not work for non-separable data}",
    fair=r"\text{it does not settle, but } M \le \textstyle\sum_{\text{mistakes}}"
    r" (1 - y_t\,u\cdot x_t)_+ + R\,\|u\|\sqrt M \text{ for every } u",
)
def non_separable_data():
    """2000 examples with margin 0.1, one label of twenty flipped, and u = (3, 0, 0, 0, 0)."""
    X, y = streams.planted_margin(2000, np.eye(5)[0], 0.1, rng=[0, 0])
    noisy = np.where(np.random.default_rng([1, 0]).random(2000) < 0.05, -y, y)
    run, u = play(Perceptron(5), X, noisy), 3 * np.eye(5)[0]
    hinge = np.maximum(0, 1 - noisy * (X @ u))[run.mistake].sum()
    R = np.linalg.norm(X, axis=1).max()
    return claim(
        r"M \le \sum_{\text{mistakes}} (1 - y_t\,u\cdot x_t)_+ + R\,\|u\|\sqrt M",
        run.mistakes,
        hinge + R * np.linalg.norm(u) * np.sqrt(run.mistakes),
    )


@remark(
    "E1-03",
    where="the pseudo-code, and the last step of the gradient form",
    lecture="06",
    says=r"\text{update if } \hat y \ne y, \text{ and update if } y\,(w\cdot x) \le 0",
    fair=r"\text{mind the convention: they differ on ties with the lower label only}",
)
def two_tests():
    """The ten points of lecture 6 with the tie rule of these notes: on every trial on which the two
    tests differ, the score is 0 and the label −1.
    """
    run = _ten_points(_LowerAtZero)
    differ = run.mistake != (_scores(run) <= 0)
    return claim(
        r"\text{score} = 0 \text{ and } y = -1",
        (_scores(run)[differ] == 0) & (run.y[differ] == -1),
        1,
        of="such trials",
    )


@remark(
    "E1-14",
    where="theorem 9.1, inside the proof",
    lecture="07",
    says=r"\|w^*\| = B = 1, \text{ a goal } (RB)^2, \text{ and the result } T \le (RB/\rho)^2",
    fair=r"\text{the result is right; } \rho = 1 \text{ and } B = 1 \text{ are two normalisations}",
)
def one_bound_for_every_rho():
    """The positive examples (10, 1) and (−10, 1): whatever ρ is, RB/ρ is the same."""
    run = play(Perceptron(2), np.array([[10, 1], [-10, 1]]), np.ones(2, int))
    bounds = [novikoff_comparator(run, rho=rho).bound for rho in (1, 0.1, 7)]
    return claim(r"(RB/\rho)^2 = 101", bounds, 101, of="values of ρ")


@remark(
    "E1-15",
    where="theorem 9.1, first line of the proof",
    lecture="07",
    says=r"w^* = v/\|v\| \text{ of theorem 8.8}",
    fair=r"\text{true if } \rho \text{ is the largest margin: then } B = 1",
)
def length_of_the_comparator():
    """The positive examples (10, 1) and (−10, 1), whose largest margin is 1."""
    gamma = max_margin(np.array([[10, 1], [-10, 1]]), [1, 1]).gamma
    return claim(r"B = \rho/\gamma = 1 \text{ for } \rho = \gamma", 1 / gamma, 1)


@remark(
    "E2-18",
    where="the box of the theorem, against the set-up of the section",
    lecture="07",
    says=r"\text{a constant } \gamma \text{ with } y_t\,(v\cdot x_t) \ge \gamma",
    fair=r"\text{write } \gamma > 0 \text{ into the box; the section assumes it}",
)
def novikoff_with_a_margin():
    """The ten points of lecture 6 and the v with the largest margin."""
    return novikoff(_ten_points()).lines[-1]


@remark(
    "E3-01",
    where="the algorithm, and its two properties",
    lecture="06",
    says=r"\hat y = +1 \text{ at score } 0; \text{ update if } y \cdot \text{score} \le 0",
    fair=r"\text{mind the convention: the bound counts updates, mistakes are among them}",
)
def updates_of_the_slides():
    """Three examples: three updates, of which one follows a wrong prediction."""
    run = play(_UpperAtZero(2), *THREE)
    return claim(r"\text{updates} \le (R/\gamma)^2", len(_updates(run)), novikoff_at_most(*THREE))


@remark(
    "E3-05",
    where="the main idea, before the proof of the convergence theorem",
    lecture="07",
    says=r"\text{we want to show that } \cos(u, w_k) \to 1",
    fair=r"\text{an intuition; the proof shows } \sqrt k\,\gamma/D \le \cos(u, w_k) \le 1",
)
def cosine_between_its_bounds():
    """The positive examples (1, 3) and (3, 1): it stops at (1, 3), where the cosine is 2/√5."""
    run = play(Perceptron(2), np.array([[1, 3], [3, 1]]), np.ones(2, int), epochs=9)
    return novikoff_cosine(run).lines[2]


@remark(
    "E4-04",
    where="section 3.2.2, theorem 1",
    lecture="07",
    says=r"\text{unit length and strictly separable: finitely many mistakes}",
    fair=r"\text{under Assumptions 1 to 6; the gap (6) is what the bound } 1/\delta^2 \text{ uses}",
)
def with_the_gap():
    """The worst stream of unit vectors in R³ with gap 0.1: 100 mistakes."""
    run = play(Perceptron(3), *adversaries.sharp_perceptron(0.1))
    delta = margin(run.X, run.y, [0, 0, 1])
    return claim(r"M \le 1/\delta^2", run.mistakes, 1 / delta**2)


@remark(
    "E4-05",
    where="section 3.2.2, Assumption 6, and the first line of the proof",
    lecture="07",
    says=r"v\cdot x > \delta; \text{ later } v \text{ is scaled to length 1}",
    fair=r"\text{mind: } \delta > 0 \text{ is meant, and it is scaled with } v",
)
def gap_of_a_long_vector():
    """Four orthonormal examples and v = (10, 10, 10, 10): scaled with v, the gap is 1/2."""
    run = play(Perceptron(4), *adversaries.orthonormal(4))
    delta = margin(run.X, run.y, np.full(4, 10.0))
    return claim(r"M \le 1/\delta^2,\ \delta = v\cdot x/\|v\|", run.mistakes, 1 / delta**2)
