"""The theorems of lecture 18: from a sample to the error of what fits it. They speak of finite
classes and distributions, and the probabilities are exact.
"""

from collections.abc import Sequence
from copy import deepcopy
from math import comb, exp, log, sqrt
from pickle import dumps

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import examples, indices
from ..batch.training import Distribution
from ..checks import check_count, check_range, check_values
from ..experts.learners import Hedge
from ..experts.theorems import hedge_rate
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..limits.dimensions import ConceptClass, check_class, vc_dimension
from ..protocol import Learner, play
from .counting import (
    compositions,
    experts_of_class,
    fallen,
    greedy_rule,
    left_by_samples,
    sauer,
    shattered_sets,
    vc_at_most,
)

__all__ = [
    "double_sample_bound",
    "greedy_learns",
    "high_probability",
    "noisy_class_bound",
    "occam_bound",
    "sauer_shelah",
]


def _bad_rules(C, target, m, eps, p):
    """The class, its points' probabilities, what m examples leave, and the rules with an error
    above eps.
    """
    C = check_class(C)
    check_range("eps", eps, lambda e: 0 < e < 1, "in (0, 1)")
    with as_hypothesis():
        left = left_by_samples(C, target, check_count("m", m), p)
    bad = left.errors > eps
    assume(
        bad.any(), f"some rule must have an error above {eps:g}; the largest is {left.worst[0]:g}"
    )
    return C, left, bad


@theorem(r"P(\text{a bad rule fits}) \le |C|\,e^{-\varepsilon m}", items="VC-T5", lecture="18")
def occam_bound(C: ArrayLike, target: int, m: int, eps: float, p: ArrayLike | None = None) -> Proof:
    """Occam's bound: of finitely many rules, none with an error above eps fits a large sample.

    C is a finite class that contains the rule that labels the examples; they are drawn
    independently, point j with probability p_j (all alike by default). "Bad" is an error above eps.

    >>> occam_bound(dimensions.thresholds(6), target=3, m=20, eps=0.3).holds
    True
    """
    rules, left, bad = _bad_rules(C, target, m, eps, p)
    fits = left.chances[m] @ left.fits
    some = left.chances[m] @ (left.fits & bad).any(axis=1)
    yield claim(
        r"P(h \text{ fits}) = (1-R(h))^m", fits, (1 - left.errors) ** m, of="rules"
    ).because("the examples are independent, and h must be right on each")
    yield claim(
        r"(1-R(h))^m \le (1-\varepsilon)^m",
        (1 - left.errors) ** m,
        (1 - eps) ** m,
        of="rules",
        on=bad,
    ).because("for a bad rule: R(h) > ε")
    yield claim(
        r"P(\text{a bad rule fits}) \le \sum_{h\ \text{bad}} P(h \text{ fits})",
        some,
        fits[bad].sum(),
    ).because("the probability of one of several events is at most the sum of theirs")
    yield claim(
        r"\sum_{h\ \text{bad}} P(h \text{ fits}) \le |C|\,(1-\varepsilon)^m",
        fits[bad].sum(),
        len(rules) * (1 - eps) ** m,
    ).because("line 2, and at most |C| rules are bad")
    yield claim(
        r"P(\text{a bad rule fits}) \le |C|\,e^{-\varepsilon m}", some, len(rules) * exp(-eps * m)
    ).because("1 - ε ≤ e^(-ε)")


