"""One algorithm (lecture 19): mirror descent, of which the learners of the course are cases."""
