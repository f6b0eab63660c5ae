"""Which theorem speaks of a learner on data of one's own, and whom it is compared with."""

from .. import proofs
from ..checks import count
from ..ledger import HypothesisError, theorems
from ..shifting.sequences import best_shift_sequence, sequence_loss
from ..sparsity.reductions import disjunction_to_cover, greedy_cover
from ..winnow.booleans import Or

MOST_SHIFTS = 10  # of the sequence that the share algorithms are compared with


def _average(run, names):
    rule = run.learner.loss, run.learner.prediction
    prove = {("square", "mean"): proofs.wa_square, ("square", "vovk"): proofs.wa_vovk}
    return prove.get(rule, proofs.wa_entropic)(run), ""


def _hedge(run, names):
    B = float(run.y.max()) or 1.0
    return proofs.hedge_bound(run, B=B), f"the losses are at most B = {B:g}"


def _descent(run, names):
    prove = proofs.exact_step_bound if run.learner.exact else proofs.ogd_bound
    return prove(run, run.weights[-1]), "compared with the weights after the last trial"


def _gradient(run, names):
    return proofs.eg_bound(run), f"compared with {names[run.best_expert]} alone"


def _winnow(run, names):
    """Prove it for a short disjunction that explains the labels; a greedy one is found fast."""
    prove = proofs.winnow_bound if run.learner.factor == 2 else proofs.winnow_any_factor
    try:
        columns = greedy_cover(disjunction_to_cover(run.X, run.y))
    except ValueError:
        columns = ()
    if not columns:
        why = "no disjunction of features explains the labels"
        raise HypothesisError(f"{prove.__name__} does not apply: {why}")
    target = " or ".join(names[column] for column in sorted(columns))
    return prove(run, Or(*(column + 1 for column in columns))), f"the label is {target}"


def _share(prove):
    def bound(run, names):
        k = min(round(run.learner.alpha * (len(run) - 1)), MOST_SHIFTS)
        sequence = best_shift_sequence(run.expert_losses, k)
        loss = sequence_loss(run.expert_losses, sequence)
        remark = f"the best sequence of experts with at most {count(k, 'shift')} loses {loss:.6g}"
        return prove(run, sequence), remark

    return bound


def _alone(prove):
    return lambda run, names: (prove(run), "")


# A function of the run and the names of its columns: the ledger, and a remark.
BOUNDS = {learner: _alone(prove) for prove in theorems().values() for learner in prove.learners}
BOUNDS |= {
    "WeightedAverage": _average,
    "Hedge": _hedge,
    "OnlineGradientDescent": _descent,
    "Winnow": _winnow,
    "ExponentiatedGradient": _gradient,
    "FixedShare": _share(proofs.fixed_share_bound),
    "VariableShare": _share(proofs.variable_share_bound),
}
