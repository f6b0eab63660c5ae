"""Relatives of the Perceptron (lecture 10): voted, averaged and structured."""
