"""Exact worst cases of learning from experts (lectures 01 to 04).

They are found by dynamic programming over everything that nature can do. The learner that is passed
in is copied and never changed.
"""

import math
import pickle
from collections.abc import Callable, Hashable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from ..checks import check_count, check_range
from ..protocol import Learner

DEPTH = 200  # mistakes after which worst_case gives up on a learner that never returns to a state


class WorstCase(NamedTuple):
    """The largest number of mistakes and a stream that attains it: `play(learner, X, y).mistakes`
    is that number.
    """

    mistakes: float
    X: np.ndarray
    y: np.ndarray


def _budget(budget):
    if budget != int(budget) or budget < 0:
        raise ValueError(f"budget must be a whole number >= 0; got {budget!r}")
    return int(budget)


def _rate(eta):
    return check_range("eta", eta, lambda e: 0 < e < 1, "in (0, 1)")


def _check_bit(learner, x, prediction) -> int:
    """Return what the learner predicted on x as an int, or raise if it is not 0 or 1."""
    if np.ndim(prediction) or prediction not in (0, 1):
        raise ValueError(
            f"learner must predict 0 or 1; {type(learner).__name__} predicts "
            f"{prediction!r} on {np.asarray(x).tolist()}"
        )
    return int(prediction)


def _no_draws(learner):
    if any(isinstance(a, np.random.Generator) for a in vars(learner).values()):
        raise ValueError(f"learner must be deterministic; {type(learner).__name__} draws at random")


def deepest(start: tuple, state: Callable, answers: Callable, tired: str) -> tuple[float, list]:
    """Return the most mistakes that answers of nature can lead to, and such answers in their order.

    A node is a tuple, `state(*node)` all that counts of it, and `answers(*node)` yields triples:
    what nature does, whether that is a mistake, the node after it. Each state is searched once; one
    that comes back after mistakes can come back for ever. DEPTH nodes are enough to be `tired`.
    """
    best: dict[Hashable, tuple[float, Any]] = {}
    path: set[Hashable] = set()

    def search(*node):
        here = state(*node)
        if here in path:
            return math.inf
        if here not in best:
            if len(path) == DEPTH:
                raise ValueError(tired)
            path.add(here)
            best[here] = 0, None
            for answer, mistake, after in answers(*node):
                value = mistake + search(*after)
                if value > best[here][0]:
                    best[here] = value, (answer, after)
                if value == math.inf:
                    break
            path.remove(here)
        return best[here][0]

    mistakes, node = search(*start), start
    chain: list[Any] = []
    seen: set[Hashable] = set()
    while (here := state(*node)) not in seen and best[here][1]:
        seen.add(here)
        answer, node = best[here][1]
        chain.append(answer)
    return mistakes, chain


def worst_case(learner: Learner, n: int, budget: int = 0, T: int | None = None) -> WorstCase:
    """Return the most mistakes that nature can force on a learner while the best of n experts makes
    <= budget.

    Depth-first search over copies of the learner. What can still happen depends only on the
    learner's attributes and on each expert's mistakes from now on (more than the budget is all the
    same), so each state is searched once.

    With T, all advice in {0,1}^n and both labels are tried on at most T trials: exact for every
    deterministic learner. Without T, only the trials on which the learner errs are tried, as many
    as there can be. This is exact if a trial without a mistake never helps nature: if the learner
    then does not change, and for Halving and Weighted Majority (see `wm_worst_case`); for others it
    is a lower bound. A state that comes back after mistakes can come back for ever: the answer is
    then math.inf, with a stream that leads into the circle and once around it.
    """
    n, budget, T = check_count("n", n), _budget(budget), None if T is None else check_count("T", T)
    _no_draws(learner)
    advice = np.array(list(product((0, 1), repeat=n)))

    def state(learner, errors, left):
        return pickle.dumps(vars(learner)), errors.tobytes(), left

    def answers(learner, errors, left):
        for x, y in product(advice, (0, 1)) if left != 0 else ():
            then = np.minimum(errors + (x != y), budget + 1)
            if then.min() > budget:
                continue
            after = deepcopy(learner)
            mistake = _check_bit(after, x, after.predict(x)) != y
            if mistake or T is not None:
                after.update(x, y)
                yield (x, y), mistake, (after, then, left and left - 1)

    tired = (
        f"{type(learner).__name__} makes {DEPTH} mistakes in a row and never returns to a state"
        " that it had before; give the number of trials T"
    )
    mistakes, stream = deepest((deepcopy(learner), np.zeros(n, int), T), state, answers, tired)
    return WorstCase(
        mistakes,
        np.array([x for x, _ in stream]).reshape(-1, n),
        np.array([y for _, y in stream], int),
    )


