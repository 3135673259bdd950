#!/usr/bin/python3
"""Poincaré training against gensim on the same pairs in one run.

usage: tests/bench/training/compare_gensim.py DATA [RUNS]

DATA is the folder with mammal_closure.tsv and noun_closure.test.tsv. Prints
  quality  mean rank and MAP of the reconstruction of the mammals in 5 dimensions, gensim with its
           defaults and 50 epochs; ours with the same rate and with our defaults, also 50 epochs after
           10 of burn-in. Both are judged by the code below: rank among the nodes that are neither
           the child nor one of its parents (gensim's own evaluation ranks the child itself too).
  speed    relations per second on 20,000 pairs in 50 dimensions with 10 negatives, ours with 1 and 2
           threads; medians of RUNS runs (default 3) in turn.

Build first (packaging/run.sh cli --version). Needs Debian's python3-gensim.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from gensim.models.poincare import PoincareModel  # noqa: E402

CLI = pathlib.Path(__file__).resolve().parents[3] / "build/bin/epsilens-cli"
SPEED_PAIRS = 20_000
SPEED_DIMENSIONS = 50
NEGATIVES = 10


def read_pairs(path):
    return [tuple(line.split("\t")) for line in path.read_text("utf-8").splitlines()]


def distinct(pairs):
    return [pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1]]


def write_pairs(path, pairs):
    path.write_text("".join(f"{child}\t{parent}\n" for child, parent in pairs), "utf-8")


def reconstruction(points, pairs):
    """Mean rank and MAP of {name: point} on pairs."""
    names = list(points)
    rows = {name: row for row, name in enumerate(names)}
    table = np.array([points[name] for name in names], dtype=float)
    gaps = 1 - (table ** 2).sum(axis=1)
    parents = {}
    for child, parent in pairs:
        parents.setdefault(rows[child], []).append(rows[parent])
    ranks, precisions = [], []
    for child, related in parents.items():
        order = ((table - table[child]) ** 2).sum(axis=1) / gaps
        others = np.ones(len(names), dtype=bool)
        others[related] = others[child] = False
        before = np.searchsorted(np.sort(order[others]), np.sort(order[related]), side="right")
        found = np.arange(1, len(related) + 1)
        ranks += list(before + 1)
        precisions.append((found / (found + before)).mean())
    return np.mean(ranks), np.mean(precisions)


def gensim(pairs, dimensions, epochs, burn_in=10):
    """Points and relations per second of a training, burn-in included."""
    model = PoincareModel(pairs, size=dimensions, negative=NEGATIVES, burn_in=burn_in)
    start = time.perf_counter()
    model.train(epochs=epochs)
    seconds = time.perf_counter() - start
    points = dict(zip(model.kv.index_to_key, model.kv.vectors))
    return points, len(pairs) * (epochs + burn_in) / seconds


def ours(pairs, dimensions, epochs, threads=1, burn_in=10, rate=None):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "pairs.tsv")
        target = pathlib.Path(folder, "out.vec")
        write_pairs(source, pairs)
        command = [CLI, "train-poincare", source, "-o", target, "--threads", threads,
                   "--dimensions", dimensions, "--epochs", epochs, "--burn-in", burn_in,
                   "--negatives", NEGATIVES, *(["--rate", rate] if rate else [])]
        run = subprocess.run([str(part) for part in command], check=True, text=True,
                             stderr=subprocess.PIPE)
        lines = [line.split(" ") for line in target.read_text("utf-8").splitlines()[1:]]
    speed = re.search(r"([\d,]+) relations/s", run.stderr).group(1)
    return {name: [float(x) for x in numbers] for name, *numbers in lines}, int(speed.replace(",", ""))


def show_quality(pairs):
    print(f"quality: {len(pairs)} pairs of mammals, 5 dimensions, 50 epochs after 10 of burn-in")
    rows = [("gensim, its defaults", gensim(pairs, 5, 50)[0]),
            ("epsilens, rate 0.1 as gensim's", ours(pairs, 5, 50, rate=0.1)[0]),
            ("epsilens, its defaults", ours(pairs, 5, 50)[0])]
    for name, points in rows:
        rank, precision = reconstruction(points, pairs)
        print(f"  {name:<32} mean rank {rank:6.3f}   MAP {precision:.4f}", flush=True)


def show_speed(pairs, runs):
    print(f"speed: {len(pairs)} pairs, {SPEED_DIMENSIONS} dimensions, {NEGATIVES} negatives")
    speeds = {"gensim": [], "1 thread": [], "2 threads": []}
    for run in range(1, runs + 1):
        speeds["gensim"].append(gensim(pairs, SPEED_DIMENSIONS, 1, burn_in=0)[1])
        speeds["1 thread"].append(ours(pairs, SPEED_DIMENSIONS, 60, threads=1)[1])
        speeds["2 threads"].append(ours(pairs, SPEED_DIMENSIONS, 60, threads=2)[1])
        print(f"  run {run}: " + ", ".join(f"{name} {values[-1]:,.0f}"
                                           for name, values in speeds.items()), flush=True)
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    for name in ("1 thread", "2 threads"):
        print(f"  epsilens with {name} / gensim: {medians[name] / medians['gensim']:.1f}")
    print(f"  2 threads / 1 thread: {medians['2 threads'] / medians['1 thread']:.2f}")


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    data = pathlib.Path(sys.argv[1])
    mammals = distinct(read_pairs(data / "mammal_closure.tsv"))
    nouns = distinct(read_pairs(data / "noun_closure.test.tsv") + mammals)
    show_quality(mammals)
    show_speed(nouns[:SPEED_PAIRS], int(sys.argv[2]) if len(sys.argv) > 2 else 3)


if __name__ == "__main__":
    main()
