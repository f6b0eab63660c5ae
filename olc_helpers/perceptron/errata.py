"""Errata of the notes on the Perceptron and its mistake bound (lectures 04 and 05)."""

from math import erf, sqrt

import numpy as np

from .. import adversaries, proofs, streams
from ..clinic import erratum, wording
from ..ledger import claim
from ..protocol import play
from .learners import Perceptron
from .margins import margin, max_margin

# Examples on which the tie rules differ.
THREE = (np.array([[1, 0], [0, 1], [1, 1]]), np.array([1, -1, 1]))


class _Strict(Perceptron):
    """The Perceptron with the strict test of the printed proofs."""

    def update(self, x, y):
        if y * (self.w @ x) < 0:
            self.w = self.w + y * x


def _ten_points(epochs=9):
    return play(Perceptron(2), *streams.TEN_POINTS, epochs=epochs, until_consistent=True)


def _scores_at_mistakes(run):
    return (run.y * np.einsum("ti,ti->t", run.weights[:-1], run.X))[run.mistake]


def _updates(X, y, at_zero, only_if_wrong):
    """Return (mistakes, updates) with the prediction `at_zero` at score 0; updates follow mistakes,
    or y·score <= 0.
    """
    w, mistakes, updates = np.zeros(X.shape[1]), 0, 0
    for x, label in zip(X, y, strict=True):
        score = w @ x
        wrong = (np.sign(score) or at_zero) != label
        mistakes += wrong
        if wrong if only_if_wrong else label * score <= 0:
            w, updates = w + label * x, updates + 1
    return int(mistakes), updates


def _bound(X, y):
    return float((X**2).sum(axis=1).max() / max_margin(X, y).gamma ** 2)


# Ties ---------------------------------------------------------------------------------------------


@erratum(
    "E0-08",
    severity="A",
    source="Kitani",
    lecture="04",
    printed=r"y\,(w\cdot x) < 0 \text{ on a mistake}",
    right=r"y\,(w\cdot x) \le 0 \text{ on a mistake}",
)
def strict_test():
    """As the test of a program the strict inequality never leaves w = 0: ten points, ten passes,
    100 mistakes.
    """
    strict, weak = play(_Strict(2), *streams.TEN_POINTS, epochs=10), _ten_points()
    bound = _bound(*streams.TEN_POINTS)
    return (
        claim(r"M \le (R/\gamma)^2 \text{ with the test } <", strict.mistakes, bound),
        claim(r"M \le (R/\gamma)^2 \text{ with the test } \le", weak.mistakes, bound),
    )


@erratum(
    "E0-09",
    severity="B",
    source="Kitani",
    lecture="04",
    printed=r"\hat y = \operatorname{sign}(w\cdot x) \in \{-1, 1\}",
    right=r"\operatorname{sign}(0)\text{ must be defined}",
)
def sign_of_zero():
    """Three examples on which sign(0) = 0, -1 and +1 give 3, 1 and 2 updates; each obeys the
    bound.
    """
    counts = np.array([_updates(*THREE, at_zero, True)[1] for at_zero in (0, -1, 1)])
    return (
        claim(
            r"\text{updates for } \operatorname{sign}(0) = 0, -1, +1 \text{ agree}",
            counts,
            counts[0],
            relation="==",
        ),
        claim(r"\text{each number of updates} \le (R/\gamma)^2", counts, _bound(*THREE)),
    )


@erratum(
    "E1-03",
    severity="A",
    source="Notes after Mohri et al.",
    lecture="04",
    printed=r"\text{update iff } \hat y \ne y \text{ is update iff } y\,(w\cdot x) \le 0",
    right=r"\text{up to the tie rule}",
)
def pseudo_code_and_gradient_form():
    """w = 0 and the negative example (1, 0): the pseudo-code says -1 and does nothing, the other
    form updates.
    """
    X, y = np.array([[1, 0]]), np.array([-1])
    (_, pseudo), (_, gradient), (_, agreed) = (
        _updates(X, y, *rule) for rule in ((-1, True), (-1, False), (0, True))
    )
    return (
        claim(r"\text{updates of the two forms agree}", pseudo, gradient, relation="=="),
        claim(r"\text{they agree if a tie is a mistake}", agreed, gradient, relation="=="),
    )


