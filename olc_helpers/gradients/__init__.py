"""Losses, gradients and step sizes (lectures 08 and 09): gradient descent and its regret."""
