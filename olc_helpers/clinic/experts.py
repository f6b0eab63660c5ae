"""Errata of the notes on experts (lectures 01 to 03)."""
