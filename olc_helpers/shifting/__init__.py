"""Shifting experts (lecture 15): following the best sequence of experts by sharing weight."""
