"""Abuses, and what is said of them: no one ends in a traceback of ours without a sentence that
says what was wrong, where, and what was expected.

Below each call stands how its message begins, and below that, where there is one, the note that
says where it happened.
"""

import pickle
import traceback
from pathlib import Path

import numpy as np
import pytest

import olc_helpers
from olc_helpers import Halving, Hedge, Perceptron, checks, ledger, play, play_many, theorem

TOLD = r"""
play(Halving(3), np.ma.array(X, mask=X == 1), Y)
    every entry of X must be there; X[0, 0] is masked: leave such rows out, or say what they
play(Halving(3), X, np.ma.array(Y, mask=Y == 1))
    every entry of y must be there; y[0] is masked: leave such rows out, or say what they hold
play(L(np.nan), X, Y)
    predict must return a finite number; on trial 1 it returned nan
play(L(np.inf, loss="square"), X, Y)
    predict must return a finite number; on trial 1 it returned inf
play(L(2, loss="entropic", labels="unit"), X, Y)
    predict must return a number in [0, 1]; on trial 1 it returned 2
play(spread(np.array([1.5, -0.5, 0])), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(np.array([0.5, 0.5, 0.5])), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(-1), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(3), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(0.5), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(True), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(first_an_index), X)
    the rows of predictions must be equally long; predictions[1] has length 3, predictions[0] 0
play(L(1j), X, Y)
    predict must return a finite number; on trial 1 it returned 1j
play(L("1"), X, Y)
    predict must return a finite number; on trial 1 it returned '1'
play(L(None), X, Y)
    predict must return a finite number; on trial 1 it returned None
play(L(np.ones(3)), X, Y)
    predict must return a finite number; on trial 1 it returned array([1., 1., 1.])
play(L(lambda x: 1 / 0), X, Y)
    division by zero
    this was on trial 1 of 4, played by L
play(Halving(3), [[1, 0, 1], [1, 0], [1, 1, 1]], [1, 0, 1])
    the rows of X must be equally long; X[1] has length 2, X[0] 3
play(Halving(3), X, [1, [0], 1, 1])
    the rows of y must be equally long; y[1] has length 1, y[0] 0
play(Halving, X, Y)
    play needs a learner, such as Halving(…); got the class Halving itself
play(Halving(3), (x for x in X), Y)
    play remembers the whole stream, so X must be an array; it is an iterator.
play(Halving(3), X, (y for y in Y))
    y must be an array; it is an iterator: pass list(y)
play(Halving(3), 5, Y)
    X must have 2 dimensions; its shape is ()
play(Halving(3), None, Y)
    X must have 2 dimensions; its shape is ()
play(Hedge(3, 1), None)
    L must have 2 dimensions; its shape is ()
play(Halving(3), "abc", Y)
    X must have 2 dimensions; its shape is ()
play(Halving(3), {1: 2}, Y)
    X must have 2 dimensions; its shape is ()
play(Halving(3), X, {0, 1})
    y must have 1 dimension; its shape is ()
play(L(loss="sqare"), X, Y)
    L.loss must be one of mistake, square, entropic, allocation, hinge; it is 'sqare'
play(L(inputs="bit"), X, Y)
    L.inputs must be one of bits, signs, unit, losses, real, anything; it is 'bit'
play(L(labels="sign"), X, Y)
    L.labels must be one of bits, signs, unit, losses, real, anything; it is 'sign'
play(L(loss=3), X, Y)
    L.loss must be one of mistake, square, entropic, allocation, hinge; it is 3
play(L(n="3"), X, Y)
    L.n must be a whole number >= 1; got '3'
play(L(n=2.5), X, Y)
    L.n must be a whole number >= 1; got 2.5
play(L(w=1.0), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play(L(w=np.ones((3, 3))), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play(L(w="abc"), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play(L(w=[1, [2]]), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play(L(w={0: 1}), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play(Halving(3), X, Y, epochs=0)
    epochs must be a whole number >= 1; got 0
play(Halving(3), X, Y, epochs=1.5)
    epochs must be a whole number >= 1; got 1.5
play(Halving(3), X, Y, keep="some")
    keep must be 'all', 'mistakes' or 'last'; got 'some'
play(Halving(3), X, Y, keep=["all"])
    keep must be 'all', 'mistakes' or 'last'; got ['all']
play(Hedge(3, 1), X, until_consistent=True, epochs=2)
    Hedge pays a allocation loss: read run.losses, mistakes are counted for learners that
play(Halving(3), Y, X)
    X must have 2 dimensions; its shape is (4,)
play(type("P", (), {"predict": 3, "update": 4})(), X, Y)
    a learner has the methods predict(x) and update(x, y); P has no predict and no update
play(type("P", (), {"predict": lambda s: 0, "update": lambda s, x, y: 0})(), X, Y)
    <lambda>() takes 1 positional argument but 2 were given
    this was on trial 1 of 4, played by P
play(type("P", (), {"predict": lambda s, x: 0, "update": lambda s, x: 0})(), X, Y)
    <lambda>() takes 2 positional arguments but 3 were given
    this was on trial 1 of 4, played by P
play(Halving(3), X, lambda x, p: None)
    nature must answer 0 or 1; on trial 1 it answered None
play(Halving(3), X, lambda x: 0)
    <lambda>() takes 1 positional argument but 2 were given
    this was on trial 1 of 4, played by Halving
play(Halving(3), X, lambda x, p: 1 / 0)
    division by zero
    this was on trial 1 of 4, played by Halving
play(L(), X.astype("M8[s]"), Y)
    X must hold numbers; its dtype is datetime64[s]
play(StructuredPerceptron(TASK), 5, ["a"])
    X must be a list with one entry for each trial; got 5
play(StructuredPerceptron(TASK), None, ["a"])
    X must be a list with one entry for each trial; got None
play_many(Halving, [(X, Y)])
    n must be a whole number >= 1; got 0
    this was make_learner(0)
play_many(Halving(3), [(X, Y)])
    make_learner must be a function; got
play_many(lambda i: Halving(3), [(X, Y), (X, Y[:2])])
    X and y must have one row per trial each; X has 4 rows, y has 2
    this was run 1; those before are in error.finished
play_many(lambda i: None, [(X, Y)])
    a learner has the methods predict(x) and update(x, y); NoneType has no predict and no
    this was run 0; those before are in error.finished
play_many(lambda i: Halving(3), 5)
    streams must be a list or a generator of pairs (X, y); got 5
play_many(lambda i: Halving(3), (X, Y))
    y is missing: Halving learns from labels, call play(learner, X, y)
    this was run 0; those before are in error.finished
play_many(lambda i: Halving(3), [(X, Y)], foo=1)
    play() got an unexpected keyword argument 'foo'
    this was run 0; those before are in error.finished
play_many(lambda i: Halving(3), [(X, Y)], read="mistakes")
    read must be a function; got 'mistakes'
play_many(lambda: Halving(3), [(X, Y)])
    <lambda>() takes 0 positional arguments but 1 was given
    this was make_learner(0)
play_many(lambda i: Halving(3), [(X, Y, 1, 2)])
    a stream is a pair (X, y), or in the allocation game an array; got 4 things
    this was run 0; those before are in error.finished
play_many(lambda i: Halving(3), [()])
    a stream is a pair (X, y), or in the allocation game an array; got 0 things
    this was run 0; those before are in error.finished
play_chunks(Halving(3), 5)
    chunks must be a list or a generator of pairs (X, y); got 5
play_chunks(Halving(3), (X, Y))
    y is missing: Halving learns from labels, call play(learner, X, y)
    this was in chunk 1
play_chunks(Halving(3), [[X, Y]])
    y is missing: Halving learns from labels, call play(learner, X, y)
    this was in chunk 1
play_chunks(Halving(3), [(X, Y, 3)])
    a stream is a pair (X, y), or in the allocation game an array; got 3 things
    this was in chunk 1
play_chunks(Perceptron(3), [(X, S), (X[:, :2], S)])
    X must have n = 3 columns, one per expert or feature; it has 2
    this was in chunk 2
play_chunks(Perceptron, [(X, S)])
    play needs a learner, such as Perceptron(…); got the class Perceptron itself
    this was in chunk 1
play(KernelPerceptron(lambda A, x: 1.0), X, S)
    kernel must return one number for each of the 1 rows; it returned shape () of float64
play(KernelPerceptron(lambda A, x: None), X, S)
    kernel must return one number for each of the 1 rows; it returned shape () of object
play(KernelPerceptron(lambda A, x: ["a"] * len(A)), X, S)
    kernel must return one number for each of the 1 rows; it returned shape (1,) of <U1
play(KernelPerceptron(lambda A, x: 1j * np.ones(len(A))), X, S)
    kernel must return one number for each of the 1 rows; it returned shape (1,) of complex128
play(WeightedAverage(3), X, Y).mistakes
    WeightedAverage pays a square loss: read run.losses, mistakes are counted for learners that
play(Perceptron(3), X * 2.5, S).regret
    the rows of X are not expert advice in [0, 1], so no expert has a loss
play(WeightedMajority(3), X, Y, keep="last").expected_losses
    the expected losses need the weights of every trial: play with keep='all'
play(L(lambda x: np.ones(1)), X, Y)
    predict must return a finite number; on trial 1 it returned array([1.])
play(L(10 ** 400), X, Y)
    predict must return a finite number; on trial 1 it returned 1000000000000000000000000000000
play(L([0.5]), X, Y)
    predict must return a finite number; on trial 1 it returned [0.5]
play(L({}), X, Y)
    predict must return a finite number; on trial 1 it returned {}
play(L(-0.5, loss="entropic", labels="unit"), X, Y)
    predict must return a number in [0, 1]; on trial 1 it returned -0.5
play(spread(np.array([np.nan, 1, 0])), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread([0.5, 0.5, "0"]), X[:, :2])
    predict must return 2 numbers >= 0 that sum to 1, or the index of an expert, 0 to 1; on
play(spread(np.ones(2) / 2), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(spread(np.array([["a", "b", "c"]])), X)
    predict must return 3 numbers >= 0 that sum to 1, or the index of an expert, 0 to 2; on
play(Perceptron(3), X * 1e+200, S)
    every entry of X must be a finite number, at most 2.04e+153 in size; X[0, 0] is 1e+200
play(Perceptron(3), X * np.nan, S)
    every entry of X must be a finite number; X[0, 0] is nan
play(Perceptron(3), X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
play(Perceptron(3), np.ma.array(np.ones((99, 3)), mask=True), np.ones(99))
    every entry of X must be there; X[0, 0] is masked: leave such rows out, or say what they
play(Perceptron(3), [[1, 2, 3], "ab"], [1, 1])
    the rows of X must be equally long; X[1] has length 2, X[0] 3
play(Perceptron(3), [[1, 2, 3], None], [1, 1])
    the rows of X must be equally long; X[1] has length 0, X[0] 3
play(Perceptron(2), np.zeros((99, 3)), np.ones(99))
    X must have n = 2 columns, one per expert or feature; it has 3
play(Winnow(3), X, S)
    every entry of y must be 0 or 1; y[1] is -1 (these look like -1/+1 labels: pass (y + 1) //
play(Winnow(3), X * 0.5, Y)
    every entry of X must be 0 or 1; X[0, 0] is 0.5
play(WeightedAverage(3), X, 2 * Y)
    every entry of y must be a number in [0, 1]; y[0] is 2
play(Hedge(3, eta=1), -X)
    every entry of L must be a finite number >= 0; L[0, 0] is -1
play(Hedge(3, eta=1), X, Y)
    Hedge learns from losses alone: call play(learner, L) without y
play(Hedge(3, eta=1), X, keep="mistakes")
    keep='mistakes' is for learners that predict a label; Hedge pays a allocation loss
play(Hedge(3, eta=1), [[1, 2, 3], [1, 2]])
    the rows of L must be equally long; L[1] has length 2, L[0] 3
play(AdaHedge(3), X[:, :2])
    L must have n = 3 columns, one per expert or feature; it has 2
play(AdaHedge(3), X * np.inf)
    every entry of L must be a finite number >= 0; L[0, 0] is inf
play(FixedShare(3, alpha=0.1), X, Y, keep="mistakes")
    keep='mistakes' is for learners that predict a label; FixedShare pays a square loss
play(VariableShare(3, alpha=0.1), X, Y * 3)
    every entry of y must be a number in [0, 1]; y[0] is 3
play(Memory(), X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
play(MonomialWinnow(3), X * 2, Y)
    every entry of X must be 0 or 1; X[0, 0] is 2
play(SparseMonomialWinnow(3), X, S)
    every entry of y must be 0 or 1; y[1] is -1 (these look like -1/+1 labels: pass (y + 1) //
play(KernelPerceptron(anova_kernel), X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
play(NormPerceptron(3), X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
play(ExponentiatedGradient(3), X * 3, Y)
    every entry of X must be a number in [0, 1]; X[0, 0] is 3
play(None, X, Y)
    a learner has the methods predict(x) and update(x, y); NoneType has no predict and no
play("Perceptron", X, Y)
    a learner has the methods predict(x) and update(x, y); str has no predict and no update
play(L(n=2), X, Y)
    X must have n = 2 columns, one per expert or feature; it has 3
play(L(n=0), X, Y)
    L.n must be a whole number >= 1; got 0
play(L(n=True), X, Y)
    L.n must be a whole number >= 1; got True
play(L(inputs="bits"), 2 * X, Y)
    every entry of X must be 0 or 1; X[0, 0] is 2
play(L(labels="unit"), X, 2 * Y)
    every entry of y must be a number in [0, 1]; y[0] is 2
play(L(log_w="abc"), X, Y)
    a learner's log_w must be a vector of numbers that keeps its length, or None before the
play(L(w=[np.ones(3), np.ones(2)]), X, Y)
    a learner's w must be a vector of numbers that keeps its length, or None before the first
play_many(lambda i: Perceptron(3), [(X, S), (X, Y)])
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
    this was run 1; those before are in error.finished
play_many(lambda i: Perceptron(3), [lambda: 1 / 0])
    division by zero
    this was run 0; those before are in error.finished
play_many(lambda i: Perceptron(3), [(X, S)], read=lambda run: 1 / 0)
    division by zero
    this was run 0; those before are in error.finished
play_many(lambda i: Perceptron(i), [(X, S)])
    n must be a whole number >= 1; got 0
    this was make_learner(0)
play_many(lambda i: Perceptron(3), None)
    streams must be a list or a generator of pairs (X, y); got None
play_chunks(Perceptron(3), [])
    there was no chunk: a stream needs at least one trial
play_chunks(Perceptron(3), [(X, S), (X * np.nan, S)])
    every entry of X must be a finite number; X[0, 0] is nan
    this was in chunk 2
play_chunks(None, [(X, S)])
    a learner has the methods predict(x) and update(x, y); NoneType has no predict and no
    this was in chunk 1
play_chunks(Perceptron(3), None)
    chunks must be a list or a generator of pairs (X, y); got None
play(Hedge(2, eta=1), nature=lambda v: [1, 2, 3], trials=5)
    the losses of trial 1 must have n = 2 columns, one per expert or feature; it has 3
play(Hedge(2, eta=1), nature=lambda v: [1, -2], trials=5)
    every entry of the losses of trial 1 must be a finite number >= 0; the losses of trial 1[0, 1]
play(Hedge(2, eta=1), nature=lambda v: None, trials=5)
    the losses of trial 1 must have 2 dimensions; its shape is (1,)
play(Hedge(2, eta=1), nature=lambda v: v)
    trials must be a whole number >= 1; got None
play(Hedge(2, eta=1), nature=3, trials=5)
    nature must be a function, of the row and the prediction in play(learner, X, nature=f)
play(Hedge(2, eta=1), nature=lambda v: 1 / 0, trials=5)
    division by zero
    this was on trial 1 of 5, played by Hedge
play(Perceptron(3), X, nature=lambda x, p: 1, trials=5)
    nature must be a function, of the row and the prediction in play(learner, X, nature=f)
play(Hedge(3, eta=1), X, trials=5)
    nature must be a function, of the row and the prediction in play(learner, X, nature=f)
play(Perceptron(3), nature=lambda x, p: 1)
    nature must be a function, of the row and the prediction in play(learner, X, nature=f)
play(spread(0), nature=lambda v: v, trials=2)
    L.n must be a whole number >= 1; got None
play(L(records="eta"), X, Y)
    L.records must be names of attributes that it has, such as ('eta',); it is 'eta'
claim("a\\le b", np.arange(4), 5, on=[0, 3])
    on must be a mask, one True or False for each of the 4 entries of a\le b; got [0, 3]
claim("a\\le b", np.arange(4), 5, on=[True, False])
    on must be a mask, one True or False for each of the 4 entries of a\le b; got [True, False]
claim("a\\le b", np.arange(4), 5, on=True)
    on must be a mask, one True or False for each of the 4 entries of a\le b; got True
claim("a\\le b", 3, 5, on=[True, False])
    on must be a mask, one True or False for each of the 1 entries of a\le b; got [True, False]
claim("a\\le b", np.arange(4), np.arange(3))
    a side must be a number or have one entry per trial; in a\le b the shapes are (4,) and (3,)
claim("a\\le b", "x", 3)
    the left side of a\le b must be a number or a number for each trial; got 'x'
claim("a\\le b", None, 3)
    the left side of a\le b must be a number or a number for each trial; got None
claim("a\\le b", 1j, 3).holds
    the left side of a\le b must be a number or a number for each trial; got 1j
claim(3, 1, 3)
    the formula of a claim, its reason and `of` are texts; got 3
claim("a\\le b", [1, [2]], 3)
    the rows of the left side of a\le b must be equally long; the left side of a\le b[1] has
claim("a\\le b", 1, 2, of=3)
    the formula of a claim, its reason and `of` are texts; got 3
claim("a\\le b", 1, 2, unit="x").holds
    unit must be a finite number >= 0; got x
claim("a\\le b", 1, 2, relation="~")
    relation must be one of <=, >=, ==, <, >; in a\le b it is ~
thm(lambda run: None, "s")(run)
    <lambda> has no line: write `yield claim(…)` for each line of the proof
thm(lambda run: claim("a\\le b", 1, 2), "s")(run)
    <lambda> has no line: write `yield claim(…)` for each line of the proof
thm(lambda run: (x for x in [3]), "s")(run)
    <lambda> must yield claims; line 1 is 3
thm(lambda run: iter([]), "s")(run)
    <lambda> has no line: write `yield claim(…)` for each line of the proof
proofs.wm_bound(WeightedMajority(3))
    wm_bound reads a Run, which play(learner, X, y) returns; run is a WeightedMajority
proofs.wm_bound(X)
    wm_bound reads a Run, which play(learner, X, y) returns; run is a ndarray
proofs.wm_bound()
    wm_bound(run: olc_helpers.protocol.Run, beta: float | None = None) ->
proofs.wm_bound(None)
    wm_bound reads a Run, which play(learner, X, y) returns; run is a NoneType
proofs.wm_bound([run])
    wm_bound reads a Run, which play(learner, X, y) returns; run is a list
proofs.novikoff(run)
    novikoff does not apply: every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1
theorem(gen)
    write @theorem("…") with the statement in LaTeX; got <function gen
theorem(gen)(run)
    write @theorem("…") with the statement in LaTeX; got <function gen
theorem("s")(3)
    a theorem is a generator that yields claims; got 3
theorem("s", items=["A"])(gen)
    write @theorem("…") with the statement in LaTeX; got 's'
proofs.wm_bound(play_chunks(WeightedMajority(3), [(X, Y)]))
    wm_bound reads a Run, which play(learner, X, y) returns; run is a Totals
proofs.wm_bound(run).plot(9)
    line must be one of 1 to 7; got 9
proofs.wm_bound(run, nonsense=3)
    wm_bound(run: olc_helpers.protocol.Run, beta: float | None = None) ->
proofs.nonsense
    there is no theorem 'nonsense'
theorem("a \\\\le b")(None)
    a theorem is a generator that yields claims; got None
theorem("s", lecture=5)
    write @theorem("…") with the statement in LaTeX; got 's'
claim("a \\le b \\ge c", 1, 2)
    the signs of a \le b \ge c point both ways; claim them one by one
claim("a", 1, 2, relation="is")
    relation must be one of <=, >=, ==, <, >; in a it is is
claim("a = b", 1, 2, relation="<=")
    the formula a = b says ==, but relation='<=': leave it out
claim("a", np.ma.array([1.0], mask=[1]), 2)
    every entry of the left side of a must be there; the left side of a[0] is masked: leave
claim("a", (x for x in X), 2)
    the left side of a must be an array; it is an iterator: pass list(the left side of a)
claim("a", 1, 2, why=5)
    the formula of a claim, its reason and `of` are texts; got 5
claim("a", 1, 2, unit=np.nan)
    unit must be a finite number >= 0; got nan
claim("a", [1, 2], 3, on=[1, 0])
    on must be a mask, one True or False for each of the 2 entries of a; got [1, 0]
claim("a", [1, 2], 3, on="ab")
    on must be a mask, one True or False for each of the 2 entries of a; got 'ab'
claim("a", {1: 2}, 3)
    the left side of a must be a number or a number for each trial; got {1: 2}
claim("a", "abc", 3)
    the left side of a must be a number or a number for each trial; got 'abc'
proofs.novikoff(play(Perceptron(3), X, S, keep="last"))
    novikoff needs the weights of every trial: play with keep='all'
proofs.novikoff(run=play(Perceptron(3), X, S, keep="last"))
    novikoff needs the weights of every trial: play with keep='all'
proofs.novikoff(play(Perceptron(3), X, S), [1, 2])
    novikoff does not apply: v must be a vector of 3 numbers, not all 0; got [1.0, 2.0]
proofs.hedge_bound(run)
    hedge_bound does not apply: the loss must be allocation; it is mistake
proofs.wm_bound(run, beta="x")
    wm_bound reads a number; beta is a str
proofs.wm_bound(run, beta=None, gamma=1)
    wm_bound(run: olc_helpers.protocol.Run, beta: float | None = None) ->
proofs.wm_bound(play(L(), X, Y))
    wm_bound does not apply: the learner must keep its weights, all >= 0, in an attribute w
proofs.wm_bound(run).plot(0)
    line must be one of 1 to 7; got 0
proofs.wm_bound(run).plot("x")
    line must be one of 1 to 7; got 'x'
StructuredPerceptron(5)
    task must be one of olc_helpers.structures, or have their methods; 5 has no best
as_learner(None)
    NoneType can't be played: it has neither partial_fit (scikit-learn) nor learn_one and
as_learner(Perceptron)
    as_learner needs a model, Perceptron(…); got the class
as_learner("Perceptron")
    str can't be played: it has neither partial_fit (scikit-learn) nor learn_one and
as_learner(Perceptron(3), labels="x")
    labels must be 'signs' (-1/+1) or 'bits' (0/1); got 'x'
KernelPerceptron(3)
    kernel must be a function of a matrix and a row, such as anova_kernel; got 3
AveragedPerceptron(3).classify([[1, 2]])
    X must have n = 3 columns; its shape is (1, 2)
AveragedPerceptron(3).classify([["a", "b", "c"]])
    X must hold numbers; its dtype is <U1
VotedPerceptron(3).classify([[1, 2]])
    X must have n = 3 columns; its shape is (1, 2)
VotedPerceptron(3).classify([[1, 2], [1]])
    the rows of X must be equally long; X[1] has length 1, X[0] 2
VotedPerceptron(3).classify(None)
    X must hold numbers; its dtype is object
RandomizedWeightedMajority(3, rng="a")
    rng must be a seed, whole numbers >= 0, or a numpy Generator; got 'a'
Hedge(3, 1, rng=1.5)
    rng must be a seed, whole numbers >= 0, or a numpy Generator; got 1.5
Hedge(3, 1, rng=-1)
    rng must be a seed, whole numbers >= 0, or a numpy Generator; got -1
Winnow(3, factor=1)
    factor must be a finite number > 1; got 1
Winnow(3, factor=None)
    factor must be a finite number > 1; got None
Hedge(3, None)
    eta must be a finite number > 0; got None
Hedge(3, np.array([1.0]))
    eta must be a finite number > 0; got [1.]
Hedge(3, 1e309)
    eta must be a finite number > 0; got inf
WeightedAverage(2, prior="ab")
    prior must hold numbers; its dtype is <U2
WeightedAverage(2, prior=[1, [2]])
    the rows of prior must be equally long; prior[1] has length 1, prior[0] 0
WeightedAverage(2, loss=[])
    loss and prediction must be square and mean, square and vovk, or entropic and mean (there
FixedShare(3, alpha=2)
    alpha must be in [0, 1]; got 2
FixedShare(3, alpha="x")
    alpha must be in [0, 1]; got x
FixedShare(1, alpha=0.1)
    n must be at least 2: an expert gives weight to the n - 1 others; got 1
NormPerceptron(3, q=None)
    q must be a finite number >= 2; got None
NormPerceptron(3, q=1)
    q must be a finite number >= 2; got 1
NormPerceptron(3, q="2")
    q must be a finite number >= 2; got 2
AnovaKernel(degree=0)
    degree must be a whole number >= 1; got 0
AnovaKernel(degree="x")
    degree must be a whole number >= 1; got 'x'
anova_kernel([1, 0], [1, 0, 1])
    X and Y must have equally many columns; their shapes are (2,) and (3,)
anova_kernel(None, None)
    X must hold numbers; its dtype is object
anova_kernel([[1], [1, 2]], [1])
    the rows of X must be equally long; X[1] has length 2, X[0] 1
monomials([["a"]])
    X must hold numbers; its dtype is <U1
monomials(None)
    X must hold numbers; its dtype is object
monomials(np.ones((2, 60)))
    X has 60 columns, so each row has 2^60 monomials: too many to write down (a kernel needs
margin(X, S[:2], np.ones(3))
    X must have one row per label in y; their shapes are (4, 3) and (2,)
margin(X, S, 5)
    v must be a vector of 3 numbers, not all 0; got 5
margin("a", S, 5)
    X must hold numbers; its dtype is <U1
max_margin(X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
max_margin(X, S[:2])
    X must have one row per label in y; their shapes are (4, 3) and (2,)
max_margin(None, S)
    X must hold numbers; its dtype is object
best_shift_sequence(X, 9)
    k must be a whole number from 0 to T - 1 = 3: T trials have no more shifts; got 9
best_shift_sequence(5, 1)
    losses must have one row per trial and one column per expert; its shape is ()
best_shift_sequence(X, "a")
    k must be a whole number from 0 to T - 1 = 3: T trials have no more shifts; got a
leave_one_out(3, X, S)
    leave_one_out needs a function rule(X, y) and one label a row; got 3, (4, 3) and (4,)
leave_one_out(lambda: Perceptron(3), X, S[:2])
    leave_one_out needs a function rule(X, y) and one label a row; got <function <lambda>
vc_dimension(5)
    every entry of C must be 0 or 1; C is 5
vc_dimension([[1, 0], [1]])
    the rows of C must be equally long; C[1] has length 1, C[0] 2
vc_dimension([])
    C must be a table with a row for each concept, at least one, and a column for each point;
littlestone_dimension("ab")
    C must hold numbers; its dtype is <U2
littlestone_dimension([[2, 3]])
    every entry of C must be 0 or 1; C[0, 0] is 2
with_negations("a")
    X must hold numbers; its dtype is <U1
with_negations(5)
    every entry of X must be 0 or 1; X is 5
with_negations([[2, 3]])
    every entry of X must be 0 or 1; X[0, 0] is 2
explore("wm_run")
    explore draws a function, such as figures.wm_run, and `start` is a dict of its arguments; got
explore(None)
    explore draws a function, such as figures.wm_run, and `start` is a dict of its arguments; got
explore(figures.wm_run, nonsense=3)
    wm_run has no argument 'nonsense'; it has n, beta, T, noise, seed, adversary
olc_helpers.Perceptrn
    olc_helpers has no 'Perceptrn'; it has play, Learner, Run, Halving, WeightedMajority,
as_learner(Perceptron(3), loss="x")
    loss must be 'mistake', 'square' or 'entropic'; got 'x'
as_learner(object())
    object can't be played: it has neither partial_fit (scikit-learn) nor learn_one and
Halving("3")
    n must be a whole number >= 1; got '3'
Perceptron(None)
    n must be a whole number >= 1; got None
Perceptron(0)
    n must be a whole number >= 1; got 0
Perceptron(np.inf)
    n must be a whole number >= 1; got inf
WeightedMajority(3, beta=1)
    beta must be in [0, 1); got 1
WeightedMajority(3, beta="1")
    beta must be in [0, 1); got 1
RandomizedWeightedMajority(3, rng=[1, "a"])
    rng must be a seed, whole numbers >= 0, or a numpy Generator; got [1, 'a']
Hedge(3, eta=-1)
    eta must be a finite number > 0; got -1
Hedge(3, eta="x")
    eta must be a finite number > 0; got x
WeightedAverage(2, prior=[1, 1])
    prior must be 2 probabilities that sum to 1; its shape is (2,), its sum 2
WeightedAverage(2, prior=np.ma.array([0.5, 0.5], mask=[0, 1]))
    every entry of prior must be there; prior[1] is masked: leave such rows out, or say what
WeightedAverage(2, eta=0)
    eta must be a finite number > 0; got 0
WeightedAverage(2, loss="x")
    loss and prediction must be square and mean, square and vovk, or entropic and mean (there
VariableShare(3, alpha=-1)
    alpha must be in [0, 1]; got -1
OnlineGradientDescent(3, eta=0)
    eta must be a finite number > 0; got 0
ExponentiatedGradient(3, eta=np.nan)
    eta must be a finite number > 0; got nan
MonomialWinnow(99)
    n must be at most 26: 2^99 weights do not fit into memory (SparseMonomialWinnow keeps none)
KernelPerceptron(None)
    kernel must be a function of a matrix and a row, such as anova_kernel; got None
StructuredPerceptron(None)
    task must be one of olc_helpers.structures, or have their methods; None has no best
anova_kernel([[1, 0]], [[1]])
    X and Y must have equally many columns; their shapes are (1, 2) and (1, 1)
anova_kernel(["a"], [1])
    X must hold numbers; its dtype is <U1
streams.planted_margin(10, 5, 0.1)
    v must be a vector of at least 2 numbers, not all 0; got 5.0
streams.planted_margin(10, [0, 0], 0.1)
    v must be a vector of at least 2 numbers, not all 0; got [0.0, 0.0]
streams.planted_margin(10, [1], 0.1)
    v must be a vector of at least 2 numbers, not all 0; got [1.0]
streams.planted_margin("10", [1, 1], 0.1)
    T must be a whole number >= 1; got '10'
streams.planted_margin(10, [1, 1], 2)
    gamma must be in [0, 1]; got 2
streams.planted_margin(10, [[1, 1], [1]], 0.1)
    the rows of v must be equally long; v[1] has length 1, v[0] 2
streams.planted_margin(10, ["a", "b"], 0.1)
    v must hold numbers; its dtype is <U1
streams.packet_gaps(T=-1)
    T must be a whole number >= 1; got -1
streams.packet_gaps(n="a")
    n must be a whole number >= 1; got 'a'
streams.packet_gaps(noise=-1)
    noise must be a number >= 0; got -1
streams.shifting_experts(T=2.5)
    T must be a whole number >= 1; got 2.5
streams.hadamard(5)
    n must be a power of 2, so that the rows can be built by doubling; got 5
streams.odd_max_bit(-1)
    n must be a whole number >= 1; got -1
streams.disjunction(9, 3, 5)
    k must be at most n = 3: 5 different ones are needed; got 5
adversaries.sharp_share(k="a")
    k must be a whole number from 0 to T - 1 = 29: T trials have no more shifts; got a
adversaries.sharp_perceptron(gamma=2)
    gamma must be in (0, 1]; got 2
adversaries.class_sizes(5)
    every entry of C must be 0 or 1; C is 5
adversaries.see_saw("a")
    gamma must be in (0, 1]; got a
margin(X, S, [0, 0, 0])
    v must be a vector of 3 numbers, not all 0; got [0, 0, 0]
margin(X, S, [1, 2])
    v must be a vector of 3 numbers, not all 0; got [1, 2]
best_shift_sequence(X, [1])
    k must be a whole number from 0 to T - 1 = 3: T trials have no more shifts; got [1]
vc_dimension([[0.5]])
    every entry of C must be 0 or 1; C[0, 0] is 0.5
littlestone_dimension(None)
    C must hold numbers; its dtype is object
with_negations([[1, 0], [1]])
    the rows of X must be equally long; X[1] has length 1, X[0] 2
monomials([[np.nan]])
    every entry of X must be a finite number; X[0, 0] is nan
adversaries.duel(Hedge(2, 1), Hedge(2, 1), [[1, 2], [3]], 5)
    the rows of C must be equally long; C[1] has length 1, C[0] 2
boosting.boost(X, S[:2], 3)
    X must have one row per label in y; their shapes are (4, 3) and (2,)
boosting.Stumps(X, S).best([1, 2])
    v must be a vector of 4 finite numbers; its shape is (2,)
proofs.minimax_by_regret(hrun, hrun, 5)
    minimax_by_regret does not apply: every entry of C must be a number in [0, 1]; C is 5
proofs.mirror_identity(5, [1, 2, 3])
    mirror_identity reads a Run, which play(learner, X, y) returns; run is a int
proofs.mirror_bound(prun, "abc")
    mirror_bound does not apply: u must hold numbers; its dtype is <U3
proofs.occam_bound([[0, 1], [1, 0]], 5, 3, 0.1)
    occam_bound does not apply: target must be whole numbers from 0 to 1; got [5]
proofs.occam_bound([[0, 1], [1, 0]], 0, 3, 0.1, p=[1, 1])
    occam_bound does not apply: p must be 2 probabilities that sum to 1; its shape is (2,),
proofs.occam_bound([[0, 1], [1, 0]], 0.5, 3, 0.1)
    occam_bound does not apply: target must be whole numbers from 0 to 1; got [0.5]
proofs.occam_bound([[0, 1], [1, 0]], -1, 3, 0.1)
    occam_bound does not apply: target must be whole numbers from 0 to 1; got [-1]
proofs.double_sample_bound([[0, 1], [1, 0]], 9, 3, 0.1)
    double_sample_bound does not apply: target must be whole numbers from 0 to 1; got [9]
proofs.high_probability(Halving(2), 5, 3, 0.1)
    high_probability reads a Distribution, which batch.distribution(X, y) returns; D is a int
proofs.greedy_learns(X, Y, [7], .1)
    greedy_learns does not apply: relevant must be whole numbers from 0 to 2; got [7]
proofs.greedy_learns(X, Y, 3, .1)
    greedy_learns does not apply: relevant must be whole numbers from 0 to 2; got [3]
proofs.noisy_class_bound([[0, 1], [1, 0]], [0, 5], [1, 0])
    noisy_class_bound does not apply: columns must be whole numbers from 0 to 1; got [0, 5]
proofs.noisy_class_bound([[0, 1], [1, 0]], ["a"], [1])
    noisy_class_bound does not apply: columns must be whole numbers from 0 to 1; got ['a']
samples.sauer(-1, 2)
    m must be a whole number >= 0; got -1
samples.sauer("a", 2)
    m must be a whole number >= 0; got 'a'
samples.growth([[0, 1]], 5)
    m must be at most n = 2: 5 different ones are needed; got 5
samples.left_by_samples([[0, 1]], 3, 2)
    target must be whole numbers from 0 to 0; got [3]
samples.left_by_samples([[0, 1]], 0, -2)
    m must be a whole number >= 0; got -2
samples.left_by_samples([[0, 1]], 0, 2, p=[.5, .6])
    p must be 2 probabilities that sum to 1; its shape is (2,), its sum 1.1
samples.smallest_sample(0, .1, 3)
    eps must be in (0, 1); got 0
samples.smallest_sample(.1, 2, 3)
    delta must be in (0, 1); got 2
samples.smallest_sample(.1, .1, -3)
    d must be a whole number >= 0; got -3
samples.smallest_sample(.1, .1, "a")
    d must be a whole number >= 0; got 'a'
samples.greedy_rule(X, Y[:2])
    X must have one row per label in y; their shapes are (4, 3) and (2,)
samples.experts_of_class([[0, 1]], [5], 1)
    columns must be whole numbers from 0 to 1; got [5]
cases.percent("a")
    runs must hold numbers; its dtype is <U1
cases.percent([2.0])
    runs must have at least 2 rows, one a run; its shape is (1,)
cases.orders(-1)
    size must be a whole number >= 1; got -1
cases.orders("a")
    size must be a whole number >= 1; got 'a'
cases.logistic(X, Y, X)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
cases.logistic(X, S[:2], X)
    X must have one row per label in y; their shapes are (4, 3) and (2,)
cases.forecast_by_regression(X, Y[:2])
    X must have one row per label in y; their shapes are (4, 3) and (2,)
cases.name_race("a")
    question must be one of ['a capital letter?', 'a letter?'] or a word; got 'a'
cases.digit_contest(0)
    runs must be a whole number >= 1; got 0
cases.tumour_contest(noise=2)
    noise must be in [0, 1]; got 2
cases.mean_and_error([])
    runs must have at least 2 rows, one a run; its shape is (0,)
cases.mean_and_error([[1, 2], [3]])
    the rows of runs must be equally long; runs[1] has length 1, runs[0] 2
structures.Listed(0, lambda x, y: np.zeros(2), lambda x:"ab")
    size must be a whole number >= 1; got 0
structures.Listed("a", lambda x, y: np.zeros(2), lambda x:"ab")
    size must be a whole number >= 1; got 'a'
structures.Listed(2, 5, 5)
    Listed needs the functions features(x, y) and candidates(x); got 5 and 5
play(StructuredPerceptron(structures.Listed(2, lambda x, y: None, lambda x:"ab")), ["x"], ["a"])
    features must hold numbers; its dtype is object
    this was on trial 1 of 1, played by StructuredPerceptron
structures.Tagging("ab", 5)
    words and tags must be lists; got 'ab' and 5
play(StructuredPerceptron(structures.Tagging("ab", "xy")), [5], ["a"])
    a sentence must have at least one word; got 5
    this was on trial 1 of 1, played by StructuredPerceptron
structures.viterbi(5, 5)
    score must have a row for each place and a column for each tag, follow a row and a column
structures.viterbi([[1, 2]], [[1]])
    score must have a row for each place and a column for each tag, follow a row and a column
kernels.terms(3, degree=0)
    degree must be a whole number >= 1; got 0
kernels.terms(99)
    n must be smaller: 99 variables have too many terms to write down
kernels.terms(3, degree=1.5)
    degree must be a whole number >= 1; got 1.5
AnovaKernel(negations="x")
    negations must be True or False; got 'x'
proofs.winnow_dnf(run, None)
    winnow_dnf reads a formula, which booleans.formula(text) returns; target is a NoneType
streams.labelled("x1", T=3, n=3)
    a formula is what booleans.formula(text) returns; got 'x1'
streams.planted(5, T=3, n=3, ones=1)
    a formula is what booleans.formula(text) returns; got 5
booleans.formula(5)
    formula needs a text, and names in a list; got 5 and None
booleans.formula("x1", names=5)
    formula needs a text, and names in a list; got 'x1' and 5
booleans.cube(99)
    n must be at most 24: 2^99 rows do not fit into memory
booleans.threshold(5)
    a formula is what booleans.formula(text) returns; got 5
adversaries.winnow_on_disjunctions(99, 5)
    n must be at most 24: 2^99 rows do not fit into memory
adversaries.table_worst_case(Perceptron(3), X, Y)
    every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)
adversaries.table_worst_case(None, X, Y)
    a learner has the methods predict(x) and update(x, y); NoneType has no predict and no
streams.noisy_experts(10, 5)
    every entry of error must be a number in [0, 1]; error is 5
streams.noisy_experts(10, [2])
    every entry of error must be a number in [0, 1]; error[0] is 2
streams.noisy_experts(10, ["a"])
    error must hold numbers; its dtype is <U1
streams.noisy_experts(10, [])
    error must have one number for each expert; its shape is (0,)
streams.one_good_expert(0, 2)
    T must be a whole number >= 1; got 0
streams.divided_experts(3, 0)
    n must be a whole number >= 2; got 0
streams.forecasts(3, 2, noise=-1)
    noise must be a number >= 0; got -1
streams.coin_losses(3, [2, 3])
    every entry of means must be a number in [0, 1]; means[0] is 2
streams.coin_losses(3, 5)
    every entry of means must be a number in [0, 1]; means is 5
streams.coin_losses(3, [])
    means must have one number for each expert; its shape is (0,)
adversaries.split_in_half(None, 3)
    a learner has the methods predict(x) and update(x, y); NoneType has no predict and no
adversaries.split_in_half(Halving(3), 4)
    learner.n must be 4, as nature's; it is 3
adversaries.greedy(Halving(3), 9, 1)
    learner.n must be 9, as nature's; it is 3
adversaries.c_regret(run, "a")
    c must be a finite number; got a
sequences.shifts(5)
    sequence must have one expert a trial; its shape is ()
sequences.shifts("a")
    sequence must have one expert a trial; its shape is ()
sequences.shifts([[1, 2]])
    sequence must have one expert a trial; its shape is (1, 2)
sequences.sequence_loss(X, [0, 1])
    sequence must name an expert for each of 4 trials; got [0 1]
sequences.sequence_loss(X, [0, 1, 9, 0])
    sequence must be whole numbers from 0 to 2; got [0, 1, 9, 0]
sequences.sequence_loss(X, [-1, 0, 0, 0])
    sequence must be whole numbers from 0 to 2; got [-1, 0, 0, 0]
sequences.sequence_loss(X, "abcd")
    sequence must be whole numbers from 0 to 2; got abcd
sequences.log_prior(3, 2, 9, .1)
    k must be from 0 to T - 1 = 2, and n at least 2; got 9 and 2
sequences.log_prior(3, 1, 1, .1)
    k must be from 0 to T - 1 = 2, and n at least 2; got 1 and 1
sequences.mixture_of_sequences(5, Y, .1, 1)
    losses must have one row per trial and one column per expert; its shape is ()
play_many(lambda i: same, [(X, S)]*3)
    make_learner must return a new learner for each run; one came twice
play_many(lambda i: same, [(X, S)]*40)
    make_learner must return a new learner for each run; one came twice
play_many(lambda i: Perceptron(3), [(X, S)], executor=5)
    executor must have a method submit, as in concurrent.futures; got 5
explore(figures.wm_run, n=(5, 2))
    no control can be made of n=(5, 2); give (low, high), (low, high, step) or a list
explore(figures.wm_run, 5)
    explore draws a function, such as figures.wm_run, and `start` is a dict of its arguments;
game(figures.wm_run, {})
    wm_run(n=10, beta=0.5, T=60, noise=0.1, seed=0, adversary=False): got an unexpected
guess(5, 1, 5, 3)
    a question is a text; got 5
figures.wm_run(n="a")
    n must be a number; got 'a'
figures.wm_run(T=-1)
    T must be a whole number >= 1; got -1
figures.wm_run(noise=5)
    every entry of error must be a number in [0, 1]; error[0] is 5.0
assume(np.array([True, False]), "x")
    write assume(condition, hypothesis): True or False, as (…).all() is, and a text; got
assume(run.weights > 0, "w must be positive")
    write assume(condition, hypothesis): True or False, as (…).all() is, and a text; got
claim("a\\le b", 1, 2).because(5)
    the formula of a claim, its reason and `of` are texts; got 5
claim("a\\le b", 10**400, 2)
    the left side of a\le b must be a number or a number for each trial; got
theorem("s")(print)
    a theorem is a generator that yields claims; got <built-in function print>
theorem("s")(Perceptron)
    a theorem is a generator that yields claims; got <class
proofs.wm_bound(run, beta=[.5])
    wm_bound reads a number; beta is a list
proofs.ogd_bound(play(OnlineGradientDescent(3, .1), X, S), "abc")
    ogd_bound does not apply: u must hold numbers; its dtype is <U3
proofs.ogd_bound(play(OnlineGradientDescent(3, .1), X, S), [1, 2, 3], U="x")
    ogd_bound reads a number; U is a str
proofs.hedge_bound(hrun, eta="x")
    hedge_bound reads a number; eta is a str
proofs.hedge_bound(hrun, eta=-1)
    hedge_bound does not apply: eta must be a finite number >= 0; got -1
proofs.shattered_bound(run, [[0, 1], [1, 0]], [5])
    points must be whole numbers from 0 to 1; got [5]
proofs.shattered_bound(run, [[0, 1], [1, 0]], 5)
    points must be whole numbers from 0 to 1; got [5]
proofs.never_pinned_down(5)
    never_pinned_down reads a NestedIntervals; hidden is a int
proofs.random_stop_bound(Halving(2), 5, 3, 1)
    random_stop_bound reads a Distribution, which batch.distribution(X, y) returns; D is a int
proofs.random_stop_bound(Halving(2), D, 3, "x")
    random_stop_bound reads a number; B is a str
proofs.vote_bound(Halving(2), None, 3)
    vote_bound reads a Distribution, which batch.distribution(X, y) returns; D is a NoneType
batch.distribution(5, Y)
    X and y must have one row per example, at least one; their shapes are () and (4,)
batch.hypotheses(5, X, Y)
    a learner has the methods predict(x) and update(x, y); int has no predict and no update
dimensions.shattered([[0, 1]], [5])
    points must be whole numbers from 0 to 1; got [5]
dimensions.shattered([[0, 1]], 5)
    points must be whole numbers from 0 to 1; got [5]
dimensions.shattered([[0, 1]], [-1])
    points must be whole numbers from 0 to 1; got [-1]
dimensions.halfspace_labellings(5)
    X must have one row per label in y; their shapes are () and ()
dimensions.halfspace_count(0, -1)
    m must be a whole number >= 1; got 0
dimensions.halfspace_count("a", 1)
    m must be a whole number >= 1; got 'a'
reductions.find_assignment(5)
    a formula is what booleans.formula(text) returns; got 5
reductions.sat_to_cover("x1")
    a formula is what booleans.formula(text) returns; got 'x1'
reductions.cover_to_assignment(["a"], 3)
    columns must be whole numbers from 0 to 5; got ['a']
reductions.find_cover([[1, 0]], "a")
    k must be a whole number >= 0; got 'a'
proofs.cover_from_assignment("x1", [1])
    cover_from_assignment reads a formula, which booleans.formula(text) returns; cnf is a str
descend(5, 5, 5)
    descend needs a function and a list of steps; got 5, 5
play(L(records=("eta", )), X, Y)
    L.records must be names of attributes that it has, such as ('eta',); it is ('eta',)
Winnow(3, strict="x")
    strict must be True or False; got 'x'
OnlineGradientDescent(3, exact="x")
    exact must be True or False; got 'x'
proofs.fixed_share_bound(share, [0, 0, 0, 0], alpha="x")
    fixed_share_bound reads a number; alpha is a str
boosting.boost(5, S, 3)
    X must have one row per label in y; their shapes are () and (4,)
samples.experts_of_class([[0, 1]], [0.5], 1)
    columns must be whole numbers from 0 to 1; got [0.5]
dimensions.shattered(5, [0])
    every entry of C must be 0 or 1; C is 5
structures.Tagging(5, "ab")
    words and tags must be lists; got 5 and 'ab'
reductions.find_assignment("x1")
    a formula is what booleans.formula(text) returns; got 'x1'
reductions.brute_force_assignment(None)
    a formula is what booleans.formula(text) returns; got None
reductions.cover_to_assignment([0, 2, 4.5], 3)
    columns must be whole numbers from 0 to 5; got [0.0, 2.0, 4.5]
claim(r"a \ne b", 3, 3)
    no ledger evaluates the \ne of a \ne b: claim <=, <, = or >=, >
claim(r"a \approx b", 3, 4)
    no ledger evaluates the \approx of a \approx b: claim <=, <, = or >=, >
assume("w must be positive", run.weights > 0)
    write assume(condition, hypothesis): True or False, as (…).all() is, and a text; got 'w
assume(True, None)
    write assume(condition, hypothesis): True or False, as (…).all() is, and a text; got True
proofs.hedge_bound(hrun, eta=np.inf)
    hedge_bound does not apply: eta must be a finite number >= 0; got inf
proofs.hedge_bound(hrun, eta=1+2j)
    hedge_bound reads a number; eta is a complex
guess(None, 1, 5, 3)
    a question is a text; got None
play_many(lambda i: same, [(table(X), S)] * 2)
    make_learner must return a new learner for each run; one came twice
play_many(lambda i: Perceptron(3), [(X, S)], executor="processes")
    executor must have a method submit, as in concurrent.futures; got 'processes'
play(L(w=np.ones(3), records=("w", "nothing")), X, Y)
    L.records must be names of attributes that it has, such as ('eta',); it is ('w',
Winnow(3, strict="no")
    strict must be True or False; got 'no'
OnlineGradientDescent(3, exact="no")
    exact must be True or False; got 'no'
AnovaKernel(negations=1)
    negations must be True or False; got 1
adversaries.greedy(WeightedMajority(3), 9, 1)
    learner.n must be 9, as nature's; it is 3
cases.name_race("zzzzz")
    question must be one of ['a capital letter?', 'a letter?'] or a word; got 'zzzzz'
dimensions.halfspace_labellings("ab")
    X must hold numbers; its dtype is <U2
streams.coin_losses(3, [[0.5]])
    means must have one number for each expert; its shape is (1, 1)
streams.noisy_experts(0, [0.5])
    T must be a whole number >= 1; got 0
adversaries.c_regret(run, np.nan)
    c must be a finite number; got nan
"""


