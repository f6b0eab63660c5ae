"""Errata of the notes on disjunctions and Winnow (lecture 08)."""

import numpy as np

from .. import adversaries, proofs, streams
from ..booleans import Or, cube, with_negations
from ..clinic import erratum, wording
from ..ledger import claim
from ..perceptron.learners import Perceptron
from ..protocol import play
from .learners import Winnow

UNIT = np.eye(4, dtype=int)  # the four unit vectors, as positive examples of x1 ∨ x2


def _units(*order, strict=True):
    """Return the Run of Winnow with n = 4 on unit vectors in this order, all with label 1."""
    return play(Winnow(4, strict=strict), UNIT[list(order)], np.ones(len(order), int))


@erratum(
    "E0-15",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"\text{Perceptron weights decay}",
    right=r"\|w\| \ge M\gamma \text{: they grow}",
)
def perceptron_weights_decay():
    """The length of the Perceptron's weights on 300 examples of x1 ∨ x2, of ten variables."""
    X, y = streams.disjunction(300, 10, 2, rng=0)
    run = play(Perceptron(11), np.column_stack([X, np.ones(300, int)]), 2 * y - 1)
    length, first = np.linalg.norm(run.weights, axis=1), int(np.argmax(run.mistake)) + 1
    return (
        claim(r"\|w_{T+1}\| \le \|w\| \text{ after the first update}", length[-1], length[first]),
        claim(
            r"\|w_{T+1}\| \ge M\gamma,\ \gamma = 1/\sqrt{4k+1}",
            length[-1],
            run.mistakes / 3,
            relation=">=",
        ),
    )


@erratum(
    "E0-16",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"\hat y = \text{OR of the relevant features}",
    right=r"\hat y = 1[w\cdot x \ge n]",
)
def winnow_predicts_an_or():
    """After one mistake, on 1100, the weights are (2, 2, 1, 1); Winnow rejects 1000 and 0100."""
    learner, X = Winnow(4), cube(4)
    learner.update(np.array([1, 1, 0, 0]), 1)
    predictions = [learner.predict(x) for x in X]
    return (
        claim(r"\hat y(x) = x_1 \vee x_2", predictions, Or(1, 2)(X), relation="=="),
        claim(r"\hat y(x) = 1[w\cdot x \ge n]", predictions, X @ [2, 2, 1, 1] >= 4, relation="=="),
    )


@erratum(
    "E0-17",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"w_i = (1+\beta)^{m^+}",
    right=r"w_i = (1+\beta)^{c_i},\ c_i \text{ positive mistakes with } x_i = 1",
)
def weight_of_a_relevant_feature():
    """Target x1 ∨ x2, mistakes on e1, e2, e2: the weights are (2, 4, 1, 1), not 8."""
    run = _units(0, 1, 1)
    return (
        proofs.printed_relevant_weight(run, Or(1, 2)).lines[-1],
        claim(r"\lg w_2 = c_2", np.log2(run.weights[-1, 1]), run.X[:, 1].sum(), relation="=="),
    )


@erratum(
    "E0-18",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"w_i < N \text{ for all } i",
    right=r"w_i \le N \text{ for active } i",
)
def weights_below_the_threshold():
    """Target x1 ∨ x2, N = 4: a positive mistake on e1 while the weight of x2 is 8."""
    run = _units(1, 1, 1, 0)
    active = np.where(run.X == 1, run.weights[:-1], 0).max(axis=1)
    return proofs.printed_weight_below_n(run).lines[-1], claim(
        r"\max_{i:\,x_i=1} w_i \le N", active, 4, on=run.mistake
    )


@erratum(
    "E0-19",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\hat y = 0 \iff w\cdot x < N",
    right=r"\hat y = 0 \iff w\cdot x \le N \text{ (rule >)}",
)
def strict_at_the_threshold():
    """The first trial shows 1111: w·x = 4 = N, and the rule > predicts 0."""
    run = play(Winnow(4, strict=True), [[1, 1, 1, 1]], [1])
    score, rejected = run.weights[:1].sum(axis=1), run.predictions == 0
    return (
        claim(
            r"w\cdot x \le N - 1 \text{ (below } N\text{, a whole number)}", score, 3, on=rejected
        ),
        claim(r"w\cdot x \le N", score, 4, on=rejected),
    )


@erratum(
    "E0-20",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"w = (1+\beta)^m = 2^{m^+-1}",
    right=r"\text{before the last promotion } w = 2^{c-1} \le N",
)
def two_exponents():
    """Target x1, N = 4, three mistakes on e1."""
    w = _units(0, 0, 0).weights[:, 0]
    return claim(r"w_{T+1} = 2^{m^+-1}", w[-1], 2**2, relation="=="), claim(
        r"w_T = 2^{c-1} \le N", w[-2], 4
    )


