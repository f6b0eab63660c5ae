"""One algorithm (lecture 18): mirror descent, of which the learners of the course are cases."""