class L:
    """A learner that predicts what it is told, or what a function says, and is called anything."""

    def __init__(self, prediction=0, **traits):
        self.prediction = prediction
        vars(self).update(traits)

    def predict(self, x):
        return self.prediction(x) if callable(self.prediction) else self.prediction

    def update(self, x, y):
        pass


def spread(prediction):
    return L(prediction, loss="allocation", labels="losses")


def first_an_index(x, seen=[]):  # noqa: B006
    seen.append(x)
    return 0 if len(seen) == 1 else np.ones(3) / 3


def gen():
    yield ledger.claim(r"a \le b", 1, 2)


def thm(prove, statement):
    return theorem(statement)(prove)


X, Y = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]]), np.array([1, 0, 0, 1])


@pytest.fixture(scope="module")
def names():
    """What the calls may use."""
    from olc_helpers.structures import Listed

    found = {name: getattr(olc_helpers, name) for name in olc_helpers.NAMES} | globals()
    task = Listed(2, lambda x, y: np.zeros(2), lambda x: "ab")
    return found | {
        "S": 2 * Y - 1,
        "TASK": task,
        "table": pytest.importorskip("scipy.sparse").csr_array,
        "same": Perceptron(3),
        "prun": play(Perceptron(3), X, 2 * Y - 1),
        "hrun": play(Hedge(3, 1.0), X.astype(float)),
        "share": play(olc_helpers.FixedShare(3, alpha=0.1), X, Y),
        "D": olc_helpers.batch.distribution([[0, 1], [1, 1]], [0, 1]),
        "run": play(olc_helpers.WeightedMajority(3), X, Y),
    }


