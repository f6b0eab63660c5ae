"""Worst cases and adversaries for learning from experts (lectures 01 to 03).

First the exact values, by dynamic programming over everything that nature can do. Then streams that make a bound
sharp. Then adversaries that watch a learner and answer it; they return the Run, so that ledgers and figures read it.
The learner that is passed in is copied and never changed.
"""

import math
import pickle
from bisect import bisect_left
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ..protocol import Run, check_count, check_range, play

DEPTH = 200  # mistakes after which worst_case gives up on a learner that never returns to a state

__all__ = ["Opponent", "WorstCase", "c_regret", "contrary", "erring_in_turn", "greedy", "halving_worst_case", "hedge_minimax",
           "hedge_worst_case", "minimax_mistakes", "realizable_minimax", "rwma_worst_case", "rwma_worst_excess",
           "sharp_entropic", "sharp_hedge", "sharp_square", "split_in_half", "wm_worst_case", "worst_case"]


class WorstCase(NamedTuple):
    """The largest number of mistakes and a stream that attains it: `play(learner, X, y).mistakes` is that number."""

    mistakes: float
    X: np.ndarray
    y: np.ndarray


def _budget(budget):
    if budget != int(budget) or budget < 0:
        raise ValueError(f"budget must be a whole number >= 0; got {budget!r}")
    return int(budget)


def _rate(eta):
    return check_range("eta", eta, lambda e: 0 < e < 1, "in (0, 1)")


def _bit(learner, x):
    prediction = learner.predict(x)
    if np.ndim(prediction) or prediction not in (0, 1):
        raise ValueError(f"learner must predict 0 or 1; {type(learner).__name__} predicts {prediction!r} on {x.tolist()}")
    return int(prediction)


def _no_draws(learner):
    if any(isinstance(a, np.random.Generator) for a in vars(learner).values()):
        raise ValueError(f"learner must be deterministic; {type(learner).__name__} draws at random")


def worst_case(learner, n: int, budget: int = 0, T: int | None = None) -> WorstCase:
    """Return the most mistakes that nature can force on a learner while the best of n experts makes <= budget.

    Depth-first search over copies of the learner. What can still happen depends only on the learner's attributes and
    on each expert's mistakes from now on (more than the budget is all the same), so each state is searched once.

    With T, all advice in {0,1}^n and both labels are tried on at most T trials: exact for every deterministic learner.
    Without T, only the trials on which the learner errs are tried, as many as there can be. This is exact if a trial
    without a mistake never helps nature: if the learner then does not change, and for Halving and Weighted Majority
    (see `wm_worst_case`); for others it is a lower bound. A state that comes back after mistakes can come back for
    ever: the answer is then math.inf, with a stream that leads into the circle and once around it.
    """
    n, budget, T = check_count("n", n), _budget(budget), None if T is None else check_count("T", T)
    _no_draws(learner)
    advice = np.array(list(product((0, 1), repeat=n)))
    best, path = {}, set()

    def state(learner, errors, left):
        return pickle.dumps(vars(learner)), errors.tobytes(), left

    def answers(learner, errors, left):
        for x, y in product(advice, (0, 1)):
            then = np.minimum(errors + (x != y), budget + 1)
            if then.min() > budget:
                continue
            after = deepcopy(learner)
            mistake = _bit(after, x) != y
            if mistake or T is not None:
                after.update(x, y)
                yield x, y, mistake, (after, then, left and left - 1)

    def search(*node):
        here = state(*node)
        if here in path:
            return math.inf
        if here not in best:
            if len(path) == DEPTH:
                raise ValueError(f"{type(learner).__name__} makes {DEPTH} mistakes in a row and never returns to a state "
                                 "that it had before; give the number of trials T")
            path.add(here)
            best[here] = 0, None
            for x, y, mistake, after in answers(*node) if node[-1] != 0 else ():
                value = mistake + search(*after)
                if value > best[here][0]:
                    best[here] = value, (x, y, after)
                if value == math.inf:
                    break
            path.remove(here)
        return best[here][0]

    node = deepcopy(learner), np.zeros(n, int), T
    mistakes, stream, seen = search(*node), [], set()
    while (here := state(*node)) not in seen and best[here][1]:
        seen.add(here)
        x, y, node = best[here][1]
        stream.append((x, y))
    return WorstCase(mistakes, np.array([x for x, _ in stream]).reshape(-1, n), np.array([y for _, y in stream], int))


