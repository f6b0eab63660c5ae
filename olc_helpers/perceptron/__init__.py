"""The Perceptron (lectures 06 and 07): the algorithm, margins, and Novikoff's mistake bound."""
