"""Learning from experts (lectures 01 to 04): Halving, Weighted Majority and Average, Hedge."""