@erratum(
    "E0-21",
    severity="A",
    source="Kitani",
    lecture="08",
    printed=r"m^+ < \lg N + 1",
    right=r"m^+ \le \lfloor\lg N\rfloor + 1",
)
def strict_bound_on_positive_mistakes():
    """Target x1, N = 4, rule >: three mistakes on e1, and lg N + 1 = 3."""
    run = _units(0, 0, 0)
    return (
        proofs.printed_positive_mistakes(run, Or(1)).lines[-1],
        claim(r"m^+ \le \lfloor\lg N\rfloor + 1", run.mistakes, proofs.promotions(4, strict=True)),
    )


wording(
    "E0-22",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\text{for } k \text{ features multiply by } k",
    right=(
        r"\text{each positive mistake promotes a relevant weight, each of them at most } \lfloor\lg"
        r" N\rfloor+1 \text{ times}"
    ),
    example="The counting step is missing; line 2 of the proof in the lecture is that step.",
)


@erratum(
    "E0-23",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\Phi \le N - \tfrac12 m^- N",
    right=r"\Phi \le N + m^+N - \tfrac12 m^-N",
)
def potential_of_negative_mistakes():
    """Three positive mistakes and no negative one: the total weight is 11."""
    run = _units(0, 0, 0)
    return (
        proofs.printed_negative_potential(run).lines[-1],
        claim(r"\Phi_t \le N + m^+_tN", run.weights.sum(axis=1), 4 + 4 * run.mistakes_before),
    )


wording(
    "E0-24",
    severity="C",
    source="Kitani",
    lecture="08",
    printed=r"m^- < 2+2m^+ = 2+2k(\lg N+1)",
    right=r"m^- < 2+2m^+ < 2+2k(\lg N+1)",
)


@erratum(
    "E0-25",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"M < 2+3k(\lg N+1) \text{ for } k \text{ relevant features}",
    right=r"\text{for a monotone disjunction of } k",
)
def relevant_features_are_not_enough():
    """At least 3 of 4 depends on four features; then x1 ∨ x2 ∨ x3 ∨ x4 on the same rows, 20 passes
    each.
    """
    X, y = streams.at_least(3, 4)
    count, clause = play(Winnow(4), X, y, epochs=20), play(Winnow(4), X, X.max(axis=1), epochs=20)
    return (
        proofs.printed_relevant_features(count, 4).lines[-1],
        proofs.winnow_bound(clause, Or(1, 2, 3, 4)).lines[-1],
    )


wording(
    "E0-26",
    severity="C",
    source="Kitani",
    lecture="08",
    printed=r"\text{it doubles the relevant weights with } x = 1",
    right=r"\text{it doubles all active weights, relevant or not}",
)


@erratum(
    "E0-27",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\text{both bounds hold for separable data}",
    right=r"\text{the Perceptron's does}",
)
def separable_data():
    """At least 3 of 4 is separable, by u = (2, 2, 2, 2, -5): 100 passes of Winnow and of the
    Perceptron.
    """
    X, y = streams.at_least(3, 4)
    winnow = play(Winnow(4), X, y, epochs=100)
    perceptron = play(Perceptron(5), np.column_stack([X, np.ones(16, int)]), 2 * y - 1, epochs=100)
    return (
        claim(r"M_{Winnow} \le 2+3k(\lg N+1)", winnow.mistakes, 2 + 12 * 3),
        claim(r"M_{Perceptron} \le R^2\|u\|^2", perceptron.mistakes, 5 * 41),
    )


@erratum(
    "E0-28",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\text{Winnow uses relevant features only, so } N \text{ does not matter}",
    right=r"\text{it has } N \text{ weights, and } M \text{ grows with } \lg N",
)
def mistakes_do_not_depend_on_n():
    """The exact worst case with one relevant variable of 4 and of 8."""
    four, eight = (adversaries.winnow_on_disjunctions(n, 1).mistakes for n in (4, 8))
    return claim(r"M(N=8) \le M(N=4)", eight, four), claim(
        r"M(N=8) \le 3k\lceil\lg N\rceil + 1", eight, 10
    )