@theorem(r"|C| \le \sum_{i\le d} \binom{m}{i}", items="VC-T4", lecture="18")
def sauer_shelah(C: ArrayLike) -> Proof:
    """A class of VC dimension d labels m points in at most as many ways as there are sets of at
    most d of them.

    For every finite class C; equal rows count once.

    >>> sauer_shelah(dimensions.intervals(6)).holds
    True
    """
    tables = fallen(C)
    with as_hypothesis():
        sets = [shattered_sets(table) for table in tables]
    last, m = {tuple(row) for row in tables[-1].tolist()}, tables[0].shape[1]
    d = max(map(len, sets[0]))
    below = [{(*row[:j], 0, *row[j + 1 :]) for row in last} for j in range(m)]
    steps = "columns"
    yield claim(
        r"|C_{j+1}| = |C_j|",
        [len(np.unique(table, axis=0)) for table in tables[1:]],
        len(tables[0]),
        of=steps,
    ).because("a one only falls where no such row is there yet, so no two rows become equal")
    yield claim(
        r"|sh(C_{j+1}) \setminus sh(C_j)| = 0",
        [len(new - old) for old, new in zip(sets, sets[1:], strict=False)],
        0,
        of=steps,
    ).because("sh: the sets that are shattered. A pattern that is there after the fall was before")
    yield claim(
        r"|\{r - j : r \in C'\} \setminus C'| = 0",
        [len(each - last) for each in below],
        0,
        of=steps,
    ).because("in the end, C': a row with one of its ones less is a row, too")
    yield claim(r"|C'| = |sh(C')|", len(last), len(sets[-1])).because(
        "so C' shatters the ones of each of its rows, and nothing else"
    )
    yield claim(r"|C| \le |sh(C)|", len(tables[0]), len(sets[0])).because("lines 1, 4 and 2")
    yield claim(r"|C| \le \sum_{i\le d} \binom{m}{i}", len(tables[0]), float(sauer(m, d))).because(
        "line 5: no set of more than d points is shattered"
    )


def _tail(m, chance, least):
    """The probability of at least so many successes in m trials."""
    return sum(comb(m, i) * chance**i * (1 - chance) ** (m - i) for i in range(least, m + 1))


@theorem(
    r"P(A) \le 2 \sum_{i\le d} \binom{2m}{i}\, 2^{-\varepsilon m/2}", items="VC-T5", lecture="18"
)
def double_sample_bound(
    C: ArrayLike, target: int, m: int, eps: float, rng: int = 0, p: ArrayLike | None = None
) -> Proof:
    """A class of VC dimension d: no rule with an error above eps fits a sample of m >= 8/eps
    examples, but with small probability.

    A: a bad rule fits the sample S. A': a bad rule fits S and errs on at least eps m/2 of m more
    examples S'. C contains the rule that labels. Line 3 looks at one double sample, drawn from rng.

    >>> double_sample_bound(dimensions.thresholds(4), target=2, m=40, eps=0.45).holds
    True
    """
    rules, left, bad = _bad_rules(C, target, m, eps, p)
    assume(eps * m >= 8, f"m must be at least 8/eps = {8 / eps:g}; it is {m}")
    n, errors, least = rules.shape[1], left.errors, int(np.ceil(eps * m / 2 - 1e-9))
    p = np.full(n, 1 / n) if p is None else np.asarray(p, float)
    assume(comb(m + n - 1, n - 1) <= 10**5, "there are too many second samples to look at each")
    wrong, d = (rules != rules[target]).astype(int), vc_dimension(rules)
    counts = compositions(m, n)
    logs = np.array([log(i) for i in range(1, m + 1)])
    logs = np.append(0, np.cumsum(logs))
    ghost = np.exp(logs[m] - logs[counts].sum(axis=1)) * np.prod(p**counts, axis=1)
    many = (counts @ wrong.T >= least) & bad  # for each second sample, the bad rules that it hits
    fits, alone = np.unique(left.fits, axis=0, return_inverse=True)
    chance = np.bincount(alone.ravel(), left.chances[m])
    both = sum(
        q * ghost[(many & fit).any(axis=1)].sum() for q, fit in zip(chance, fits, strict=True)
    )
    some = left.chances[m] @ (left.fits & bad).any(axis=1)
    tails = [_tail(m, R, least) for R in errors]
    yield claim(r"P(E'_h \ge \varepsilon m/2) \ge 1/2", tails, 0.5, of="rules", on=bad).because(
        "E'_h: the errors of a bad rule on S'. Chebyshev, for m ≥ 8/ε"
    )
    yield claim(r"P(A) \le 2\,P(A')", some, 2 * both).because(
        "S' is drawn independently of S: if a bad rule fits S, line 1 holds for it"
    )
    pairs = np.random.default_rng(rng).choice(n, (m, 2), p=p)
    patterns = np.unique(wrong[:, pairs.ravel()], axis=0).reshape(-1, m, 2)
    hits, twice = patterns.sum(axis=(1, 2)), (patterns.sum(axis=2) == 2).any(axis=1)
    swapped = np.where(twice | (hits < least), 0.0, 2.0**-hits)
    yield claim(
        r"P_{\text{swap}}(A'_h) \le 2^{-\varepsilon m/2}",
        swapped,
        2 ** (-eps * m / 2),
        of="patterns",
    ).because("swap each pair or not, by a coin: all ≥ εm/2 errors must come to lie in S'")
    yield claim(r"\Pi \le \sum_{i\le d} \binom{2m}{i}", len(patterns), sauer(2 * m, d)).because(
        "Π: the patterns of errors on the 2m examples, as many as labellings. Sauer and Shelah"
    )
    yield claim(
        r"P(A') \le \sum_{i\le d} \binom{2m}{i}\, 2^{-\varepsilon m/2}",
        both,
        vc_at_most(m, eps, d) / 2,
    ).because(
        "swapping changes no probability: lines 3 and 4 for every double sample, then average"
    )
    yield claim(
        r"P(A) \le 2 \sum_{i\le d} \binom{2m}{i}\, 2^{-\varepsilon m/2}",
        some,
        vc_at_most(m, eps, d),
    ).because("lines 2 and 5")


