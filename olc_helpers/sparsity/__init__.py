"""Why sparsity is hard (lecture 09): from satisfiability to covers to the smallest disjunction."""
