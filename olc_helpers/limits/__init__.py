"""The limits of learning (lecture 13): VC dimension, optimal mistakes, what no learner can do."""
