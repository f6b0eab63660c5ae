"""The figures of lectures 01 to 04, one module per lecture."""