@erratum(
    "E3-01",
    severity="B",
    source="Slides on linear models",
    lecture="04",
    printed=r"\text{we only update if we make an error}",
    right=r"\text{the bound holds for updates}",
)
def update_without_error():
    """A first positive example has score 0: the slides predict +1, which is right, and update."""
    mistakes, updates = _updates(*THREE, 1, False)
    return (
        claim(r"\text{updates} \le \text{mistakes}", updates, mistakes),
        claim(r"\text{updates} \le (R/\gamma)^2", updates, _bound(*THREE)),
    )


@erratum(
    "E2-17",
    severity="B",
    source="Herbster",
    lecture="05",
    printed=r"y\,(w\cdot x) < 0 \Rightarrow \|w'\|^2 \le \|w\|^2 + \|x\|^2",
    right=r"y\,(w\cdot x) \le 0 \Rightarrow \ldots",
)
def pythagorean_lemma():
    """The lemma must cover every update; the first one has y(w·x) = 0. Ten points, five updates."""
    run = _ten_points()
    scores = _scores_at_mistakes(run)
    return (
        claim(
            r"|\{\text{updates with } y\,(w\cdot x) < 0\}| = M",
            (scores < 0).sum(),
            run.mistakes,
            relation="==",
        ),
        claim(
            r"|\{\text{updates with } y\,(w\cdot x) \le 0\}| = M",
            (scores <= 0).sum(),
            run.mistakes,
            relation="==",
        ),
    )


@erratum(
    "E4-06",
    severity="B",
    source="Rivest",
    lecture="05",
    printed=r"2\,w\cdot x \text{ must be negative}",
    right=r"2\,w\cdot x \le 0",
)
def cross_term():
    """The first update of the ten points, in the all-positive form."""
    first = float(_scores_at_mistakes(_ten_points())[0])
    return (
        claim(r"2\,w\cdot x \le -1 \text{ for whole numbers, if negative}", 2 * first, -1),
        claim(r"2\,w\cdot x \le 0", 2 * first, 0),
    )


# The proof ----------------------------------------------------------------------------------------


@erratum(
    "E0-11",
    severity="B",
    source="Kitani",
    lecture="05",
    printed=r"v\cdot w_{t+1} = v\cdot w_t + y_t\,v\cdot x_t \text{ because } v \text{ errs never}",
    right=r"\text{it holds where the learner errs}",
)
def progress_on_every_trial():
    """Ten points: on trials without a mistake w does not change, although y(v·x) > 0."""
    run = _ten_points()
    v = max_margin(run.X, run.y).v
    return proofs.printed_progress(run, v).lines[0], proofs.novikoff(run, v).lines[6]


@erratum(
    "E1-08",
    severity="B",
    source="Notes after Mohri et al.",
    lecture="05",
    printed=r"\|w\|^2 = M\,r^2",
    right=r"\|w\|^2 \le M\,r^2",
)
def chains_of_equalities():
    """The chains are printed with equality signs; ten points, five updates."""
    run = _ten_points()
    size, most = run.weights[-1] @ run.weights[-1], run.mistakes * (run.X**2).sum(axis=1).max()
    return claim(r"\|w\|^2 = M\,r^2", size, most, relation="=="), claim(
        r"\|w\|^2 \le M\,r^2", size, most
    )


@erratum(
    "E0-13",
    severity="B",
    source="Kitani",
    lecture="05",
    printed=r"M \le R^2/\gamma^2 \text{ for } \gamma = \min_t y_t\,(v\cdot x_t)",
    right=r"\ldots \text{ if } \gamma > 0",
)
def margin_of_any_vector():
    """The ten points and v = (1, -1)/√2, which gets some of them wrong: γ = -7.07, so the printed
    bound is 2.
    """
    run = _ten_points()
    return (
        proofs.printed_novikoff(run, np.array([1.0, -1.0])).lines[0],
        proofs.novikoff(run).lines[-1],
    )


@erratum(
    "E2-18",
    severity="A",
    source="Herbster",
    lecture="05",
    printed=r"M \le (R/\gamma)^2 \text{ for every } \gamma",
    right=r"M \le (R/\gamma)^2 \text{ if } \gamma > 0",
)
def novikoff_without_margin():
    """One point with alternating labels: γ = -1, so the printed bound is 1; with one label only, γ
    = 1.
    """
    X, v = np.ones((20, 1)), np.ones(1)
    alternating, constant = (
        play(Perceptron(1), X, y) for y in ((-1) ** np.arange(20), np.ones(20, int))
    )
    return proofs.printed_novikoff(alternating, v).lines[0], proofs.novikoff(constant, v).lines[-1]


