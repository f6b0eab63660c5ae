"""The Perceptron (lectures 04 and 05): the algorithm, margins, and Novikoff's mistake bound."""
