"""The theorems of lectures 08 and 09: gradient descent's regret, what it says about the Perceptron,
and how long a step should be.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import vector
from ..checks import Numbers, trait
from ..ledger import Proof, as_hypothesis, assume, claim, parameter, theorem
from ..losses import hinge_loss
from ..perceptron.margins import squares
from ..perceptron.theorems import assume_scores
from ..protocol import Run

__all__ = [
    "descent_bound",
    "exact_step_bound",
    "ogd_bound",
    "perceptron_any_data",
    "perceptron_from_ogd",
    "projected_bound",
    "strongly_convex_bound",
]


def _hinge(run, w):
    """Return the hinge loss of w on each trial; w is one vector, or a row per trial."""
    return hinge_loss(run.y, (run.X * w).sum(axis=1))


def _assume_linear(run, u, loss) -> tuple[np.ndarray, float]:
    """Return u and its length after checking the game: the loss, weights from 0 on, and a vector to
    compare with.
    """
    paid = trait(run.learner, "loss")
    assume(paid == loss, f"the loss must be {loss}; it is {paid}")
    w = run.weights
    assume(
        w is not None and not w[0].any(),
        "the learner must keep its weights in an attribute w, which is 0 at the start",
    )
    with as_hypothesis():
        u = vector("u", u, run.X.shape[1])
    assume(run.X.any(), "some x_t must differ from 0")
    return u, float(np.linalg.norm(u))


def _radius(run):
    return float(np.sqrt(squares(run.X).max()))


# Gradient descent ---------------------------------------------------------------------------------


def _distance_lines(excess, w, z, u, eta, start, why):
    """Yield the lines about q_t = ‖w_t-u‖² that every descent w_{t+1} = w_t - η z_t shares.

    `excess` has the L_t(w_t) - L_t(u), `start` is q_1 in LaTeX, `why` says that z_t is a
    subgradient.
    """
    distance, z2, slope = squares(w - u), squares(z), ((w[:-1] - u) * z).sum(axis=1)
    yield claim(r"L_t(w_t) - L_t(u) \le (w_t-u)\cdot z_t", excess, slope).because(why)
    yield claim(
        r"q_{t+1} = q_t - 2\eta\,(w_t-u)\cdot z_t + \eta^2\|z_t\|^2",
        distance[1:],
        distance[:-1] - 2 * eta * slope + eta**2 * z2,
    ).because("expand q_{t+1} = ‖w_{t+1}-u‖² with w_{t+1} = w_t - η z_t")
    yield claim(
        r"(w_t-u)\cdot z_t + \tfrac{q_{t+1}}{2\eta} = \tfrac{q_t}{2\eta} + \tfrac\eta2\|z_t\|^2",
        slope + distance[1:] / (2 * eta),
        distance[:-1] / (2 * eta) + eta / 2 * z2,
    ).because("divide by 2η and sort")
    yield claim(
        rf"\sum_t (w_t-u)\cdot z_t \le \tfrac{{{start}}}{{2\eta}} + \tfrac\eta2\sum_t\|z_t\|^2",
        slope.sum(),
        distance[0] / (2 * eta) + eta / 2 * z2.sum(),
    ).because("the sum telescopes from q_1 = ‖w_1-u‖²; drop -q_{T+1}")


def descent_at_most(U: float, G: float, T: Numbers, eta: float) -> Numbers:
    """Return the bound on gradient descent's regret for any rate (OGD-T1)."""
    return U**2 / (2 * eta) + eta / 2 * T * G**2


def descent_tuned_at_most(U: float, G: float, T: Numbers) -> Numbers:
    """Return the bound for the rate U/(G√T), which makes both terms equal."""
    return U * G * np.sqrt(T)


def _tuned_lines(T, regret, U, G, letter, eta, why):
    """Yield the bound for every rate, and the one for the best rate if it was used; `letter` names
    the longest subgradient, which is G long.
    """
    yield claim(
        rf"\sum_t L_t(w_t) - L_t(u) \le \tfrac{{U^2}}{{2\eta}} + \tfrac\eta2\,T {letter}^2",
        regret,
        descent_at_most(U, G, T, eta),
    ).because(why)
    if np.isclose(eta * G * np.sqrt(T), U, rtol=1e-9, atol=0):
        yield claim(
            rf"\sum_t L_t(w_t) - L_t(u) \le U{letter}\sqrt T",
            regret,
            descent_tuned_at_most(U, G, T),
        ).because(f"η = U/({letter}√T) makes both terms equal")