def halving_worst_case(n: int) -> int:
    """Return the most mistakes of Halving over all sequences with n experts, one of them perfect
    (TIGHT-1); it is floor(lg n).

    Exact: Halving and nature see only how many experts are consistent. If `wrong` of c consistent
    experts err, c - wrong >= 1 stay, and Halving errs iff they were at least half (nature lets a
    tie go wrong).
    """
    worst = [0, 0]
    for c in range(2, check_count("n", n) + 1):
        few = c // 2 + 1  # if fewer than that stay, at least half erred
        worst.append(max([1 + max(worst[1:few]), *worst[few:c]]))
    return worst[n]


def wm_worst_case(n: int, budget: int, beta: float) -> int:
    """Return the most mistakes of Weighted Majority over all sequences on which the best of n
    experts makes <= budget (TIGHT-2).

    Exact: the state is the vector of the experts' mistakes, sorted, because experts can be renamed.
    The search is finite because only trials with a mistake are tried, of which WM-T1 allows
    finitely many. Nothing is lost:

    Let w' be the weights w with a set S of experts punished in addition. If A can be the wrong side
    on a mistake at w', that is 2w'(A) >= W', then A ∪ S can be it at w: w(A ∪ S) = w'(A) - beta w(A
    ∩ S) + w(S) >= (W - (1-beta) w(S))/2 + (1-beta) w(S) >= W/2. Afterwards A ∩ S is punished once
    less than in the other game, and so on. So nature never gains from a punished expert: neither
    from a trial without a mistake, nor from a wrong side that stays heavy enough without its
    lightest expert. Ties are seen on correctly rounded sums of the weights. n <= 6 takes
    milliseconds.
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
    """Return the mistakes of the best deterministic learner while the best of n experts makes <=
    budget (TIGHT-2).

    Exact: a state says how many experts may still make 0, 1, …, budget mistakes. Nature splits the
    experts in two sides; whichever the learner follows can be the wrong one, so nature gets 1 + the
    smaller value of the two states that follow. A trial without a mistake only uses up experts'
    mistakes, which never helps nature: more experts with more mistakes left can play any strategy
    of fewer. So each trial lowers the state and the recursion ends.
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
                best = max(
                    best, 1 + min(follow, value(after(wrong, right)) if any(right) else follow)
                )
        return best

    def after(stay, move):
        return tuple(c + s for c, s in zip(stay, (*move[1:], 0), strict=True))

    return value((0,) * budget + (n,))


def _gap_game(n, T, play_trial, parts=1):
    """Return the value of T trials with losses in {0, 1/parts, …, 1}^n for a learner that depends
    on differences of losses alone.

    A state is the sorted vector of how far each expert is behind the best. All states that t trials
    can lead to are found, then their values, from the last trial back to the first: taking the
    worst of all loss vectors in each of them is exact. `play_trial(gaps, low, later)` gets one row
    per state, and in it for each loss vector the rise of the smallest loss and the value of the
    state that follows; gaps and rises are counted in parts.
    """
    if T > 500:
        raise ValueError(f"T must be at most 500 for an exact search; got {T}")
    vectors, base = np.array(list(product(range(parts + 1), repeat=n))), T * parts + 1
    gaps, trials, powers = np.zeros((1, n), int), [], base ** np.arange(n)
    for _ in range(T):
        after = np.sort(gaps[:, None] + vectors)
        low = after[..., 0]
        codes, follows = np.unique((after - low[..., None]) @ powers, return_inverse=True)
        trials.append((gaps, low, follows.reshape(low.shape)))
        gaps = codes[:, None] // powers % base
    value = np.zeros(len(gaps))
    for gaps, low, follows in reversed(trials):
        value = play_trial(gaps, low, value[follows])
    return float(value[0])


def _exponential_weights(n, T, beta, price, parts=1):
    """Return the largest (expected loss of weights beta^L) - price * (loss of the best expert),
    losses in {0, 1/parts, …, 1}^n.
    """
    vectors = np.array(list(product(range(parts + 1), repeat=n))) / parts

    def trial(gaps, low, later):
        w = beta ** (gaps / parts)
        expected = w @ vectors.T / w.sum(axis=1, keepdims=True)
        return (expected - price * low / parts + later).max(axis=1)

    return _gap_game(n, T, trial, parts)