def abuses():
    """Yield (call, how its message begins, the note or nothing)."""
    told = []
    for line in TOLD.strip().splitlines():
        told[-1].append(line.strip()) if line.startswith(" ") else told.append([line])
    return [(call, message, *(note or [""])) for call, message, *note in told]


def test_there_are_enough():
    assert len({call for call, *_ in abuses()}) == len(abuses()) >= 150


@pytest.mark.parametrize(("call", "message", "note"), abuses())
def test_every_abuse_is_told_in_a_sentence(monkeypatch, names, call, message, note):
    monkeypatch.setattr(ledger, "THEOREMS", dict(ledger.THEOREMS))
    with pytest.raises(
        (ValueError, TypeError, LookupError, ZeroDivisionError, AttributeError)
    ) as error:
        eval(call, names)
    assert " ".join(str(error.value).split()).startswith(message)
    assert [note] * bool(note) == getattr(error.value, "__notes__", [])[: bool(note)]
    last = Path(traceback.extract_tb(error.value.__traceback__)[-1].filename)
    assert "olc_helpers" in last.parts or note, f"{last} says it"


def test_a_bad_prediction_is_refused_on_its_trial_not_after_the_play():
    seen = []
    with pytest.raises(ValueError, match="on trial 2 it returned None"):
        play(L(lambda x: seen.append(x) or (None if len(seen) == 2 else 0)), X, Y)
    assert len(seen) == 2