def _assume_rate(eta):
    assume(np.ndim(eta) == 0 and 0 < eta < np.inf, f"eta must be a finite number > 0; it is {eta}")
    return eta


def _descent(losses, w, z, u) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return w, z, u as arrays that fit together, and what each w_t pays more than u."""
    w, z, u = np.asarray(w, float), np.asarray(z, float), np.asarray(u, float)
    assume(
        z.ndim == 2 and len(losses) == len(z) and w[1:].shape == z.shape and u.shape == z.shape[1:],
        "there must be a row of w for w_1, …, w_{T+1}, a row of z for each of the T losses, and u"
        " must have as many numbers as a row",
    )
    paid = [loss(v) - loss(u) for loss, v in zip(losses, w[:-1], strict=True)]
    return w, z, u, np.array(paid, float)


@theorem(r"\sum_t L_t(w_t) - L_t(u) \le UG\sqrt T", items="OGD-T1 OGD-P1", lecture="08")
def descent_bound(
    losses: Sequence[Callable],
    w: ArrayLike,
    z: ArrayLike,
    u: ArrayLike,
    eta: float,
    U: float | None = None,
) -> Proof:
    """Gradient descent's regret for convex losses, against u with ‖w_1 - u‖ ≤ U.

    `losses` are the convex functions L_1, …, L_T. The rows of w are w_1, …, w_{T+1}; those of z are
    subgradients of the losses at w_1, …, w_T, the longest of which is G long (line 2 fails if one
    of them is none, as far as u can tell). For every η > 0 the regret is at most U²/(2η) + ηTG²/2,
    which is UG√T for η = U/(G√T).

    >>> w = np.array([[1.0], [0.5], [0.0], [0.0], [0.0]])
    >>> descent_bound([lambda v: abs(v[0])] * 4, w, np.sign(w[:-1]), u=[0], eta=0.5).holds
    True
    """
    w, z, u, excess = _descent(losses, w, z, u)
    length, eta = float(np.linalg.norm(w[0] - u)), _assume_rate(eta)
    U = length if U is None else U
    assume(
        length <= U * (1 + 1e-9),
        f"u must be at most U = {U:g} away from w_1; the distance is {length:g}",
    )
    z2 = squares(z)
    G = float(np.sqrt(z2.max()))
    yield claim(
        r"\|w_{t+1} - w_t + \eta z_t\| = 0", np.sqrt(squares(np.diff(w, axis=0) + eta * z)), 0
    ).because("the update")
    why = "L_t is convex and z_t is a subgradient at w_t"
    yield from _distance_lines(excess, w, z, u, eta, "q_1", why)
    yield claim(r"\|z_t\|^2 \le G^2", z2, G**2).because("G is the length of the longest z_t")
    yield from _tuned_lines(len(z), excess.sum(), U, G, "G", eta, "lines 2, 5 and 6, and q_1 ≤ U²")


def _assume_ball(run, u, U, eta) -> tuple[np.ndarray, float, float]:
    """Return u, U, η after checking that u lies in the ball of radius U; without U the ball just
    holds u.
    """
    u, length = _assume_linear(run, u, "hinge")
    U = length if U is None else U
    assume(length <= U * (1 + 1e-9), f"u must be at most U = {U:g} long; its length is {length:g}")
    return u, U, _assume_rate(parameter(run, "eta", eta))


@theorem(r"\sum_t L_t(w_t) - L_t(u) \le UR\sqrt T", items="OGD-T1 OGD-P1", lecture="08")
def ogd_bound(run: Run, u: ArrayLike, U: float | None = None, eta: float | None = None) -> Proof:
    """Gradient descent's regret for the hinge loss from w_1 = 0, against u with ‖u‖ ≤ U.

    Here R > 0 is the length of the longest x_t. For every η > 0 the regret is at most
    U²/(2η) + ηTR²/2, which is UR√T for η = U/(R√T).

    >>> X, y = streams.noisy_margin(T=100, v=[2, 1], gamma=0.1, noise=0.1)
    >>> ogd_bound(play(OnlineGradientDescent(2, eta=0.3), X, y), u=[2, 1]).holds
    True
    """
    u, U, eta = _assume_ball(run, u, U, eta)
    w, y, X = run.weights, run.y, run.X
    score, excess = (w[:-1] * X).sum(axis=1), run.losses - _hinge(run, u)
    z = np.where(y * score < 1, -y, 0)[:, None] * X
    yield claim(r"\hat y_t = w_t\cdot x_t", run.predictions, score).because("the prediction")
    why = "L_t is convex and z_t = -y_t x_t [y_t w_t·x_t < 1] is a subgradient at w_t"
    yield from _distance_lines(excess, w, z, u, eta, r"\|u\|^2", why)
    R = _radius(run)
    yield claim(r"\|z_t\|^2 \le R^2", squares(z), R**2).because("z_t is 0 or -y_t x_t")
    yield from _tuned_lines(len(run), excess.sum(), U, R, "R", eta, "lines 2, 5 and 6, and ‖u‖ ≤ U")


# The Perceptron as gradient descent on its mistakes -----------------------------------------------


def _on_mistakes(run, u, U):
    """Yield the lines that make the Perceptron, times η = U/(R√M), gradient descent on its mistakes
    alone.
    """
    w, on, M = run.weights, run.mistake, run.mistakes
    R = _radius(run)
    eta = U / (R * np.sqrt(max(M, 1)))
    change = np.diff(w, axis=0) - np.where(on, run.y, 0)[:, None] * run.X
    loss = _hinge(run, eta * w[:-1])
    yield claim(
        r"\|w_{t+1} - w_t - [t\in\mathcal M]\,y_t x_t\| = 0", np.sqrt(squares(change)), 0
    ).because(
        "conservative: gradient descent with η = 1 on the mistakes ℳ, nothing on other trials"
    )
    yield claim(
        r"y_t\,\eta w_t\cdot x_t \le 0", run.y * eta * (w[:-1] * run.X).sum(axis=1), 0, on=on
    ).because("a mistake is one for every rate η: from w_1 = 0 it only scales w_t")
    yield claim(r"1 \le L_t(\eta w_t)", 1, loss, on=on).because(
        "the hinge loss of a mistake is at least 1"
    )
    yield claim(
        r"\sum_{\mathcal M} L_t(\eta w_t) - L_t(u) \le \|u\|R\sqrt M",
        (loss - _hinge(run, u))[on].sum(),
        U * R * np.sqrt(M),
    ).because("gradient descent's regret on the M mistakes, η = ‖u‖/(R√M)")


@theorem(r"M \le R^2\|u\|^2", items="OGD-T2 OGD-Q3", lecture="08")
def perceptron_from_ogd(run: Run, u: ArrayLike) -> Proof:
    """Novikoff's bound from gradient descent's regret, for u with y_t u·x_t ≥ 1 on every trial.

    The Perceptron starts at w_1 = 0, and R > 0 is the length of the longest x_t.

    >>> X, y = adversaries.see_saw(0.2)
    >>> perceptron_from_ogd(play(Perceptron(2), X, y), u=[0, 5]).holds
    True
    """
    u, U = _assume_linear(run, u, "mistake")
    assume_scores(run, "u", u, 1)
    M, R = run.mistakes, _radius(run)
    yield from _on_mistakes(run, u, U)
    yield claim(r"\sum_{\mathcal M} L_t(u) = 0", _hinge(run, u)[run.mistake].sum(), 0).because(
        "y_t u·x_t ≥ 1"
    )
    yield claim(r"M \le \|u\|R\sqrt M", M, U * R * np.sqrt(M)).because("lines 3, 4 and 5")
    yield claim(r"M \le R^2\|u\|^2", M, (R * U) ** 2).because("square and divide by M")


def any_data_at_most(H: Numbers, RU: Numbers) -> Numbers:
    """Return the bound on the Perceptron's mistakes; RU is the length of u times R (OGD-T3)."""
    return H + RU * np.sqrt(H) + RU**2


