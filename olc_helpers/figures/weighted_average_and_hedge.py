"""The figures of lecture 03."""