@erratum(
    "E1-14",
    severity="A",
    source="Notes after Mohri et al.",
    lecture="05",
    printed=r"\|w^*\| = B = 1 \text{ and } T \le (RB)^2",
    right=r"T \le (RB/\rho)^2",
)
def two_normalisations():
    """The points (1, 0.1) and (-1, 0.1), both positive: two updates, R² = 1.01, and (RB/ρ)² = 101
    for every ρ.
    """
    run = play(Perceptron(2), np.array([[1.0, 0.1], [-1.0, 0.1]]), np.ones(2, int), epochs=3)
    return (
        proofs.printed_comparator(run).lines[0],
        proofs.novikoff_comparator(run, rho=0.1).lines[-1],
    )


@erratum(
    "E1-15",
    severity="B",
    source="Notes after Mohri et al.",
    lecture="05",
    printed=r"w^* = v/\|v\|, \text{ so } B = 1",
    right=r"B = 1 \text{ only if } \rho \text{ is the largest margin}",
)
def length_of_the_comparator():
    """The points (1, 0.1) and (-1, 0.1): with ρ = 1 the shortest vector has length 10, with ρ = 0.1
    it has length 1.
    """
    gamma = max_margin(np.array([[1.0, 0.1], [-1.0, 0.1]]), [1, 1]).gamma
    return (
        claim(r"B = 1 \text{ for } \rho = 1", 1 / gamma, 1, relation="=="),
        claim(r"B = 1 \text{ for } \rho = 0.1", 0.1 / gamma, 1, relation="=="),
    )


@erratum(
    "E3-05",
    severity="A",
    source="Slides on linear models",
    lecture="05",
    printed=r"\cos(w, v) \to 1",
    right=r"\cos(w, v) \ge \sqrt{M}\,\gamma/R",
)
def direction_converges():
    """The positive points (1, 3) and (3, 1): the Perceptron stops after one update at (1, 3)."""
    run = play(Perceptron(2), np.array([[1, 3], [3, 1]]), np.ones(2, int), epochs=100)
    return proofs.printed_direction(run).lines[0], proofs.novikoff_cosine(run).lines[2]


@erratum(
    "E3-06",
    severity="A",
    source="Slides on linear models",
    lecture="05",
    printed=r"\text{updates} \propto 1/\gamma",
    right=r"\text{updates} \le 1/\gamma^2, \text{ attained}",
)
def inverse_to_the_margin():
    """The worst streams in R³ with margins 0.2 and 0.1: 25 and 100 mistakes."""
    wide, narrow = (
        play(Perceptron(3), *adversaries.sharp_perceptron(gamma)).mistakes for gamma in (0.2, 0.1)
    )
    return (
        claim(r"M(\gamma/2) = 2M(\gamma)", narrow, 2 * wide, relation="=="),
        claim(r"M(\gamma/2) = 4M(\gamma)", narrow, 4 * wide, relation="=="),
    )


# Hypotheses ---------------------------------------------------------------------------------------


@erratum(
    "E4-04",
    severity="A",
    source="Rivest",
    lecture="05",
    printed=r"\text{unit length, strictly separable} \Rightarrow \text{finitely many mistakes}",
    right=r"\text{with a gap } \delta > 0:\ M \le 1/\delta^2",
)
def separable_without_gap():
    """Unit vectors in R³ with v·x = 1/(t+1): mistakes go on in the second half of 2000 trials. With
    gap 0.1: 100.
    """
    both = adversaries.no_gap(2000), adversaries.sharp_perceptron(0.1)
    endless, ended = (play(Perceptron(3), X, y) for X, y in both)
    return (
        claim(r"\text{no mistake after trial } 1000", endless.mistake[1000:].sum(), 0),
        claim(r"M \le 1/\delta^2", ended.mistakes, 1 / margin(ended.X, ended.y, [0, 0, 1]) ** 2),
    )


@erratum(
    "E4-05",
    severity="B",
    source="Rivest",
    lecture="05",
    printed=r"\exists \delta, v: v\cdot x > \delta \Rightarrow M \le 1/\delta^2",
    right=r"\delta > 0 \text{ and } \|v\| = 1",
)
def gap_of_a_long_vector():
    """Four orthonormal examples and v = (10, 10, 10, 10): v·x = 10, so the printed bound is 0.01;
    scaled, it is 4.
    """
    run = play(Perceptron(4), *adversaries.orthonormal(4))
    v = np.full(4, 10.0)
    return (
        claim(r"M \le 1/\delta^2,\ \delta = v\cdot x", run.mistakes, 1 / (run.X @ v).min() ** 2),
        claim(
            r"M \le 1/\delta^2,\ \delta = v\cdot x/\|v\|",
            run.mistakes,
            1 / margin(run.X, run.y, v) ** 2,
        ),
    )


