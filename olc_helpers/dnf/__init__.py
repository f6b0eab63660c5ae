"""DNF (lecture 10): all monomials at once, by the ANOVA kernel or by Winnow."""
