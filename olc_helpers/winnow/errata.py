"""Errors and remarks on notes about disjunctions and Winnow (lectures 11 and 12).

Winnow runs as in the notes in question: those of Kitani predict 1 only if w·x > N.
"""

import numpy as np

from .. import adversaries, streams
from ..ledger import claim
from ..notes import erratum, remark
from ..perceptron.learners import Perceptron
from ..protocol import play
from .booleans import And, Or, cube, with_negations
from .learners import Winnow
from .theorems import promotions, winnow_bound


def _units(*order):
    """Return the Run of Winnow, rule >, with N = 4 on unit vectors in this order, all positive."""
    return play(Winnow(4, strict=True), np.eye(4, dtype=int)[list(order)], np.ones(len(order), int))


@erratum(
    "E0-15",
    severity="A",
    where="section 2.2, below Algorithm 2",
    lecture="11",
    printed=r"\text{Perceptron weights decay}",
    right=r"\|w\| \ge M\gamma \text{: they grow; those of Weighted Majority decay}",
)
def perceptron_weights_decay():
    """The length of the Perceptron's weights on 300 examples of x1 ∨ x2, of ten variables."""
    X, y = streams.disjunction(300, 10, 2, rng=0)
    run = play(Perceptron(11), np.column_stack([X, np.ones(300, int)]), 2 * y - 1)
    length, first = np.linalg.norm(run.weights, axis=1), int(np.argmax(run.mistake)) + 1
    return (
        claim(r"\|w_{T+1}\| \le \|w\| \text{ after the first update}", length[-1], length[first]),
        claim(r"\|w_{T+1}\| \ge M\gamma,\ \gamma = 1/\sqrt{4k+1}", length[-1], run.mistakes / 3),
    )


@erratum(
    "E0-16",
    severity="B",
    where="sections 2.2 and 2.3, in words; the box of Algorithm 2 is right",
    lecture="11",
    printed=r"\hat y = \text{OR of the relevant features}",
    right=r"\hat y = 1[w\cdot x > N] \text{; the target is an OR}",
)
def winnow_predicts_an_or():
    """N = 4, target x1 ∨ x2: after a mistake on 1100 the weights are (2, 2, 1, 1), and Winnow
    rejects 1000, 0100 and even 1100.
    """
    learner, X = Winnow(4, strict=True), cube(4)
    learner.update(np.array([1, 1, 0, 0]), 1)
    predictions = [learner.predict(x) for x in X]
    return (
        claim(r"\hat y(x) = x_1 \vee x_2", predictions, Or(1, 2)(X), of="inputs"),
        claim(r"\hat y(x) = 1[w\cdot x > N]", predictions, X @ [2, 2, 1, 1] > 4, of="inputs"),
    )


@erratum(
    "E0-17",
    severity="A",
    where="Lemma 3",
    lecture="11",
    printed=r"w_i = (1+\beta)^m \text{ after } m \text{ positive mistakes}",
    right=r"w_i = (1+\beta)^{c_i},\ c_i \text{ positive mistakes with } x_i = 1",
)
def weight_of_a_relevant_feature():
    """Target x1 ∨ x2, β = 1, mistakes on 1000, 0100 and 0100: the weights are (2, 4, 1, 1), and
    2ᵐ is 8.
    """
    run = _units(0, 1, 1)
    w = run.weights[-1, :2]
    return (
        claim(r"w_i = 2^m", w, 2**run.mistakes, of="relevant features"),
        claim(r"w_i = 2^{c_i}", w, 2.0 ** run.X[:, :2].sum(axis=0), of="relevant features"),
    )


@erratum(
    "E0-18",
    severity="A",
    where="Lemma 4",
    lecture="11",
    printed=r"w_i < N \text{ for every relevant } i \text{ at a positive mistake}",
    right=r"w_i \le N \text{ for active } i",
)
def weights_below_the_threshold():
    """Target x1 ∨ x2, N = 4: a positive mistake on 1000 while the weight of x2 is 8."""
    run = _units(1, 1, 1, 0)
    active = np.where(run.X == 1, run.weights[:-1], 0).max(axis=1)
    return (
        claim(r"\max_{i\in K} w_{t,i} < N", run.weights[:-1, :2].max(axis=1), 4, on=run.mistake),
        claim(r"\max_{i:\,x_{t,i}=1} w_{t,i} \le N", active, 4, on=run.mistake),
    )


@erratum(
    "E0-19",
    severity="C",
    where="formula (21), in our copy; above formula (24) it is right",
    lecture="11",
    printed=r"\hat y = 0 \iff w\cdot x < N",
    right=r"\hat y = 0 \iff w\cdot x \le N",
)
def strict_at_the_threshold():
    """The first trial shows 1111: w·x = 4 = N, and the rule > predicts 0."""
    run = play(Winnow(4, strict=True), [[1, 1, 1, 1]], [1])
    score, rejected = run.weights[:1].sum(axis=1), run.predictions == 0
    return (
        claim(r"w_t\cdot x_t < N", score, 4, on=rejected),
        claim(r"w_t\cdot x_t \le N", score, 4, on=rejected),
    )


