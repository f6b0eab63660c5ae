"""Losses and gradients (lecture 08): on-line gradient descent on the hinge loss, and its regret."""
