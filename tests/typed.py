"""What a user writes: `nox -s types` finds nothing wrong in it, as strict as mypy can be."""

import numpy as np

from olc_helpers import (
    AveragedPerceptron,
    FixedShare,
    Halving,
    Hedge,
    OnlineGradientDescent,
    Perceptron,
    RandomizedWeightedMajority,
    Run,
    VotedPerceptron,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    play,
    play_chunks,
    play_many,
    proofs,
    streams,
)

X, y = streams.noisy_experts(T=50, error=[0.1, 0.3, 0.4, 0.5], rng=0)
run: Run = play(WeightedMajority(4, beta=0.5), X, y)
ledger = proofs.wm_bound(run)
print(ledger.holds, ledger.value, ledger.bound, ledger.first_violation)
losses = streams.coin_losses(T=50, means=[0.5, 0.4], rng=0)
print(proofs.hedge_bound(play(Hedge(2, eta=0.1), losses)).holds, run.regret, run.mistakes)
for learner in (Halving(4), RandomizedWeightedMajority(4), WeightedAverage(4, eta=1.0), Winnow(4)):
    print(play(learner, X, y).total_loss)
rows = np.eye(3)
for liner in (Perceptron(3), AveragedPerceptron(3), VotedPerceptron(3), OnlineGradientDescent(3)):
    print(play(liner, rows, np.ones(3, int)).weights)
print(play_chunks(Perceptron(3), [(rows, np.ones(3, int))]).mistakes)
print(play(FixedShare(4, eta=1.0, alpha=0.1), X, y).total_loss)
print(play_many(lambda i: Perceptron(3), [(rows, np.ones(3, int))] * 2))