def hedge_worst_case(n: int, T: int, eta: float, parts: int = 1) -> float:
    """Return the largest regret of Hedge over all T x n matrices of the losses 0, 1/parts, …, 1:
    of zeros and ones unless you say otherwise (TIGHT-5).

    Exact over these losses: Hedge's allocation depends only on how far each expert is behind the
    best one, and not on their names. Over all losses in [0, 1] the worst case is at least as large,
    and more parts come nearer to it: with n = 2, T = 32 and eta = 2 it is 6.33 with 1 part and 7.45
    with 2.
    """
    eta = check_range("eta", eta, lambda e: 0 < e < math.inf, "a finite number > 0")
    n, T, parts = check_count("n", n), check_count("T", T), check_count("parts", parts)
    return _exponential_weights(n, T, math.exp(-eta), 1.0, parts)


def rwma_worst_case(n: int, T: int, eta: float) -> float:
    """Return the largest E[M] - m of randomised Weighted Majority, beta = 1 - eta, over all
    sequences of T trials with n experts (RWMA-T2).

    Exact: the expected mistakes are the share of weight that is wrong, so this is Hedge with e^-eta
    = beta.
    """
    return hedge_worst_case(n, T, -math.log(1 - _rate(eta)))


def rwma_worst_excess(eta: float, T: int | None = None) -> float:
    """Return the largest E[M] - (1+eta) m of randomised Weighted Majority over all sequences with
    two experts, beta = 1 - eta (TIGHT-3).

    With T: by dynamic programming over at most T trials. Without T: the supremum over all
    sequences, which is p(0) + p(1) + … with p(d) = beta^d / (1 + beta^d): one expert errs always,
    the other never. Exact: let d be the gap of the two experts' mistakes. A step from d-1 to d
    brings p(d-1); the step back brings 1 - p(d) - (1+eta). Back and forth brings p(d-1) - p(d) -
    eta <= eta/(4 - 2 eta) - eta < 0, so nature never turns round.
    """
    beta = 1 - _rate(eta)
    if T is not None:
        return _exponential_weights(2, check_count("T", T), beta, 1 + eta)
    terms = math.ceil(math.log(1e-17 * eta) / math.log(beta))
    return math.fsum(beta**d / (1 + beta**d) for d in range(terms))


@cache
def _mixed_answers(n):
    """Return nature's extreme mixed answers (probabilities of the loss vectors, smallest expected
    loss of an expert).

    These are the vertices of {q, u, slack >= 0: sum(q) = 1, expected loss of expert i under q = u +
    slack_i}: every basis is tried. The matrix has integer entries, so a determinant is 0 or at
    least 1 in size.
    """
    vectors = np.array(list(product((0, 1), repeat=n)))
    A = np.vstack(
        [
            np.r_[np.ones(2**n), np.zeros(n + 1)],
            np.hstack([vectors.T, -np.ones((n, 1)), -np.eye(n)]),
        ]
    )
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
    """Return the regret of the best learner in the allocation game with losses in [0,1]^n, n <= 4
    (TIGHT-5).

    Exact: with V(l) the value after losses l, one trial is the matrix game min over v of max over l
    of v·l + V(l). By duality it is the max over mixed answers q of u + E_q V(l), where u is the
    smallest expected loss of an expert. This is linear over a polytope that does not depend on the
    state, so the best of its vertices gives the value. For n = 2 it is E|S_T|/2 for the simple
    random walk S: nature tosses a coin for the expert that errs.

    Losses 0 and 1 are all that nature needs: the value after losses L is the min over v of the max
    over l of v·l + V(L + l). If V is convex, so is this (a maximum of convex functions of v and L,
    minimised over v). It starts as -min L, which is convex, and a convex function of l is largest
    at a corner of the cube.
    """
    n, T = check_count("n", n), check_count("T", T)
    if n > 4:
        raise ValueError(f"n must be at most 4, the vertices are too many beyond; got {n}")
    q, u = _mixed_answers(n)

    def trial(gaps, low, later):
        return (u + (later - low) @ q.T).max(axis=1)

    return _gap_game(n, T, trial)


@cache
def realizable_minimax(n: int) -> Fraction:
    """Return the least expected mistakes that a randomised learner can ensure if one of n experts
    is perfect (TIGHT-13).

    Exact: only the number of consistent experts counts. If nature splits them in a and n - a, a
    learner that predicts the first side with probability p faces max(1-p + V(a), p + V(n-a)); the
    best p in [0,1] gives max((1 + V(a) + V(n-a))/2, V(a), V(n-a)). Splits with a = 0 lead nowhere,
    so the recursion ends at V(1) = 0.
    """
    n = check_count("n", n)
    sides = ((realizable_minimax(a), realizable_minimax(n - a)) for a in range(1, n // 2 + 1))
    return max((max((1 + a + b) / 2, a, b) for a, b in sides), default=Fraction(0))
