"""The theorems of lecture 16: from on-line mistakes to the error on new examples.

They speak of a finite distribution instead of a run, and all expectations are exact. Samples are
numbered in the order of enumeration.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ..checks import check_count, trait
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..losses import LOSSES
from ..perceptron.margins import max_margin
from ..perceptron.theorems import novikoff_at_most
from ..protocol import Learner, Run
from .training import (
    Distribution,
    expectation,
    hypotheses,
    leave_one_out,
    risk,
    rounds,
    samples,
    trained,
    until_consistent,
)

__all__ = [
    "averaging_bound",
    "expected_error",
    "leave_one_out_lemma",
    "random_stop_bound",
    "update_points",
    "vote_bound",
]

CONVEX = ("square", "entropic", "hinge")


def _mean(law):
    return sum((count * p for count, p in law.items()), Fraction(0))


def _floats(fractions):
    return np.array([float(f) for f in fractions])


@theorem(r"P(h_t(x') \ne y') \le B/m", items="O2B-T1 O2B-P1", lecture="16")
def random_stop_bound(learner: Learner, D: Distribution, m: int, B: float, first: int = 0) -> Proof:
    """Stop at a random time: the mistake bound B of the rounds, divided by m, bounds the error.

    The learner is deterministic, B bounds its mistakes on every sequence of first + m examples that
    D can produce, and t is uniform in {first, …, first + m - 1}.

    >>> C = dimensions.thresholds(7)
    >>> random_stop_bound(Halving(8), batch.distribution(C.T, C[3]), m=6, B=3).holds
    True
    """
    last = first + check_count("m", m)
    risks, laws = rounds(learner, D, last)
    most = [max(law) for law in laws]
    assume(
        most[-1] <= B,
        f"B must bound the mistakes in {last} rounds; {most[-1]} mistakes are possible, B is {B}",
    )
    mean, risks = _floats(map(_mean, laws)), _floats(risks[:-1])
    tested, mistakes = risks[first:], mean[last] - mean[first]
    yield claim(
        r"P(\text{mistake in round } t+1) = \mathbb E[R(h_t)]", np.diff(mean), risks, of="rounds"
    ).because("round t + 1 tests h_t on an example that h_t has not seen")
    yield claim(r"\sum_t \mathbb E[R(h_t)] = \mathbb E[M]", tested.sum(), mistakes).because(
        "add up line 1 over the m tested rounds; M counts their mistakes"
    )
    yield claim(r"\mathbb E[M] \le B", mistakes, float(B)).because(
        "on no sequence are there more than B"
    )
    yield claim(r"\frac{1}{m}\sum_t \mathbb E[R(h_t)] \le B/m", tested.mean(), B / m).because(
        "t is uniform: divide by m"
    )


@theorem(
    r"\mathbb E_{S\sim D^m}[R_{loo}] = \mathbb E_{S'\sim D^{m-1}}[R(h_{S'})]",
    items="LOO-L1 LOO-P1",
    lecture="16",
)
def leave_one_out_lemma(rule: Callable, D: Distribution, m: int) -> Proof:
    """The leave-one-out error of m examples is, on average, the error after m - 1.

    For every rule that makes a hypothesis of a sample, every distribution D and m >= 1.

    >>> D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
    >>> leave_one_out_lemma(batch.one_pass(Perceptron(2)), D, m=3).holds
    True
    """
    check_count("m", m)
    loo, apart = Fraction(0), [Fraction(0)] * m
    for p, X, y in samples(D, m):
        wrong = leave_one_out(rule, X, y).tolist()
        loo += p * Fraction(sum(wrong), m)
        apart = [total + p * w for total, w in zip(apart, wrong, strict=True)]
    pairs, error = Fraction(0), Fraction(0)
    for p, X, y in samples(D, m - 1):
        h = rule(X, y)
        pairs += sum(p * q * bool(h.predict(x) != label) for x, label, q in zip(*D, strict=True))
        error += p * risk(h, D)
    apart = _floats(apart)
    yield claim(r"\mathbb E[R_{loo}] = \frac{1}{m}\sum_i p_i", float(loo), apart.mean()).because(
        "linearity; p_i is the probability that x_i is wrong when left out"
    )
    yield claim(r"p_i = p_m", apart, apart[-1], of="examples").because(
        "exchangeable: whichever is left out, the others are m - 1 draws and it is one more"
    )
    yield claim(r"p_m = P(h_{S'}(x) \ne y)", apart[-1], float(pairs)).because(
        "first draw S', then (x, y), which does not depend on S'"
    )
    yield claim(r"P(h_{S'}(x) \ne y) = \mathbb E[R(h_{S'})]", float(pairs), float(error)).because(
        "for fixed S' the probability is the error R"
    )
    yield claim(r"\mathbb E[R_{loo}] = \mathbb E[R(h_{S'})]", float(loo), float(error)).because(
        "lines 1 to 4"
    )


@theorem(r"R_{loo}(S) \le M(S)/m", items="LOO-D1 LOO-P2", lecture="16")
def update_points(run: Run) -> Proof:
    """Leave-one-out errors happen at examples that caused an update.

    The Perceptron, started at w_1 = 0, is trained on the sample until a pass has no mistake.

    >>> run = play(Perceptron(2), *streams.TEN_POINTS, epochs=5, until_consistent=True)
    >>> update_points(run).holds
    True
    """
    assume(run.weights is not None, "the learner must keep its weights in an attribute w")
    assume(
        run.mistakes_per_pass[-1] == 0,
        "training must go on until a pass has no mistake; the last pass of this run has "
        f"{run.mistakes_per_pass[-1]}",
    )
    m = run.period or len(run)
    X, y, learner = run.X[:m], run.y[:m], type(run.learner)(run.learner.n)
    updated = run.mistake.reshape(-1, m).any(axis=0)
    without = [
        trained(learner, np.delete(X, i, 0), np.delete(y, i), consistent=True).hypothesis
        for i in range(m)
    ]
    wrong = np.array([h.predict(x) != label for h, x, label in zip(without, X, y, strict=True)])
    yield claim(
        r"\|w_{S-x_i} - w_S\| = 0",
        [np.linalg.norm(h.w - run.weights[-1]) for h in without],
        0,
        on=~updated,
        of="examples",
    ).because("if x_i never caused an update, training without it passes through the same weights")
    yield claim(r"e_i \le u_i", wrong, updated, of="examples").because(
        "wrong when left out (e_i = 1) only if an update point (u_i = 1): else the weights of line"
        " 1 are right on x_i"
    )
    yield claim(r"m\,R_{loo} \le U", wrong.sum(), updated.sum()).because(
        "add up line 2; U is the number of update points"
    )
    yield claim(r"U \le M", updated.sum(), run.mistakes).because(
        "each of them caused at least one mistake"
    )
    yield claim(r"R_{loo} \le M/m", wrong.mean(), run.mistakes / m).because(
        "lines 3 and 4, divided by m"
    )


@theorem(
    r"\mathbb E_{S\sim D^m}[R(h_S)] \le \mathbb E_{S\sim D^{m+1}}[M(S)]/(m+1)",
    items="LOO-T1 LOO-P2",
    lecture="16",
)
def expected_error(learner: Learner, D: Distribution, m: int) -> Proof:
    """The expected error of the Perceptron, trained until it is consistent.

    A hyperplane through the origin separates the support of D, training goes on until a pass has no
    mistake, and M(S) counts the mistakes of all passes.

    >>> D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
    >>> expected_error(Perceptron(2), D, m=2).holds
    True
    """
    with as_hypothesis():
        max_margin(D.X, D.y)
    rule, rows = until_consistent(learner), []
    for q, X, y in samples(D, check_count("m", m) + 1):
        wrong, (_, mistakes, updated) = leave_one_out(rule, X, y), trained(learner, X, y, True)
        counts = wrong.sum(), (wrong & ~updated).sum(), updated.sum(), mistakes
        rows.append((float(q), *counts, novikoff_at_most(X, y)))
    p, errors, elsewhere, U, M, bound = np.array(rows).T
    error = float(expectation(D, m, lambda X, y: risk(rule(X, y), D)))
    yield claim(r"\mathbb E[R(h_S)] = \mathbb E[R_{loo}(S)]", error, p @ errors / (m + 1)).because(
        "the lemma: m examples on the left, m + 1 on the right"
    )
    yield claim(r"|\{i: e_i > u_i\}| = 0", elsewhere, 0, of="samples").because(
        "for each sample: an example without update changes nothing, and h_S is right on it"
    )
    yield claim(r"(m+1)\,R_{loo}(S) \le U(S)", errors, U, of="samples").because(
        "line 2: errors happen at update points"
    )
    yield claim(r"U(S) \le M(S)", U, M, of="samples").because(
        "an update point caused at least one mistake"
    )
    yield claim(r"M(S) \le R_S^2/\gamma_S^2", M, bound, of="samples").because(
        "Novikoff, for the margin of the sample"
    )
    yield claim(r"\mathbb E[M(S)] \le \mathbb E[R_S^2/\gamma_S^2]", p @ M, p @ bound).because(
        "average line 5 over the samples"
    )
    yield claim(r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1)", error, p @ M / (m + 1)).because(
        "average lines 3 and 4, with line 1"
    )


def _played(learner, D, m):
    """Return for each sample of m: its probability, the labels, what h_0, …, h_{m-1} say to them,
    and to each x of D.
    """
    rows = []
    for p, X, y in samples(D, check_count("m", m)):
        hs = hypotheses(learner, X, y)[:-1]
        rows.append(
            (
                float(p),
                y,
                [h.predict(x) for h, x in zip(hs, X, strict=True)],
                [[h.predict(x) for x in D.X] for h in hs],
            )
        )
    return [np.array(part) for part in zip(*rows, strict=True)]


@theorem(r"\mathbb E[R(\text{vote})] \le 2\,\mathbb E[M]/m", items="O2B-C1", lecture="16")
def vote_bound(learner: Learner, D: Distribution, m: int) -> Proof:
    """The vote of the m hypotheses errs at most twice as often as a random one.

    A tie counts as an error; M counts the mistakes in m rounds.

    >>> D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
    >>> vote_bound(Perceptron(2), D, m=3).holds
    True
    """
    q, (p, y, said, tests) = _floats(D.p), _played(learner, D, m)
    mistakes, share = (said != y).sum(axis=1), (tests != D.y).mean(axis=1)
    vote = (share >= 0.5).astype(float)
    yield claim(r"v(x) \le 2\,s(x)", vote.ravel(), 2 * share.ravel(), of="pairs").because(
        "for each sample and each x: the vote errs (v = 1) only if a share s ≥ 1/2 of the"
        " hypotheses errs"
    )
    yield claim(
        r"R(\text{vote}) \le \frac{2}{m}\sum_t R(h_t)", vote @ q, 2 * share @ q, of="samples"
    ).because("average line 1 over x, for each sample")
    yield claim(
        r"\frac{1}{m}\sum_t \mathbb E[R(h_t)] = \mathbb E[M]/m", p @ share @ q, p @ mistakes / m
    ).because("round t + 1 tests h_t on a new example")
    yield claim(
        r"\mathbb E[R(\text{vote})] \le 2\,\mathbb E[M]/m", p @ vote @ q, 2 * (p @ mistakes) / m
    ).because("lines 2 and 3")


@theorem(r"\mathbb E[\ell(\bar h)] \le \mathbb E[L_A]/m", items="O2B-C1", lecture="16")
def averaging_bound(learner: Learner, D: Distribution, m: int) -> Proof:
    """The average of the predictions loses, for a convex loss, at most what the rounds lost on
    average.

    The hypotheses h_0, …, h_{m-1} predict numbers, and the loss is convex in the prediction.

    >>> D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
    >>> averaging_bound(OnlineGradientDescent(2, eta=0.3), D, m=3).holds
    True
    """
    name = trait(learner, "loss")
    assume(
        name in CONVEX,
        f"the loss must be convex in the prediction: {', '.join(CONVEX)}; this learner has the"
        f" {name} loss",
    )
    q, loss, (p, y, said, tests) = _floats(D.p), LOSSES[name], _played(learner, D, m)
    paid, mean = loss(y, said).sum(axis=1), loss(D.y, tests).mean(axis=1)
    averaged = loss(D.y, tests.mean(axis=1))
    yield claim(
        r"\ell(y, \bar h(x)) \le \frac{1}{m}\sum_t \ell(y, h_t(x))",
        averaged.ravel(),
        mean.ravel(),
        of="pairs",
    ).because("for each sample and each x: Jensen's inequality")
    yield claim(
        r"\frac{1}{m}\sum_t \mathbb E[\ell(h_t)] = \mathbb E[L_A]/m", p @ mean @ q, p @ paid / m
    ).because("round t + 1 tests h_t on a new example")
    yield claim(
        r"\mathbb E[\ell(\bar h)] \le \mathbb E[L_A]/m", p @ averaged @ q, p @ paid / m
    ).because("average line 1, then line 2")