@erratum(
    "E4-09",
    severity="B",
    source="Rivest",
    lecture="05",
    printed=r"\|x\| = 1 \text{ without loss of generality}",
    right=r"\text{after the constant feature is added}",
)
def scaling_before_the_constant():
    """x = 1 is negative and x = 3 is positive: scaled first, both are 1. Best gap of 100 000
    directions.
    """
    angle = np.linspace(0, 2 * np.pi, 10**5)
    directions = np.column_stack([np.cos(angle), np.sin(angle)])

    def gap(rows):
        return float((directions @ rows.T).min(axis=1).max())

    after = np.array([[-1.0, -1.0], [3.0, 1.0]])
    before = np.array([[-1.0, -1.0], [1.0, 1.0]])
    return (
        claim(r"\max_v \min_t y_t\,v\cdot(x_t/|x_t|, 1) \ge 0.1", gap(before), 0.1, relation=">="),
        claim(
            r"\max_v \min_t y_t\,v\cdot(x_t, 1)/\|(x_t, 1)\| \ge 0.1",
            gap(after / np.linalg.norm(after, axis=1, keepdims=True)),
            0.1,
            relation=">=",
        ),
    )


# Use ----------------------------------------------------------------------------------------------


@erratum(
    "E0-14",
    severity="B",
    source="Kitani",
    lecture="04",
    printed=r"\text{it does not work for non-separable data}",
    right=r"M \le \sum_{\text{mistakes}} (1 - y_t\,u\cdot x_t)_+ + R\,\|u\|\sqrt M",
)
def non_separable_data():
    """2000 examples with margin 0.1, one label of twenty flipped: 7 % mistakes, not the 50 % of a
    coin.
    """
    X, y = streams.planted_margin(2000, np.eye(5)[0], 0.1, rng=0)
    noisy = np.where(np.random.default_rng(0).random(2000) < 0.05, -y, y)
    run, u = play(Perceptron(5), X, noisy), 3 * np.eye(5)[0]
    hinge = np.maximum(0, 1 - noisy * (X @ u))[run.mistake].sum()
    return (
        claim(r"M \ge T/2", run.mistakes, 1000, relation=">="),
        claim(
            r"M \le \sum_{\text{mistakes}} (1 - y_t\,u\cdot x_t)_+ + R\,\|u\|\sqrt M",
            run.mistakes,
            hinge + 3 * np.sqrt(run.mistakes),
        ),
    )


@erratum(
    "E3-09",
    severity="B",
    source="Slides on linear models",
    lecture="04",
    printed=r"\text{a random order is better}",
    right=r"\text{often, but every order obeys } (R/\gamma)^2",
)
def random_order():
    """A hundred examples: 44 updates sorted by label, up to 61 in forty random orders."""
    X, y = streams.off_centre(100, 0.05, rng=8)
    rng = np.random.default_rng(8)

    def updates(order):
        return play(Perceptron(3), X[order], y[order], epochs=400, until_consistent=True).mistakes

    in_blocks, shuffled = (
        updates(np.argsort(-y, kind="stable")),
        np.array([updates(rng.permutation(100)) for _ in range(40)]),
    )
    return (
        claim(r"M_{\text{random}} \le M_{\text{sorted}}", shuffled, in_blocks),
        claim(r"M_{\text{random}} \le (R/\gamma)^2", shuffled, _bound(X, y)),
    )


@erratum(
    "E4-15",
    severity="B",
    source="Rivest",
    lecture="04",
    printed=r"\text{optimal Bayesian classifiers in many cases}",
    right=r"\text{e.g. for Gaussians with equal covariance}",
)
def bayes_classifier():
    """Two Gaussians with mean 0 and deviations 1 and 3: best threshold against |x| > 1.57; then
    means ±1, deviation 1.
    """

    def below(c, mean, deviation):
        return (1 + erf((c - mean) / deviation / sqrt(2))) / 2

    def threshold(first, second):
        return (
            max(abs(below(c, *first) - below(c, *second)) for c in np.linspace(-9, 9, 1801)) / 2
            + 0.5
        )

    c = sqrt(2 * np.log(3) / (1 - 1 / 9))
    curved = (2 * below(c, 0, 1) - 1 + 2 - 2 * below(c, 0, 3)) / 2
    return (
        claim(
            r"\text{best threshold} \ge \text{best classifier}",
            threshold((0, 1), (0, 3)),
            curved,
            relation=">=",
        ),
        claim(
            r"\text{best threshold} = \text{best classifier} = \Phi(1)",
            threshold((-1, 1), (1, 1)),
            below(1, 0, 1),
            relation="==",
        ),
    )


