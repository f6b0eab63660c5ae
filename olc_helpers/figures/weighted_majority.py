"""The figures of lecture 02."""
