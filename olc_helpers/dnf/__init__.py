"""DNF (lecture 14): all monomials at once, by the ANOVA kernel or by Winnow."""