@erratum(
    "E0-29",
    severity="B",
    source="Kitani",
    lecture="08",
    printed=r"\text{the experiment, without its distribution}",
    right=r"P(x_i = 1) = 1 - 2^{-1/k} \text{: balanced labels}",
)
def distribution_of_the_experiment():
    """The Perceptron with k = 20 of N = 200: 1000 trials of fair bits, then of bits with balanced
    labels.
    """
    fair, balanced = (
        play(Perceptron(201), np.column_stack([X, np.ones(1000, int)]), 2 * y - 1).mistakes
        for X, y in (streams.disjunction(1000, 200, 20, rng=0, p=p) for p in (0.5, None))
    )
    return (
        claim(r"M \ge 200 \text{ with fair bits}", fair, 200, relation=">="),
        claim(r"M \ge 200 \text{ with balanced labels}", balanced, 200, relation=">="),
    )


wording(
    "E2-22",
    severity="C",
    source="Herbster",
    lecture="08",
    printed=r"x_1\vee x_2 = \mathrm{sign}(x_1+x_2),\ f_{u,b}\in\{-1,1\}",
    right=(
        r"\mathrm{sign}(0) = 0 \text{ here; elsewhere a value of } u\cdot x + b = 0 \text{ is"
        r" avoided}"
    ),
)


@erratum(
    "E2-24",
    severity="B",
    source="Herbster",
    lecture="08",
    printed=r"M_p \le k(\log n + 1)",
    right=r"M_p \le k\lceil\lg n\rceil \text{, base 2}",
)
def base_of_the_logarithm():
    """Target x1 of 16 variables: four mistakes on e1, while ln 16 + 1 is 3.77."""
    run = play(Winnow(16), np.eye(16, dtype=int)[[0] * 4], [1] * 4)
    return (
        proofs.printed_natural_log(run, Or(1)).lines[-1],
        claim(r"m^+ \le k\lceil\lg n\rceil", run.mistakes, proofs.promotions(16)),
    )


wording(
    "E2-33",
    severity="C",
    source="Herbster",
    lecture="08",
    printed=r"\text{Mistakes of WM} \le 2.63\,M + \ldots",
    right=r"M \le 2.63\,M_* + \ldots,\ M_* \text{ of the best disjunction}",
)


@erratum(
    "E4-01",
    severity="A",
    source="Rivest",
    lecture="08",
    printed=r"x'_i = x_i,\ x'_{2i} = \bar x_i",
    right=r"x'_{2i-1} = x_i,\ x'_{2i} = \bar x_i",
)
def indices_collide():
    """n = 4: the printed indices i and 2i name six of the eight places, and two of them twice."""
    places = {i for i in range(1, 5)} | {2 * i for i in range(1, 5)}
    return (
        claim(r"|\{i, 2i\}| = 2n", len(places), 8, relation="=="),
        claim(
            r"\text{columns with negations} = 2n",
            with_negations(cube(4)).shape[1],
            8,
            relation="==",
        ),
    )


@erratum(
    "E4-02",
    severity="A",
    source="Rivest",
    lecture="08",
    printed=r"\text{Winnow learns linearly separable concepts}",
    right=r"\text{monotone disjunctions; others after new features}",
)
def separable_concepts():
    """¬x1 is separable. On x = 0 Winnow always says 0: 100 trials, without and with negations as
    features.
    """
    X, y = np.zeros((100, 4), int), np.ones(100, int)
    plain, negations = play(Winnow(4), X, y), play(Winnow(8), with_negations(X), y)
    return (
        claim(r"M \le 2 + 3k(\lg n+1),\ k = 1,\ n = 4", plain.mistakes, 11),
        claim(r"M \le 2 + 3k(\lg n+1),\ k = 1,\ n = 8", negations.mistakes, 14),
    )


@erratum(
    "E4-03",
    severity="B",
    source="Rivest",
    lecture="08",
    printed=r"k\lg n \text{ mistakes are necessary}",
    right=r"k\lg(n/k),\ k \le n/2",
)
def winnow_is_optimal():
    """All disjunctions of at most 4 of 4 variables: there are 16, so Halving needs at most 4
    mistakes.
    """
    n = k = 4
    halving = np.log2(2**n)
    return claim(r"k\lg n \le \lg|C|", k * np.log2(n), halving), claim(
        r"k\lg\tfrac nk \le \lg|C|", k * np.log2(n / k), halving
    )


wording(
    "E4-18",
    severity="C",
    source="Rivest",
    lecture="08",
    printed=r"\text{the class of exactly } k \text{ variables}",
    right=r"\text{the bound also covers fewer: at most } k",
)
wording(
    "E0-30",
    severity="C",
    source="Kitani",
    lecture="08",
    printed=r"\text{two references with the wrong authors}",
    right=r"\text{[1] is by Kivinen, Warmuth and Auer; [4] repeats the authors of [5]}",
)
