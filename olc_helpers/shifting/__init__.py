"""Shifting experts (lecture 11): following the best sequence of experts by sharing weight."""