def margin_at(m: int, delta: float) -> float:
    """Return what the average error may exceed M/m by, but with probability delta (O2B-T4)."""
    return sqrt(log(1 / delta) / (2 * m))


def _walks(learner: Learner, D: Distribution, m: int) -> tuple[list, dict]:
    """The reachable hypotheses of m rounds, as the vector of what they get wrong, and the law of
    (sum of R(h_t), mistakes) at the end.
    """
    looks = {dumps(vars(learner)): learner}
    moves: dict = {}
    law = {(dumps(vars(learner)), 0, 0): 1.0}
    for _ in range(m):
        after: dict = {}
        for (look, risk, made), q in law.items():
            if look not in moves:
                moves[look] = []
                for x, y in zip(D.X, D.y, strict=True):
                    new = deepcopy(looks[look])
                    wrong = bool(new.predict(x) != y)
                    new.update(x, y)
                    looks[dumps(vars(new))] = new
                    moves[look].append((wrong, dumps(vars(new))))
            errs = sum(w * pr for (w, _), pr in zip(moves[look], D.p, strict=True))
            for (w, new), pr in zip(moves[look], D.p, strict=True):
                key = new, risk + errs, made + w
                after[key] = after.get(key, 0.0) + q * float(pr)
        law = after
    missed = [[w for w, _ in each] for each in moves.values()]
    end: dict = {}
    for (_, risk, made), q in law.items():
        end[risk, made] = end.get((risk, made), 0.0) + q
    return missed, end


@theorem(
    r"P(\frac{1}{m}\sum_t R(h_t) \ge M/m + \sqrt{\ln(1/\delta)/(2m)})"
    r" \le \delta",
    items="O2B-T4",
    lecture="18",
)
def high_probability(learner: Learner, D: Distribution, m: int, delta: float) -> Proof:
    """The average error of the hypotheses exceeds the rate of mistakes by much with small
    probability: Azuma's inequality.

    For every deterministic learner and every finite distribution D, 0 < delta < 1; M counts the
    mistakes in m rounds. All runs are followed, exactly.

    >>> D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
    >>> high_probability(Perceptron(2), D, m=6, delta=0.2).holds
    True
    """
    check_range("delta", delta, lambda q: 0 < q < 1, "in (0, 1)")
    missed, law = _walks(learner, D, check_count("m", m))
    p, wrong = np.array([float(q) for q in D.p]), np.array(missed, float)
    R = wrong @ p
    c = m * margin_at(m, delta)
    rate = 4 * c / m
    excess = np.array([float(risk) - made for risk, made in law])
    q = np.array(list(law.values()))
    mean, moment = (R[:, None] - wrong) @ p, np.exp(rate * (R[:, None] - wrong)) @ p
    exact = float(q[excess >= c - 1e-12].sum())
    yield claim(r"\mathbb E[Z_t \mid \text{past}] = 0", mean, 0, of="states").because(
        "Z_t = R(h_{t-1}) - 1[mistake t]: given the past, a mistake has the probability R(h_{t-1})"
    )
    yield claim(
        r"\mathbb E[e^{\lambda Z_t} \mid \text{past}] \le e^{\lambda^2/8}",
        moment,
        exp(rate**2 / 8),
        of="states",
    ).because("Hoeffding's lemma: Z_t has mean 0 and lies in an interval of length 1")
    yield claim(
        r"\mathbb E[e^{\lambda \sum_t Z_t}] \le e^{\lambda^2 m/8}",
        q @ np.exp(rate * excess),
        exp(rate**2 * m / 8),
    ).because("line 2, trial by trial from the last to the first")
    yield claim(
        r"P(\sum_t Z_t \ge a) \le e^{-\lambda a}\, \mathbb E[e^{\lambda \sum_t Z_t}]",
        exact,
        exp(-rate * c) * (q @ np.exp(rate * excess)),
    ).because("Markov's inequality")
    yield claim(
        r"P(\frac{1}{m}\sum_t R(h_t) \ge M/m + \sqrt{\ln(1/\delta)/(2m)}"
        r") \le \delta",
        exact,
        delta,
    ).because("lines 3 and 4 with λ = 4a/m and a = √(m ln(1/δ)/2)")