# Wording ------------------------------------------------------------------------------------------

wording(
    "E0-06",
    severity="C",
    source="Kitani",
    lecture="04",
    printed=r"\text{Algorithm 2; features are ``expert predictions''}",
    right=r"\text{the Perceptron is Algorithm 1; its inputs are features}",
)
wording(
    "E0-07",
    severity="C",
    source="Kitani",
    lecture="05",
    printed=r"w^{(t)} = w^{(t-1)} + y^{(t)}x^{(t)}, \text{ from } w^{(0)}",
    right=r"w_{t+1} = w_t + y_tx_t, \text{ from } w_1 = 0, \text{ as in the algorithm}",
)
wording(
    "E0-10",
    severity="C",
    source="Kitani",
    lecture="05",
    printed=r"w/\|w\| = \arg\max_{w'} \langle w', w\rangle",
    right=r"\ldots \text{ over } \|w'\| = 1, \text{ for } w \ne 0",
)
wording(
    "E0-12",
    severity="C",
    source="Kitani",
    lecture="05",
    printed=r"\gamma \text{ is added at each time step}",
    right=r"\gamma \text{ is added at each mistake}",
)
wording(
    "E1-01",
    severity="C",
    source="Notes after Mohri et al.",
    lecture="04",
    printed=r"\text{Receive}(\hat y_t)",
    right=r"\text{Receive}(y_t)",
)
wording(
    "E1-02",
    severity="C",
    source="Notes after Mohri et al.",
    lecture="04",
    printed=r"n, \gamma \text{ for the rate, } p \text{ for the margin}",
    right=r"\eta \text{ and } \rho",
)
wording(
    "E1-09",
    severity="C",
    source="Notes after Mohri et al.",
    lecture="04",
    printed=r"\eta\|x\|^2 \text{ is always positive}",
    right=r"\eta\|x\|^2 \ge 0, \text{ and } > 0 \text{ for } x \ne 0",
)
wording(
    "E1-16",
    severity="C",
    source="Notes after Mohri et al.",
    lecture="05",
    printed=r"g(w^Tx_i) \ge 1,\ g(\sqrt T x_i) \ge p",
    right=r"y_i\,(w\cdot x_i) \ge 1, \text{ or } \ge \rho",
)
wording(
    "E1-17",
    severity="C",
    source="Notes after Mohri et al.",
    lecture="05",
    printed=r"\text{at most } (RB/\rho)^2 \text{ iterations}",
    right=r"\text{updates; each may take a pass over all examples}",
)
wording(
    "E3-12",
    severity="C",
    source="Slides on linear models",
    lecture="05",
    printed=r"\text{margin = distance to the boundary}",
    right=r"\text{if } \|u\| = 1",
)
wording(
    "E4-07",
    severity="C",
    source="Rivest",
    lecture="05",
    printed=r"\text{initially } f(w) \simeq 0",
    right=r"f(0) = 0/0; \text{ start after the first update}",
)
wording(
    "E4-08",
    severity="C",
    source="Rivest",
    lecture="05",
    printed=r"\text{hyperplanes AD or BC; caption: within AC and BD}",
    right=r"\text{the double wedge between the diagonals AC and BD}",
)
wording(
    "E4-14",
    severity="C",
    source="Rivest",
    lecture="05",
    printed=r"wt\cdot x = (w + x^{(i)})\cdot x^{(i)}",
    right=r"w'\cdot x^{(i)} = (w + x^{(i)})\cdot x^{(i)}",
)
wording(
    "E4-16",
    severity="C",
    source="Rivest",
    lecture="05",
    printed=r"v\cdot x > \delta \Rightarrow t \le 1/\delta^2",
    right=r"\text{then even } t < 1/\delta^2",
)
wording(
    "E2-37",
    severity="C",
    source="Herbster",
    lecture="04",
    printed=r"\text{frames of a trace and weight plots, lost in print}",
    right=r"\text{the lectures draw their own}",
)