@theorem(r"M \le H + R\|u\|\sqrt H + R^2\|u\|^2", items="OGD-T3", lecture="08")
def perceptron_any_data(run: Run, u: ArrayLike) -> Proof:
    """The Perceptron's mistakes on any data, against any u with hinge loss H.

    The Perceptron starts at w_1 = 0, and R > 0 is the length of the longest x_t.

    >>> X, y = streams.noisy_margin(T=100, v=[2, 1], gamma=0.1, noise=0.1)
    >>> perceptron_any_data(play(Perceptron(2), X, y), u=[2, 1]).holds
    True
    """
    u, U = _assume_linear(run, u, "mistake")
    M, R, loss_u = run.mistakes, _radius(run), _hinge(run, u)
    some, H = loss_u[run.mistake].sum(), loss_u.sum()
    yield from _on_mistakes(run, u, U)
    yield claim(
        r"M \le \sum_{\mathcal M} L_t(u) + R\|u\|\sqrt M", M, some + R * U * np.sqrt(M)
    ).because("lines 3 and 4")
    yield claim(r"\sum_{\mathcal M} L_t(u) \le H", some, H).because("no loss is negative")
    yield claim(r"M \le H + R\|u\|\sqrt H + R^2\|u\|^2", M, any_data_at_most(H, R * U)).because(
        "lines 5 and 6, solved for √M"
    )


