"""Measure how the time and the memory of a play grow with its length, and how `play_many` speeds up
with worker processes. `bench.py` puts both into README.md.
"""

import tempfile
import tracemalloc
from functools import partial
from operator import attrgetter
from pathlib import Path
from time import perf_counter

import numpy as np

from olc_helpers import (
    AnovaKernel,
    AveragedPerceptron,
    FixedShare,
    KernelPerceptron,
    Perceptron,
    Winnow,
    compiled,
    play,
    play_chunks,
    play_many,
)

HERE = Path(__file__).parent
SIZES = [10**3, 10**4, 10**5, 10**6, 10**7]
N = 100  # features
KEPT = 16e-6  # megabytes that a Run keeps of a trial: a prediction and a loss
ROWS = 10**5  # rows that are written at once, and trials of a chunk


def load_kernels():
    """Return the seconds in which numba is imported and all kernels are compiled, or read from the
    cache on disk.
    """
    start, long, compiled.LONG = perf_counter(), compiled.LONG, 0
    X, y = np.eye(70), np.ones(70, int)
    learners = Perceptron(70), AveragedPerceptron(70), Winnow(70), FixedShare(70, alpha=0.1)
    for learner in (*learners, KernelPerceptron(AnovaKernel())):
        play(learner, X, y, keep="last")
    compiled.LONG = long
    return perf_counter() - start


# Long streams -------------------------------------------------------------------------------------


def write_stream(folder, T):
    """Write T rows of small integers on the two sides of a hyperplane to a file; return (the file,
    the sides, the same with 15 % wrong).
    """
    rng = np.random.default_rng(0)
    v, y = rng.choice([-1, 1], N), np.empty(T, int)
    X = np.lib.format.open_memmap(Path(folder) / "X.npy", "w+", np.int8, (T, N))
    for start in range(0, T, ROWS):
        rows = rng.integers(-20, 21, (min(ROWS, T - start), N), np.int8)
        sign = np.where(rows @ v.astype(np.float32) > 0, 1, -1)
        X[start : start + ROWS] = rows + 2 * np.multiply.outer(sign, v)  # away from the hyperplane
        y[start : start + ROWS] = sign
    X.flush()
    return Path(folder) / "X.npy", y, np.where(rng.random(T) < 0.15, -y, y)


def in_chunks(X, y):
    return ((X[t : t + ROWS], y[t : t + ROWS]) for t in range(0, len(y), ROWS))