def halving_worst_case(n: int) -> int:
    """Return the most mistakes of Halving with n experts, one of them perfect (TIGHT-1); it is floor(lg n).

    Exact: Halving and nature see only how many experts are consistent. If `wrong` of c consistent experts err,
    c - wrong >= 1 stay, and Halving errs iff they were at least half (nature lets a tie go wrong).
    """
    worst = [0, 0]
    for c in range(2, check_count("n", n) + 1):
        worst.append(max(worst[c - wrong] + (2 * wrong >= c) for wrong in range(1, c)))
    return worst[n]


def wm_worst_case(n: int, budget: int, beta: float) -> int:
    """Return the most mistakes of Weighted Majority while the best of n experts makes <= budget (TIGHT-2).

    Exact: the state is the vector of the experts' mistakes, sorted, because experts can be renamed. The search is
    finite because only trials with a mistake are tried, of which WM-T1 allows finitely many. Nothing is lost:

    Let w' be the weights w with a set S of experts punished in addition. If A can be the wrong side on a mistake at
    w', that is 2w'(A) >= W', then A ∪ S can be it at w: w(A ∪ S) = w'(A) - beta w(A ∩ S) + w(S)
    >= (W - (1-beta) w(S))/2 + (1-beta) w(S) >= W/2. Afterwards A ∩ S is punished once less than in the other
    game, and so on. So nature never gains from a punished expert: neither from a trial without a mistake,
    nor from a wrong side that stays heavy enough without its lightest expert. Ties are seen on correctly rounded
    sums of the weights. n <= 6 takes milliseconds.
    """
    n, budget = check_count("n", n), _budget(budget)
    beta = check_range("beta", beta, lambda b: 0 < b < 1, "in (0, 1); for 0 see halving_worst_case")
    sides = list(product((0, 1), repeat=n))[1:]

    @cache
    def mistakes(losses):
        w = [beta ** (loss - losses[0]) for loss in losses]
        after = set()
        for wrong in sides:
            lead = math.fsum(v if s else -v for v, s in zip(w, wrong, strict=True))
            lightest = min(v for v, s in zip(w, wrong, strict=True) if s)
            if 0 <= lead < 2 * lightest:
                after.add(tuple(sorted(map(int.__add__, losses, wrong))))
        return max((1 + mistakes(next) for next in after if next[0] <= budget), default=0)

    return mistakes((0,) * n)


def minimax_mistakes(n: int, budget: int = 0) -> int:
    """Return the mistakes of the best deterministic learner while the best of n experts makes <= budget (TIGHT-2).

    Exact: a state says how many experts may still make 0, 1, …, budget mistakes. Nature splits the experts in two
    sides; whichever the learner follows can be the wrong one, so nature gets 1 + the smaller value of the two states
    that follow. A trial without a mistake only uses up experts' mistakes, which never helps nature: more experts
    with more mistakes left can play any strategy of fewer. So each trial lowers the state and the recursion ends.
    """
    n, budget = check_count("n", n), _budget(budget)

    @cache
    def value(left):
        if not any(left):
            return -1  # no expert is within the budget: this trial was not allowed
        best = 0
        for wrong in product(*(range(c + 1) for c in left)):
            right = tuple(c - s for c, s in zip(left, wrong, strict=True))
            if wrong >= right:  # each split once
                follow = value(after(right, wrong))
                best = max(best, 1 + min(follow, value(after(wrong, right)) if any(right) else follow))
        return best

    def after(stay, move):
        return tuple(c + s for c, s in zip(stay, (*move[1:], 0), strict=True))

    return value((0,) * budget + (n,))


