"""Learning from experts (lectures 01 to 03): Halving, Weighted Majority and Average, Hedge."""