# How long a step ----------------------------------------------------------------------------------


def _projected_lines(losses, w, z, u, eta, project, alpha=0.0):
    """Yield the lines about q_t = ‖w_t-u‖² of a descent w_{t+1} = Π(w_t - η_t z_t) with its own
    rate for each trial, and return excess, q and the longest z_t; the losses curve by `alpha`.
    """
    w, z, u, excess = _descent(losses, w, z, u)
    project = project or (lambda v: v)
    assume(
        all(np.allclose(project(v), v, rtol=0, atol=1e-9) for v in (w[0], u)),
        "w_1 and u must lie in the set on which `project` projects",
    )
    ahead = w[:-1] - eta[:, None] * z
    q, z2, slope = squares(w - u), squares(z), ((w[:-1] - u) * z).sum(axis=1)
    moved = w[1:] - np.array([project(v) for v in ahead])
    yield claim(r"\|w_{t+1} - \Pi(w_t - \eta_t z_t)\| = 0", np.sqrt(squares(moved)), 0).because(
        "the update"
    )
    curved, why = r"(w_t-u)\cdot z_t", "L_t is convex and z_t is a subgradient at w_t"
    if alpha:
        curved, why = curved + r" - \tfrac\alpha2\,q_t", "L_t is α-strongly convex; q_t = ‖w_t-u‖²"
    yield claim(rf"L_t(w_t) - L_t(u) \le {curved}", excess, slope - alpha / 2 * q[:-1]).because(why)
    yield claim(r"q_{t+1} \le \|w_t - \eta_t z_t - u\|^2", q[1:], squares(ahead - u)).because(
        "u lies in the set: to project never leads away from it; q_t = ‖w_t-u‖²"
    )
    yield claim(
        r"(w_t-u)\cdot z_t \le \tfrac{q_t - q_{t+1}}{2\eta_t} + \tfrac{\eta_t}2\|z_t\|^2",
        slope,
        (q[:-1] - q[1:]) / (2 * eta) + eta / 2 * z2,
    ).because("expand the square in line 3 and divide by 2η_t")
    return excess, q, z2


def _longest(z, G) -> float:
    """Return G, by default the length of the longest z_t, after checking that none is longer."""
    longest = float(np.sqrt(squares(np.asarray(z, float)).max()))
    G = longest if G is None else G
    assume(G > 0 and longest <= G * (1 + 1e-9), f"no z_t may be longer than G = {G:g} > 0")
    return G


def any_time_at_most(D: float, G: float, T: Numbers) -> Numbers:
    """Return the bound for steps D/(G√t) (OGD-T5)."""
    return 1.5 * D * G * np.sqrt(T)


