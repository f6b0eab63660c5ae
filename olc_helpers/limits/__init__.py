"""The limits of learning (lecture 17): VC dimension, optimal mistakes, what no learner can do."""
