"""The figures of lectures 04 and 05, one module per lecture."""
