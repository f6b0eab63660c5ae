"""Winnow (lecture 08): disjunctions of few out of many variables, learned by multiplication."""