def greedy_size(k: int, m: int) -> int:
    """Return the most variables that greedy search takes on m examples of a k-disjunction
    (NP-T6).
    """
    return int(k * log(m) + 1 + 1e-9)


def greedy_error(n: int, k: int, m: int, delta: float) -> float:
    """Return the error that greedy's rule has at most, but with probability delta (NP-T6)."""
    return (greedy_size(k, m) * log(n + 1) + log(1 / delta)) / m


@theorem(
    r"P(\text{a bad short rule fits}) \le (n+1)^s (1-\varepsilon)^m \le \delta",
    items="NP-T6",
    lecture="18",
)
def greedy_learns(X: ArrayLike, y: ArrayLike, relevant: Sequence[int], delta: float) -> Proof:
    """Greedy search finds a rule that is short enough for Occam's bound.

    The labels are the disjunction of the k relevant variables. With s = ⌊k ln m + 1⌋, "bad" is an
    error above ε = (s ln(n+1) + ln(1/δ))/m < 1, and "short" at most s variables.

    >>> X, y = streams.disjunction(T=60, n=30, k=2, rng=0)
    >>> greedy_learns(X, y, [0, 1], delta=0.1).holds
    True
    """
    with as_hypothesis():
        X, y = (a.astype(bool) for a in examples(X, y, "bits", "bits"))
        relevant = indices("relevant", relevant, X.shape[1]).tolist()
    check_range("delta", delta, lambda q: 0 < q < 1, "in (0, 1)")
    (m, n), k = X.shape, len(relevant)
    assume(m > 0 and k > 0, "there must be an example and a relevant variable")
    assume(
        (X[:, relevant].any(axis=1) == y).all(),
        "the labels must be the disjunction of the relevant variables",
    )
    assume(greedy_error(n, k, m, delta) < 1, f"m = {m} is too small for an error below 1")
    chosen = greedy_rule(X, y)
    left = np.array(
        [(y & ~X[:, list(chosen[:t])].any(axis=1)).sum() for t in range(len(chosen) + 1)]
    )
    s, eps = greedy_size(k, m), greedy_error(n, k, m, delta)
    yield claim(r"b_{t+1} \le (1-1/k)\,b_t", left[1:], (1 - 1 / k) * left[:-1], of="steps").because(
        "b_t: positive examples that are left. One of the k relevant variables is true on a k-th of"
        " them, and none is ever true on a negative one"
    )
    yield claim(r"|\mathcal G| \le k\ln m + 1", len(chosen), k * log(m) + 1).because(
        "before its last step something was left: 1 ≤ m e^(-(|G|-1)/k), as in lecture 13"
    )
    yield claim(
        r"|\{t : \mathcal G(x_t) \ne y_t\}| = 0", (X[:, list(chosen)].any(axis=1) != y).sum(), 0
    ).because("greedy stops when all positive examples are true, and never touches a negative one")
    yield claim(r"\ln|C_s| \le s\ln(n+1)", log(sauer(n, s)), s * log(n + 1)).because(
        "C_s: the disjunctions of at most s variables. Write one as s choices: a variable, or none"
    )
    yield claim(
        r"s\ln(n+1) - \varepsilon m \le \ln\delta",
        s * log(n + 1) - eps * m,
        log(delta),
        unit=eps * m,
    ).because("Occam's bound for C_s is at most δ: the logarithm, and the choice of ε")
    yield claim(
        r"\ln(|C_s|\,(1-\varepsilon)^m) \le \ln\delta",
        log(sauer(n, s)) + m * np.log1p(-eps),
        log(delta),
        unit=max(1.0, eps * m),
    ).because("lines 4 and 5: so the rule found has an error above ε with probability at most δ")