def _gap_game(n, T, play_trial):
    """Return the value of T trials with losses in {0,1}^n for a learner that depends on differences of losses alone.

    The state is the sorted vector of how far each expert is behind the best, and the trials left. Taking the worst
    of all loss vectors over all reachable states is exact. `play_trial(gaps, children)` gets for each loss vector
    the pair (rise of the smallest loss, value of the state that follows).
    """
    if T > 500:
        raise ValueError(f"T must be at most 500 for an exact search; got {T}")
    vectors = list(product((0, 1), repeat=n))

    @cache
    def value(gaps, left):
        if left == 0:
            return 0.0
        children = []
        for losses in vectors:
            after = sorted(map(int.__add__, gaps, losses))
            low = after[0]
            children.append((low, value(tuple(a - low for a in after), left - 1)))
        return play_trial(gaps, children)

    return value((0,) * n, T)


def _exponential_weights(n, T, beta, price):
    """Return the largest (expected loss of weights beta^L) - price * (loss of the best expert), losses in {0,1}^n."""
    vectors = np.array(list(product((0, 1), repeat=n)))

    def trial(gaps, children):
        w = beta ** np.array(gaps, float)
        low, later = np.array(children).T
        return float((vectors @ w / w.sum() - price * low + later).max())

    return _gap_game(n, T, trial)


def hedge_worst_case(n: int, T: int, eta: float) -> float:
    """Return the largest regret of Hedge over all T x n loss matrices of zeros and ones (TIGHT-5).

    Exact: Hedge's allocation depends only on how far each expert is behind the best one, and not on their names.
    """
    eta = check_range("eta", eta, lambda e: 0 < e < math.inf, "a finite number > 0")
    return _exponential_weights(check_count("n", n), check_count("T", T), math.exp(-eta), 1.0)


def rwma_worst_case(n: int, T: int, eta: float) -> float:
    """Return the largest E[M] - m* of randomised Weighted Majority, beta = 1 - eta, in T trials (RWMA-T2, E0-04).

    Exact: the expected mistakes are the share of weight that is wrong, so this is Hedge with e^-eta = beta.
    """
    return hedge_worst_case(n, T, -math.log(1 - _rate(eta)))


def rwma_worst_excess(eta: float, T: int | None = None) -> float:
    """Return the largest E[M] - (1+eta) m* of randomised Weighted Majority with two experts, beta = 1 - eta (TIGHT-3).

    With T: by dynamic programming over at most T trials. Without T: the supremum over all sequences, which is
    p(0) + p(1) + … with p(d) = beta^d / (1 + beta^d): one expert errs always, the other never. Exact: let d be the
    gap of the two experts' mistakes. A step from d-1 to d brings p(d-1); the step back brings 1 - p(d) - (1+eta).
    Back and forth brings p(d-1) - p(d) - eta <= eta/(4 - 2 eta) - eta < 0, so nature never turns round.
    """
    beta = 1 - _rate(eta)
    if T is not None:
        return _exponential_weights(2, check_count("T", T), beta, 1 + eta)
    terms = math.ceil(math.log(1e-17 * eta) / math.log(beta))
    return math.fsum(beta**d / (1 + beta**d) for d in range(terms))


@cache
def _mixed_answers(n):
    """Return nature's extreme mixed answers (probabilities of the loss vectors, smallest expected loss of an expert).

    These are the vertices of {q, u, slack >= 0: sum(q) = 1, expected loss of expert i under q = u + slack_i}: every
    basis is tried. The matrix has integer entries, so a determinant is 0 or at least 1 in size.
    """
    vectors = np.array(list(product((0, 1), repeat=n)))
    A = np.vstack([np.r_[np.ones(2**n), np.zeros(n + 1)], np.hstack([vectors.T, -np.ones((n, 1)), -np.eye(n)])])
    columns = np.array(list(combinations(range(A.shape[1]), n + 1)))
    bases = A[:, columns].transpose(1, 0, 2)
    regular = abs(np.linalg.det(bases)) > 0.5
    basic = np.linalg.solve(bases[regular], np.eye(n + 1)[:, :1])[..., 0]
    z = np.zeros((len(basic), A.shape[1]))
    np.put_along_axis(z, columns[regular], basic, axis=1)
    z = z[(z > -1e-12).all(axis=1)]
    z = z[np.unique(z.round(9), axis=0, return_index=True)[1]]
    return z[:, : 2**n], z[:, 2**n]


