"""Losses and gradients (lecture 06): on-line gradient descent on the hinge loss, and its regret."""
