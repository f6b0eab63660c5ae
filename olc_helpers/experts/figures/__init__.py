"""The figures of lectures 01 to 03, one module per lecture."""
