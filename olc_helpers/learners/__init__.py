"""The algorithms of the course, one module per part."""

from .experts import Halving, Hedge, RandomizedWeightedMajority, WeightedAverage, WeightedMajority

__all__ = ["Halving", "Hedge", "RandomizedWeightedMajority", "WeightedAverage", "WeightedMajority"]