def hedge_minimax(n: int, T: int) -> float:
    """Return the regret of the best learner in the allocation game with losses in {0,1}^n, n <= 4 (TIGHT-5).

    Exact: with V(l) the value after losses l, one trial is the matrix game min over v of max over l of v·l + V(l).
    By duality it is the max over mixed answers q of u + E_q V(l), where u is the smallest expected loss of an expert.
    This is linear over a polytope that does not depend on the state, so the best of its vertices gives the value.
    For n = 2 it is E|S_T|/2 for the simple random walk S: nature tosses a coin for the expert that errs.
    """
    n, T = check_count("n", n), check_count("T", T)
    if n > 4:
        raise ValueError(f"n must be at most 4, the vertices are too many beyond; got {n}")
    q, u = _mixed_answers(n)

    def trial(gaps, children):
        low, later = np.array(children).T
        return float((u + q @ (later - low)).max())

    return _gap_game(n, T, trial)


@cache
def realizable_minimax(n: int) -> Fraction:
    """Return the least expected mistakes that a randomised learner can ensure if one of n experts is perfect (TIGHT-13).

    Exact: only the number of consistent experts counts. If nature splits them in a and n - a, a learner that predicts
    the first side with probability p faces max(1-p + V(a), p + V(n-a)); the best p in [0,1] gives
    max((1 + V(a) + V(n-a))/2, V(a), V(n-a)). Splits with a = 0 lead nowhere, so the recursion ends at V(1) = 0.
    """
    n = check_count("n", n)
    sides = ((realizable_minimax(a), realizable_minimax(n - a)) for a in range(1, n // 2 + 1))
    return max((max((1 + a + b) / 2, a, b) for a, b in sides), default=Fraction(0))


def sharp_entropic(n: int, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) on which Weighted Average with the entropic loss has regret ln n - ln(1 + (n-1)/2^T) (TIGHT-4).

    The label is always 1; one expert says 1, the others 1/2. The regret tends to the bound ln n.
    """
    X = np.full((check_count("T", T), check_count("n", n)), 0.5)
    X[:, 0] = 1
    return X, np.ones(T)


def sharp_square(n: int, eps: float, eta: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) on which Weighted Average with the square loss has regret -> (ln n)/eta as eps -> 0 (TIGHT-4).

    The label is always 1; one expert says a + eps, the others a = 1 - 1/sqrt(2 eta). There e^(-eta (1-x)²) has its
    inflection point, so averaging the experts loses O(eps³) per trial, and after T = O(1/eps) trials all weight is
    on the best one (the others share 1e-9). eta = 1/2 is for the mean (a = 0), eta = 2 for Vovk's rule (a = 1/2).
    """
    n, eta = check_count("n", n), check_range("eta", eta, lambda e: 0.5 <= e < math.inf, "a finite number >= 1/2")
    a = 1 - 1 / math.sqrt(2 * eta)
    eps = check_range("eps", eps, lambda e: 0 < e <= 1 - a, f"in (0, {1 - a:g}]")
    T = math.ceil(math.log(1e9 * n) / (eta * ((1 - a) ** 2 - (1 - a - eps) ** 2)))
    X = np.full((T, n), a)
    X[:, 0] = a + eps
    return X, np.ones(T)


def sharp_hedge(T: int, eta: float) -> np.ndarray:
    """Return the T x 2 losses on which Hedge has the largest regret, for every T (TIGHT-5).

    The experts lose in turn for a while, then the first one loses until the end. Exact for losses 0 or 1: let d be the
    gap of the experts' losses and p(d) = 1/(1 + e^(eta d)) Hedge's share of the one behind. A trial that widens the gap
    from d brings regret p(d), one that closes it from d+1 brings -p(d+1), any other 0. Two such trials bring
    p(d) - p(d+1), most at d = 0 because p is convex there; the trials without a partner widen the gap from 0 to D.
    """
    T, eta = check_count("T", T), check_range("eta", eta, lambda e: 0 < e < math.inf, "a finite number > 0")
    p = (1 - np.tanh(eta * np.arange(T + 1) / 2)) / 2
    D = np.arange(T % 2, T + 1, 2)
    turns = T - D[np.argmax((T - D) / 2 * (p[0] - p[1]) + np.concatenate([[0], np.cumsum(p)])[D])]
    losses = np.zeros((T, 2))
    losses[np.arange(turns), np.arange(turns) % 2] = 1
    losses[turns:, 0] = 1
    return losses


def erring_in_turn(n: int, cycles: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) with label 0 on which expert 1, 2, …, n, 1, 2, … is the only wrong one (E0-01)."""
    n, cycles = check_count("n", n), check_count("cycles", cycles)
    return np.tile(np.eye(n, dtype=int), (cycles, 1)), np.zeros(n * cycles, int)


class Opponent:
    """Nature that always answers with the label that the learner did not predict.

    `trial(x)` shows the advice x to a copy of the learner and returns the label; `run()` returns the Run of another
    copy on the trials so far. A learner that draws at random is copied with its generator: nature sees the draws.
    """

    def __init__(self, learner):
        self.learner, self.rival, self.X, self.y = learner, deepcopy(learner), [], []

    def trial(self, x: np.ndarray) -> int:
        """Return the label of the next trial, on which the experts say x."""
        y = 1 - _bit(self.rival, x)
        self.rival.update(x, y)
        self.X.append(x)
        self.y.append(y)
        return y

    def run(self) -> Run:
        """Return the Run of the learner on the trials so far."""
        return play(deepcopy(self.learner), np.array(self.X), np.array(self.y))


def split_in_half(learner, n: int) -> Run:
    """Return the Run against nature that splits the perfect experts in half until one is left (HALV-Q2).

    The learner errs on every trial and at least half of the perfect experts, rounded down, stay perfect: every
    deterministic learner errs floor(lg n) times or more although one expert is perfect. The other experts say 0.
    """
    if check_count("n", n) < 2:
        raise ValueError(f"n must be at least 2, or there is nothing to split; got {n}")
    nature, perfect = Opponent(learner), np.arange(n)
    while len(perfect) > 1:
        x = np.zeros(n, int)
        x[perfect[: len(perfect) // 2]] = 1
        y = nature.trial(x)
        perfect = perfect[x[perfect] == y]
    return nature.run()


def contrary(learner, T: int) -> Run:
    """Return the Run of T trials with two experts, always 0 and always 1, and the label not predicted (WM-C3, RWMA-C2).

    The learner errs T times. One of the experts is right whenever the other is wrong, so the best errs at most
    floor(T/2) times: the regret of every deterministic learner is at least T/2. A randomised learner does not escape
    from nature that sees its draws; on the stream of this Run, but with other draws, it errs about T/2 times.
    """
    nature = Opponent(learner)
    for _ in range(check_count("T", T)):
        nature.trial(np.array([0, 1]))
    return nature.run()


def greedy(learner, n: int, budget: int) -> Run:
    """Return the Run against nature that makes Weighted Majority err on every trial with few wrong experts (E0-01).

    The label is 0. The experts with the fewest mistakes so far say 1, as few of them as it takes; when that would
    bring every expert above the budget, the best one is spared. No exact worst case, but good for thousands of experts.
    """
    _no_draws(learner)
    nature, errors, budget = Opponent(learner), np.zeros(check_count("n", n), int), _budget(budget)

    def advice(k, order):
        x = np.zeros(n, int)
        x[order[:k]] = 1
        return x

    def smallest(order):
        return advice(1 + bisect_left(range(1, n), 1, key=lambda k: nature.rival.predict(advice(k, order))), order)

    while True:
        order = errors.argsort(kind="stable")
        x = smallest(order)
        if (errors + x).min() > budget:
            x = smallest(np.roll(order, -1))
        if (errors + x).min() > budget:
            return nature.run()
        if nature.trial(x) == 1:
            raise ValueError(f"learner must follow a majority; {type(learner).__name__} predicts 0 on {x.tolist()}")
        errors += x


def c_regret(run: Run, c: float) -> float:
    """Return L_A - c min_i L_i (WM-Q1).

    On `contrary(learner, T)` it is at least (1 - c/2) T for every deterministic learner: linear in T for c < 2.
    """
    return run.total_loss - c * run.best_loss