def measure(sizes=SIZES, rounds=3):
    """Return {way to give the stream: [(microseconds a trial, MB above the data) for each T]} for a
    Perceptron that keeps its last weights, and the mistakes of the longest streams.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, y, noisy = write_stream(folder, sizes[-1])
        on_disk, in_memory = np.load(file, mmap_mode="r"), np.load(file)
        ways = {
            "array": lambda T: (in_memory[:T], y[:T]),
            "memory-mapped file": lambda T: (on_disk[:T], y[:T]),
            "iterator of chunks": lambda T: (in_chunks(on_disk[:T], y[:T]),),
            "array, 15 % wrong labels": lambda T: (in_memory[:T], noisy[:T]),
        }
        results = {
            way: [(time_per_trial(make, T, rounds), megabytes(make, T)) for T in sizes]
            for way, make in ways.items()
        }
        few, many = (played(*ways[way](sizes[-1])).mistakes for way in list(ways)[::3])
    return results, few, many


def played(X, y=None):
    if y is None:
        return play_chunks(Perceptron(N), X)
    return play(Perceptron(N), X, y, keep="last", progress=False)


def time_per_trial(make, T, rounds):
    """Return the microseconds of a trial in the best round; short streams get more rounds."""
    best = np.inf
    for _ in range(rounds if T >= 10**6 else 5 * rounds):
        data, start = make(T), perf_counter()
        played(*data)
        best = min(best, perf_counter() - start)
    return 1e6 * best / T


def megabytes(make, T):
    """Return the peak of the memory that a play takes above its data."""
    data = make(T)
    tracemalloc.start()
    played(*data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def draw(results, few, many, sizes=SIZES):
    """Draw time and memory against T; return (caption, description)."""
    from olc_helpers.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, canvas, styled

    looks = [
        dict(color=BLUE, marker="o"),
        dict(color=GREEN, marker="s", linestyle="--"),
        dict(color=BLACK, marker="^", linestyle=":"),
        dict(color=VERMILLION, marker="D"),
    ]
    with styled():
        fig, (left, right) = canvas(1, 2, width=10, height=4.2)
        for (way, points), look in zip(results.items(), looks, strict=True):
            times, memory = zip(*points, strict=True)
            left.loglog(sizes, times, label=way, **look)
            right.loglog(sizes, memory, label=way, **look)
        right.loglog(sizes, [KEPT * T for T in sizes], color=GREY, linestyle="--")
        right.text(1.2 * sizes[1], KEPT * sizes[1], "two numbers a trial", va="top")
        left.set_ylim(top=10 * left.get_ylim()[1])  # room for the legend
        left.set(title="time", xlabel="trials T", ylabel="microseconds per trial")
        right.set(title="memory above the data", xlabel="trials T", ylabel="megabytes")
        left.legend(loc="upper right")
    fig.save(HERE / "scale.png", "png")
    (mapped, _), (chunks, constant) = (
        results[way][-1] for way in ("memory-mapped file", "iterator of chunks")
    )
    caption = (
        f"Up to 10⁷ trials, a trial takes {mapped:.2f} µs from a mapped file; in chunks, memory"
        f" stays at {constant:.0f} MB."
    )
    lines = (
        f"{way}: {', '.join(f'{t:.3f} µs' for t, _ in points)} and"
        f" {', '.join(f'{mb:.1f} MB' for _, mb in points)}"
        for way, points in results.items()
    )
    description = (
        f"Time per trial and memory above the data for T = {', '.join(f'{T:,}' for T in sizes)}"
        f" trials of a Perceptron on {N} small integers (int8) that keeps the last weights."
        f" {'; '.join(lines)}. On {sizes[-1]:,} trials there are {few:,} mistakes, with 15 % wrong"
        f" labels {many:,}. Short streams have more mistakes per trial. A Run keeps a prediction"
        " and a loss for each trial (grey line), and a play takes no other memory that grows; a"
        " stream in chunks is forgotten."
    )
    return caption, description


# Many workers -------------------------------------------------------------------------------------

RUNS = 1024
# Workers keep the memory of a run for the next one: dask makes them give it back at once.
KEEP_MEMORY = {
    f"distributed.nanny.pre-spawn-environ.MALLOC_{name}_THRESHOLD_": 2**30
    for name in ("MMAP", "TRIM")
}


def stream(seed):
    """Return 1000 noisy trials; called by the worker that plays them."""
    rng = np.random.default_rng(seed)
    X, v = rng.standard_normal((1000, N)), rng.standard_normal(N)
    return X, np.where((X @ v > 0) ^ (rng.random(1000) < 0.15), 1, -1)


def perceptron(i):
    return Perceptron(N)


def play_all(executor=None, runs=RUNS):
    streams = [partial(stream, seed) for seed in range(runs)]
    return play_many(perceptron, streams, read=attrgetter("mistakes"), executor=executor)


def speed_up(workers=(2, 4, 8), runs=RUNS):
    """Return [(worker processes, seconds)], the first without any, for dask on this machine."""
    import dask
    from distributed import Client, LocalCluster

    load_kernels()
    start = perf_counter()
    expected = play_all(runs=runs)
    table = [(0, perf_counter() - start)]
    for number in workers:
        place = dict(host="127.0.0.1", dashboard_address=None, threads_per_worker=1)
        with (
            dask.config.set(KEEP_MEMORY),
            LocalCluster(n_workers=number, **place) as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(number, timeout=60)
            client.run(load_kernels)  # as here
            start = perf_counter()
            results = play_all(client.get_executor(), runs)
            table.append((number, perf_counter() - start))
            assert results == expected, "the workers get other results"
    return table
