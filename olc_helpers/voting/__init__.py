"""Relatives of the Perceptron (lecture 07): voted, averaged and structured."""
