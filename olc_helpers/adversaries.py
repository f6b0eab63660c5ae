"""Nature as a program: exact worst cases for small sizes and adversaries, from the rooms."""

from .experts.nature import (
    Opponent,
    c_regret,
    contrary,
    erring_in_turn,
    greedy,
    sharp_entropic,
    sharp_hedge,
    sharp_square,
    split_in_half,
)
from .experts.worst_cases import (
    WorstCase,
    halving_worst_case,
    hedge_minimax,
    hedge_worst_case,
    minimax_mistakes,
    realizable_minimax,
    rwma_worst_case,
    rwma_worst_excess,
    wm_worst_case,
    worst_case,
)
from .perceptron.nature import (
    no_gap,
    orthonormal,
    perceptron_worst_case,
    perpendicular,
    see_saw,
    sharp_perceptron,
    shrinking,
)
from .winnow.nature import (
    DisjunctionWorstCase,
    experts_on_disjunctions,
    orthogonal_rows,
    perceptron_on_disjunctions,
    table_worst_case,
    winnow_on_disjunctions,
)
from .dnf.nature import kernel_perceptron_on_formula
from .shifting.nature import sharp_share
from .limits.nature import (
    ClassSizes,
    NestedIntervals,
    always_wrong,
    class_sizes,
    halving_on_class,
    nested_intervals,
    walk_down,
)

__all__ = [
    "Opponent", "WorstCase", "c_regret", "contrary", "erring_in_turn", "greedy",
    "halving_worst_case", "hedge_minimax", "hedge_worst_case", "minimax_mistakes",
    "realizable_minimax", "rwma_worst_case", "rwma_worst_excess", "sharp_entropic",
    "sharp_hedge", "sharp_square", "split_in_half", "wm_worst_case", "worst_case", "no_gap",
    "orthonormal", "perceptron_worst_case", "perpendicular", "see_saw", "sharp_perceptron",
    "shrinking", "DisjunctionWorstCase", "experts_on_disjunctions", "orthogonal_rows",
    "perceptron_on_disjunctions", "table_worst_case", "winnow_on_disjunctions",
    "kernel_perceptron_on_formula", "sharp_share", "ClassSizes", "NestedIntervals",
    "always_wrong", "class_sizes", "halving_on_class", "nested_intervals", "walk_down",
]