@theorem(r"\sum_t L_t(w_t) - L_t(u) \le \tfrac32\,DG\sqrt T", items="OGD-T5 OGD-D3", lecture="09")
def projected_bound(
    losses: Sequence[Callable],
    w: ArrayLike,
    z: ArrayLike,
    u: ArrayLike,
    D: float,
    G: float | None = None,
    project: Callable | None = None,
) -> Proof:
    """Projected gradient descent's regret with steps D/(G√t), which need not know T.

    The losses are convex on a closed convex set of diameter at most D, in which w_1 and u lie;
    `project` returns its point that is nearest to a vector. The rows of w are w_1, …, w_{T+1},
    those of z are subgradients at w_1, …, w_T, none of which is longer than G > 0.

    >>> w = np.array([[1], [-1], [np.sqrt(2) - 1]])
    >>> losses, inside = [lambda v: abs(v[0])] * 2, lambda v: np.clip(v, -1, 1)
    >>> projected_bound(losses, w, np.sign(w[:-1]), u=[0], D=2, project=inside).holds
    True
    """
    G, t = _longest(z, G), np.arange(1, len(losses) + 1)
    T = len(t)
    assume(0 < D < np.inf, f"D must be a finite number > 0; it is {D}")
    eta = D / (G * np.sqrt(t))
    excess, q, z2 = yield from _projected_lines(losses, w, z, u, eta, project)
    yield claim(r"q_t \le D^2", q, D**2).because("w_t and u lie in a set of diameter D")
    yield claim(
        r"\sum_t \tfrac{q_t - q_{t+1}}{2\eta_t} \le \tfrac{D^2}{2\eta_T}",
        ((q[:-1] - q[1:]) / (2 * eta)).sum(),
        D**2 / (2 * eta[-1]),
    ).because("each q_t counts 1/(2η_t) - 1/(2η_{t-1}) ≥ 0 times, and is at most D²")
    yield claim(
        r"\sum_t \tfrac{\eta_t}2\|z_t\|^2 \le DG\sqrt T", (eta / 2 * z2).sum(), D * G * np.sqrt(T)
    ).because("‖z_t‖ ≤ G, and 1/√t ≤ 2(√t - √(t-1)), which telescopes")
    yield claim(
        r"\sum_t L_t(w_t) - L_t(u) \le \tfrac32\,DG\sqrt T", excess.sum(), any_time_at_most(D, G, T)
    ).because("lines 2, 4, 6 and 7, and η_T = D/(G√T)")


def curved_at_most(alpha: float, G: float, T: Numbers) -> Numbers:
    """Return the bound for steps 1/(αt) (OGD-T6)."""
    return G**2 * (1 + np.log(T)) / (2 * alpha)


@theorem(
    r"\sum_t L_t(w_t) - L_t(u) \le \tfrac{G^2}{2\alpha}(1+\ln T)", items="OGD-T6", lecture="09"
)
def strongly_convex_bound(
    losses: Sequence[Callable],
    w: ArrayLike,
    z: ArrayLike,
    u: ArrayLike,
    alpha: float,
    G: float | None = None,
    project: Callable | None = None,
) -> Proof:
    """Gradient descent's regret with steps 1/(αt) for α-strongly convex losses.

    The losses are α-strongly convex on a closed convex set, in which w_1 and u lie; `project`
    returns its point that is nearest to a vector, and without it the set is the whole space. The
    rows of w are w_1, …, w_{T+1}, those of z are subgradients at w_1, …, w_T, none of which is
    longer than G > 0.

    >>> w = np.array([[0.0], [1.0], [0.5], [1 / 3]])
    >>> losses = [lambda v, y=y: (v[0] - y) ** 2 / 2 for y in (1, 0, 0)]
    >>> strongly_convex_bound(losses, w, w[:-1] - [[1], [0], [0]], [1 / 3], alpha=1).holds
    True
    """
    G, t = _longest(z, G), np.arange(1, len(losses) + 1)
    T = len(t)
    assume(0 < alpha < np.inf, f"alpha must be a finite number > 0; it is {alpha}")
    excess, q, z2 = yield from _projected_lines(losses, w, z, u, 1 / (alpha * t), project, alpha)
    price = z2 / (2 * alpha * t)
    yield claim(
        r"L_t(w_t) - L_t(u) \le \tfrac\alpha2\big((t-1)\,q_t - t\,q_{t+1}\big)"
        r" + \tfrac{\|z_t\|^2}{2\alpha t}",
        excess,
        alpha / 2 * ((t - 1) * q[:-1] - t * q[1:]) + price,
    ).because("lines 2 and 4 with 1/η_t = αt: the curvature pays for one of the t")
    yield claim(
        r"\sum_t L_t(w_t) - L_t(u) \le \sum_t \tfrac{\|z_t\|^2}{2\alpha t}",
        excess.sum(),
        price.sum(),
    ).because("the sum telescopes from 0·q_1; drop -αT q_{T+1}/2")
    yield claim(r"\|z_t\|^2 \le G^2", z2, G**2).because("no z_t is longer than G")
    yield claim(
        r"\sum_t L_t(w_t) - L_t(u) \le \tfrac{G^2}{2\alpha}(1+\ln T)",
        excess.sum(),
        curved_at_most(alpha, G, T),
    ).because("lines 6 and 7, and 1 + 1/2 + … + 1/T ≤ 1 + ln T")


