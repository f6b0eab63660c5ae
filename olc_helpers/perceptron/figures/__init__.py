"""The figures of lectures 06 and 07, one module per lecture."""
