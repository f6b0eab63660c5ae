"""Why sparsity is hard (lecture 13): from satisfiability to covers to the smallest disjunction."""