def noisy_at_most(d: int, T: int) -> float:
    """Return the bound on the regret with these experts (VC-C5)."""
    return sqrt(T / 2 * log(sauer(T, d)))


@theorem(r"\mathbb E[M] - \min_{h\in C} M_h \le \sqrt{(T/2) \ln n}", items="VC-C5", lecture="18")
def noisy_class_bound(C: ArrayLike, columns: Sequence[int], y: ArrayLike) -> Proof:
    """A class of Littlestone dimension d with any labels: Hedge over the optimal learners that are
    told to be wrong at d times or fewer.

    For a finite class C, points given by their columns, and labels 0 or 1, T >= 1 of them and
    T >= d. M_h counts the labels on which h is wrong; labels are guessed at random, with Hedge's
    weights.

    >>> C = dimensions.thresholds(3)
    >>> noisy_class_bound(C, [1, 0, 2, 1, 1, 0], [1, 1, 0, 0, 1, 1]).holds
    True
    """
    concepts = ConceptClass(C)
    with as_hypothesis():
        y = check_values("y", y, "bits").astype(int)
        columns = indices("columns", columns, len(concepts.points)).tolist()
    T, d = len(y), concepts.opt()
    assume(len(columns) == T > 0, "there must be a label for each point, at least one")
    assume(1 <= d <= T, f"the Littlestone dimension, {d}, must be between 1 and T = {T}")
    assume(sauer(T, d) <= 20_000, f"{sauer(T, d)} experts are too many to follow each")
    says, rules = experts_of_class(concepts.C, columns, d), concepts.C[:, columns].T
    n = says.shape[1]
    distance = np.array([(says != rule[:, None]).sum(axis=0).min() for rule in rules.T])
    losses = (says != y[:, None]).astype(float)
    eta = float(hedge_rate(n, T, c=8))
    run = play(Hedge(n, eta=eta), losses)
    best, least = losses.sum(axis=0).min(), (rules != y[:, None]).sum(axis=0).min()
    alone = np.array([_mistakes(concepts, columns, rule) for rule in rules.T])
    yield claim(r"M_{\mathrm{opt}}(h) \le d", alone, d, of="rules").because(
        "if the labels are those of h, the optimal learner errs at most d times"
    )
    yield claim(r"\min_e |\{t : e_t \ne h(x_t)\}| = 0", distance, 0, of="rules").because(
        "the expert that is told to be wrong at just these times says what h says, always"
    )
    yield claim(r"n = \sum_{i\le d} \binom{T}{i}", n, sauer(T, d)).because(
        "one expert for each set"
    )
    yield claim(
        r"\mathbb E[M] \le \min_e M_e + \sqrt{(T/2) \ln n}",
        run.total_loss,
        best + sqrt(T / 2 * log(n)),
    ).because("Hedge, η = √(8 ln n / T); its loss is the probability of a wrong guess")
    yield claim(r"\min_e M_e \le \min_{h\in C} M_h", best, least).because("line 2")
    yield claim(
        r"\mathbb E[M] - \min_{h\in C} M_h \le \sqrt{(T/2) \ln n}",
        run.total_loss - least,
        noisy_at_most(d, T),
        unit=max(1.0, T),
    ).because("lines 3, 4 and 5")


def _mistakes(concepts, columns, labels):
    """The mistakes of the optimal learner on these labels."""
    V, made = concepts.everything, 0
    for k, label in zip(columns, labels, strict=True):
        p = concepts.points[k]
        made += (concepts.opt(V & p) >= concepts.opt(V & ~p)) != label
        V &= p if label else ~p
    return made
