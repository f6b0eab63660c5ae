"""Data for the lectures: the tables of the sources and seeded random streams, from the rooms."""

from .experts.nature import (
    EIGHT_EXPERTS,
    FOUR_FORECASTERS,
    coin_losses,
    divided_experts,
    forecasts,
    noisy_experts,
    one_good_expert,
)
from .games.nature import TUMOUR_FEATURES, tumours
from .perceptron.nature import FOUR_POINTS, TEN_POINTS, XOR, odd_max_bit, off_centre, planted_margin
from .gradients.nature import noisy_margin
from .voting.nature import SENTENCES, digits
from .winnow.nature import (
    FOUR_VARIABLES,
    at_least,
    disjunction,
    first_coordinate,
    hadamard,
    orthogonal_signs,
)
from .sparsity.nature import TWELVE_BY_SIX, greedy_trap, random_cnf
from .dnf.nature import CAT, CAT_FEATURES, PRISM, graph_examples, labelled, planted, random_dnf
from .shifting.nature import FOUR_MODELS, packet_gaps, shifting_experts, trading_volume
from .cases.nature import character_names

__all__ = [
    "FOUR_FORECASTERS",
    "EIGHT_EXPERTS",
    "noisy_experts",
    "one_good_expert",
    "divided_experts",
    "forecasts",
    "coin_losses",
    "TUMOUR_FEATURES",
    "tumours",
    "FOUR_POINTS",
    "TEN_POINTS",
    "XOR",
    "odd_max_bit",
    "off_centre",
    "planted_margin",
    "SENTENCES",
    "digits",
    "noisy_margin",
    "FOUR_VARIABLES",
    "at_least",
    "disjunction",
    "first_coordinate",
    "hadamard",
    "orthogonal_signs",
    "CAT",
    "CAT_FEATURES",
    "PRISM",
    "graph_examples",
    "TWELVE_BY_SIX",
    "greedy_trap",
    "labelled",
    "planted",
    "random_cnf",
    "random_dnf",
    "FOUR_MODELS",
    "shifting_experts",
    "packet_gaps",
    "trading_volume",
    "character_names",
]