def test_a_learner_that_fails_keeps_its_own_exception():
    with pytest.raises(ZeroDivisionError) as error:
        play(L(lambda x: 1 // int(x[0] or x[2])), X, Y)
    assert error.value.__notes__ == ["this was on trial 2 of 4, played by L"]


@pytest.mark.parametrize("size", [3, 200])
def test_many_plays_keep_what_is_finished(monkeypatch, size):
    """Also in step, and in several groups."""
    monkeypatch.setattr("olc_helpers.replications.GROUP", 90)
    streams = [(X, 2 * Y - 1)] * size + [(X, Y), (X, 2 * Y - 1)]
    with pytest.raises(ValueError, match=r"y\[1\] is 0") as error:
        play_many(lambda i: Perceptron(3), streams)
    assert len(error.value.finished) == size
    assert error.value.__notes__ == [f"this was run {size}; those before are in error.finished"]


def test_an_interrupt_keeps_what_is_finished():
    def interrupted(run, runs=[]):  # noqa: B006
        runs.append(run)
        if len(runs) == 3:
            raise KeyboardInterrupt
        return run.mistakes

    with pytest.raises(KeyboardInterrupt) as error:
        play_many(lambda i: Perceptron(3), [(X, 2 * Y - 1)] * 5, read=interrupted)
    assert len(error.value.finished) == 2


def test_a_theorem_of_ones_own_replaces_none_of_ours(monkeypatch):
    monkeypatch.setattr(ledger, "THEOREMS", dict(ledger.THEOREMS))

    def wm_bound(run):
        """Something else."""
        yield ledger.claim(r"0 \le 1", 0, 1)

    assert olc_helpers.proofs.wm_bound is olc_helpers.theorems()["wm_bound"]
    with pytest.raises(ValueError, match="wm_bound is a theorem of olc_helpers.experts.theorems"):
        theorem("0")(wm_bound)
    wm_bound.__name__ = "mine"
    theorem("0")(wm_bound)
    assert theorem("0")(wm_bound) is ledger.THEOREMS["mine"]  # a cell that is run again


def test_large_data_that_change_after_the_play_are_noticed(monkeypatch):
    """Small data are copied; large ones are not, so what is read of them later is compared."""
    monkeypatch.setattr(checks, "LARGE", 64)
    losses = np.random.default_rng(0).random((90, 4))
    run = play(Hedge(4, eta=1), losses)
    regret, again = run.regret, play(Hedge(4, eta=1), losses)
    assert again.regret == regret
    again = play(Hedge(4, eta=1), losses)
    losses *= 0.5
    for read in (lambda: again.regret, lambda: again.expert_losses, lambda: bound(again)):
        with pytest.raises(ValueError, match="were changed after the play"):
            read()
    advice = np.random.default_rng(0).random((90, 4)) < 0.5
    y = advice[:, 0].copy()
    run = play(Halving(4), advice, y)
    y[:] = ~y
    with pytest.raises(ValueError, match="y were changed after the play"):
        run.regret  # noqa: B018


def bound(run):
    return olc_helpers.proofs.hedge_bound(run)


def test_a_run_that_was_pickled_is_still_read_only():
    run = pickle.loads(pickle.dumps(play(Halving(3), X, Y)))
    for a in (run.X, run.y, run.weights, run.predictions, run.losses):
        assert not a.flags.writeable