def _exact_step(run, eta):
    """Return how far along y_t x_t the exact step goes from each w_t: η, or up to y w·x = 1 if that
    is nearer.
    """
    loss, x2 = _hinge(run, run.weights[:-1]), squares(run.X)
    return np.divide(loss, x2, out=np.full(len(run), float(eta)), where=eta * x2 > loss)


@theorem(r"\sum_t L_t(w_t) - L_t(u) \le UR\sqrt T", items="OGD-L1", lecture="09")
def exact_step_bound(
    run: Run, u: ArrayLike, U: float | None = None, eta: float | None = None
) -> Proof:
    """The exact step from w_1 = 0 has gradient descent's regret bound, against u with ‖u‖ ≤ U.

    Here R > 0 is the length of the longest x_t. For every η > 0 the regret is at most
    U²/(2η) + ηTR²/2, which is UR√T for η = U/(R√T).

    >>> X, y = streams.noisy_margin(T=100, v=[2, 1], gamma=0.1, noise=0.1)
    >>> exact_step_bound(play(OnlineGradientDescent(2, eta=0.3, exact=True), X, y), u=[2, 1]).holds
    True
    """
    u, U, eta = _assume_ball(run, u, U, eta)
    w, loss_u = run.weights, _hinge(run, u)
    after, moved2, distance = _hinge(run, w[1:]), squares(np.diff(w, axis=0)), squares(w - u)
    step = (_exact_step(run, eta) * run.y)[:, None] * run.X
    x2 = squares(run.X)
    yield claim(
        r"\|w_{t+1} - w_t - \tau_t y_t x_t\| = 0", np.sqrt(squares(np.diff(w, axis=0) - step)), 0
    ).because(
        "τ_t = min(η, L_t(w_t)/‖x_t‖²): go on while the loss falls faster than the penalty grows"
    )
    yield claim(
        r"L_t(w_{t+1}) + \tfrac{s_t^2 + q_{t+1}}{2\eta} \le L_t(u) + \tfrac{q_t}{2\eta}",
        after + (moved2 + distance[1:]) / (2 * eta),
        loss_u + distance[:-1] / (2 * eta),
    ).because(
        "w_{t+1} minimises, and the penalty curves upwards around it; "
        "q_t = ‖w_t-u‖², s_t = ‖w_{t+1}-w_t‖"
    )
    yield claim(
        r"L_t(w_t) - L_t(w_{t+1}) \le \|x_t\|\,s_t", run.losses - after, np.sqrt(x2 * moved2)
    ).because("the slope of L_t is at most ‖x_t‖")
    yield claim(
        r"\|x_t\|\,s_t \le \tfrac\eta2\|x_t\|^2 + \tfrac{s_t^2}{2\eta}",
        np.sqrt(x2 * moved2),
        eta / 2 * x2 + moved2 / (2 * eta),
    ).because("2ab ≤ a² + b²")
    yield claim(
        r"L_t(w_t) - L_t(u) \le \tfrac{q_t - q_{t+1}}{2\eta} + \tfrac\eta2\|x_t\|^2",
        run.losses - loss_u,
        (distance[:-1] - distance[1:]) / (2 * eta) + eta / 2 * x2,
    ).because("add lines 2, 3 and 4")
    yield from _tuned_lines(
        len(run),
        run.total_loss - loss_u.sum(),
        U,
        _radius(run),
        "R",
        eta,
        "the sum telescopes from w_1 = 0, ‖x_t‖ ≤ R and ‖u‖ ≤ U",
    )
