"""Nature as a program: exact worst cases for small sizes, and adversaries to play against, one module per part."""

from .experts import (
    Opponent,
    WorstCase,
    c_regret,
    contrary,
    erring_in_turn,
    greedy,
    halving_worst_case,
    hedge_minimax,
    hedge_worst_case,
    minimax_mistakes,
    realizable_minimax,
    rwma_worst_case,
    rwma_worst_excess,
    sharp_entropic,
    sharp_square,
    split_in_half,
    wm_worst_case,
    worst_case,
)

__all__ = [
    "Opponent", "WorstCase", "c_regret", "contrary", "erring_in_turn", "greedy", "halving_worst_case", "hedge_minimax",
    "hedge_worst_case", "minimax_mistakes", "realizable_minimax", "rwma_worst_case", "rwma_worst_excess",
    "sharp_entropic", "sharp_square", "split_in_half", "wm_worst_case", "worst_case",
]
