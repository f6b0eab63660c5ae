"""Hedge at work (lecture 05): no rate to choose, two players, and boosting."""