@remark(
    "E0-20",
    where="formula (34)",
    lecture="11",
    says=r"w = (1+\beta)^m = 2^{m^+-1}",
    fair=r"m \text{ counts the mistakes before the last one, so } m = m^+-1",
)
def two_exponents():
    """Target x1, N = 4, three mistakes on 1000: on the third one the weight is 4."""
    run = _units(0, 0, 0)
    return claim(r"w_T = 2^{m^+-1}", run.weights[-2, 0], 2 ** (run.mistakes - 1))


@erratum(
    "E0-21",
    severity="A",
    where="formula (35)",
    lecture="11",
    printed=r"m^+ < \lg N + 1 \text{ for one relevant feature}",
    right=r"m^+ \le \lfloor\lg N\rfloor + 1",
)
def strict_bound_on_positive_mistakes():
    """Target x1, N = 4, rule >: three mistakes on 1000, and lg N + 1 = 3."""
    run = _units(0, 0, 0)
    return (
        claim(r"m^+ < \lg N + 1", run.mistakes, np.log2(4) + 1),
        claim(r"m^+ \le \lfloor\lg N\rfloor + 1", run.mistakes, promotions(4, strict=True)),
    )


@remark(
    "E0-23",
    where="formulas (25), (28) and (29)",
    lecture="11",
    says=r"\Phi < N - \tfrac12 m^- N \text{ for one kind of mistakes}",
    fair=(
        r"\text{read “negative” in the sentence before (28); (25) and (28) are the two"
        r" contributions, and (29) bounds } \Phi"
    ),
)
def potential_of_both_kinds():
    """Formula (29) on 300 examples of x1 ∨ x2, of ten variables, rule >."""
    X, y = streams.disjunction(300, 10, 2, rng=0)
    run = play(Winnow(10, strict=True), X, y)
    up, down = (np.append(0, np.cumsum(run.mistake & (y == label))) for label in (1, 0))
    return claim(
        r"\Phi_t \le N + m^+_t N - \tfrac12 m^-_t N",
        run.weights.sum(axis=1),
        10 + 10 * up - 5 * down,
    )


@erratum(
    "E0-24",
    severity="C",
    where="formula (37), in our copy",
    lecture="11",
    printed=r"2+2m^+ = 2+2k(\lg N+1)",
    right=r"2+2m^+ \le 2+2k(\lg N+1)",
)
def bound_written_as_equality():
    """Target x1, N = 4, rule >: one mistake on 1000, then the stream ends; (37) stands for any."""
    left, right = 2 + 2 * _units(0).mistakes, 2 + 2 * (np.log2(4) + 1)
    return (
        claim(r"2+2m^+ = 2+2k(\lg N+1),\ k = 1", left, right),
        claim(r"2+2m^+ \le 2+2k(\lg N+1),\ k = 1", left, right),
    )


@erratum(
    "E0-25",
    severity="B",
    where="Theorem 5",
    lecture="11",
    printed=r"M < 2+3k(\lg N+1) \text{ for } k \text{ relevant features}",
    right=r"\text{for labels of a monotone disjunction of } k \text{ features}",
)
def relevant_features_are_not_enough():
    """x1 ∧ (x2 ∨ x3) depends on all three features: 60 passes over the eight inputs in order; then
    x1 ∨ x2 ∨ x3 on the same rows.
    """
    X, learner = cube(3), Winnow(3, strict=True)
    both, clause = And(1, Or(2, 3)), Or(1, 2, 3)
    mistakes = play(learner, X, both(X), epochs=60).mistakes
    allowed = winnow_bound(play(Winnow(3, strict=True), X, clause(X), epochs=60), clause)
    return (
        claim(r"M < 2+3k(\lg N+1),\ k = N = 3", mistakes, allowed.bound),
        claim(r"M < 2+3k(\lg N+1),\ k = N = 3", allowed.value, allowed.bound),
    )


@erratum(
    "E0-26",
    severity="C",
    where="proof of Theorem 5, above formula (23)",
    lecture="11",
    printed=r"\text{a positive mistake doubles the weights of relevant features with } x = 1",
    right=r"\text{of all active features, relevant or not, as formula (23) has it}",
)
def who_is_promoted():
    """Target x1, N = 4, a mistake on 1100: the weight of x2 doubles too, so with the relevant
    features alone the sum would grow by 1, not by 2.
    """
    X = np.array([1, 1, 0, 0])
    run = play(Winnow(4, strict=True), [X], [1])
    grown, relevant = run.weights[1] - run.weights[0], np.array([1, 0, 0, 0])
    return (
        claim(
            r"\Phi_{t+1}-\Phi_t = \textstyle\sum_{i\in K,\,x_{t,i}=1} w_{t,i}",
            grown.sum(),
            run.weights[0] @ (relevant * X),
        ),
        claim(
            r"\Phi_{t+1}-\Phi_t = \textstyle\sum_{i:\,x_{t,i}=1} w_{t,i}",
            grown.sum(),
            run.weights[0] @ X,
        ),
    )


@erratum(
    "E0-27",
    severity="B",
    where="section 2.3",
    lecture="11",
    printed=r"\text{Winnow's mistakes are bounded if the data are linearly separable}",
    right=r"\text{if a monotone disjunction labels them}",
)
def separable_data():
    """¬x1 on 0000 and 1000 in turn, 200 trials: separable, and Winnow errs on each 0000. With
    negations as features ¬x1 is a monotone disjunction.
    """
    X, y = np.tile([[0, 0, 0, 0], [1, 0, 0, 0]], (100, 1)), np.tile([1, 0], 100)
    plain = play(Winnow(4, strict=True), X, y)
    repaired = play(Winnow(8, strict=True), with_negations(X), y)
    return (
        claim(r"M < 2+3k(\lg N+1),\ k = 1,\ N = 4", plain.mistakes, 2 + 3 * 3),
        claim(r"M < 2+3k(\lg N+1),\ k = 1,\ N = 8", repaired.mistakes, 2 + 3 * 4),
    )


@remark(
    "E0-28",
    where="section 3.2",
    lecture="11",
    says=r"N \text{ has little effect on Winnow, perhaps because it uses relevant features only}",
    fair=r"\text{it uses all } N \text{ weights; the mistakes grow like } \lg N",
)
def mistakes_grow_with_n():
    """The exact worst case with one relevant feature of 4 and of 8, rule >."""
    four, eight = (adversaries.winnow_on_disjunctions(n, 1, strict=True).mistakes for n in (4, 8))
    return claim(r"M(N=8) > M(N=4)", eight, four)


@remark(
    "E2-24",
    where="slides with Winnow's bound and its proof",
    lecture="11",
    says=r"M_p \le k(\log n + 1)",
    fair=r"\text{weights double, so the base is 2; sharper: } M_p \le k\lceil\lg n\rceil",
)
def base_of_the_logarithm():
    """Target x1 of 16 variables: four mistakes on the first unit vector, and lg 16 = 4."""
    run = play(Winnow(16), np.eye(16, dtype=int)[[0] * 4], [1] * 4)
    return claim(r"m^+ \le k\lceil\lg n\rceil", run.mistakes, promotions(16))


@erratum(
    "E4-01",
    severity="C",
    where="section 3.1, in our copy",
    lecture="11",
    printed=r"x'_i = x_i,\ x'_{2i} = \bar x_i",
    right=r"x'_i = x_i,\ x'_{n+i} = \bar x_i",
)
def indices_collide():
    """n = 4: the indices i and 2i name six of the eight places, two of them twice; i and n + i name
    all.
    """
    i = np.arange(1, 5)
    return (
        claim(r"|\{i, 2i\}| = 2n", len({*i, *2 * i}), 8),
        claim(r"|\{i, n + i\}| = 2n", len({*i, *4 + i}), 8),
    )


@remark(
    "E4-02",
    where="section 3.1",
    lecture="11",
    says=r"\text{Winnow can learn linearly separable concepts}",
    fair=(
        r"\text{Littlestone's WINNOW2 does, with a factor tuned to the gap; the version outlined"
        r" there learns monotone disjunctions, as the notes say four lines later}"
    ),
)
def negations_as_features():
    """¬x1 on x = 0, with negations as features a monotone disjunction: 100 trials."""
    X, y = np.zeros((100, 4), int), np.ones(100, int)
    run = play(Winnow(8), with_negations(X), y)
    return claim(r"M \le 2 + 3k(\lg n+1),\ k = 1,\ n = 8", run.mistakes, 14)


@remark(
    "E4-03",
    where="section 3.1",
    lecture="11",
    says=r"O(k\lg n) \text{ is the best possible bound}",
    fair=(
        r"\text{sharper: } k\lfloor\lg\tfrac nk\rfloor \text{ mistakes can be forced, which is of"
        r" order } k\lg n \text{ for } k \le n^c,\ c < 1\text{; near } k = n \text{ fewer suffice}"
    ),
)
def all_of_four_variables():
    """The 16 disjunctions of any of 4 variables: Halving makes at most 4 mistakes, and k lg n is
    8.
    """
    return claim(r"\lg|C| < k\lg n,\ k = n = 4", np.log2(16), 4 * np.log2(4))
