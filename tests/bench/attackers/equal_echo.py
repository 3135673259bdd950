#!/usr/bin/env python3
"""What do all attackers guess by epsilon, and where mechanisms keep equally many words?

    equal_echo.py [--kept LIST] [--vocabulary FILE] EPSILENS-CLI EMBEDDING LABELLED-TEXTS
                  [CLI-OPTION...]

Laplace, Mahalanobis with lambda 0.5 and TEM. First at the epsilons at which 10, 30, 50, 70 and 90
(or those of the list) of 100 draws keep a word on average over 300 words of the vocabulary. Then at
the epsilons at which the echo, the share of the words of the texts that come out as they went in,
is 25, 50 and 75 of 100, interpolated between those (the logarithm of epsilon is linear in the
echo).
"""

import argparse
import json
import math
import resource
import subprocess
import time

PARSER = argparse.ArgumentParser()
PARSER.add_argument("--kept", default="10,30,50,70,90")
PARSER.add_argument("--vocabulary")
PARSER.add_argument("cli")
PARSER.add_argument("embedding")
PARSER.add_argument("texts")
ASKED, OPTIONS = PARSER.parse_known_args()
EMBEDDING = [ASKED.embedding]
if ASKED.vocabulary:
    EMBEDDING += ["--vocabulary", ASKED.vocabulary]
MECHANISMS = {
    "Laplace": ["--mechanism", "laplace"],
    "Mahalanobis, λ 0.5": ["--mechanism", "mahalanobis", "--lambda", "0.5"],
    "TEM": ["--mechanism", "tem"],
}
KEPT = [float(kept) for kept in ASKED.kept.split(",")]
ECHOES = [25, 50, 75]
COLUMNS = {
    "echo": "echo", "prior": "prior", "map": "map", "context": "with context",
    "noisyVector": "noisy vector", "noisyVectorContext": "with context", "upper": "upper end",
    "best": "best", "gain": "gain"
}


def run(*arguments):
    return json.loads(
        subprocess.run([ASKED.cli, *arguments, "--format", "json", "--quiet"], check=True,
                       capture_output=True).stdout)


def interpolated(pairs, wanted):
    """The epsilon at which a share is reached, from pairs of epsilon and share; None outside."""
    pairs = sorted(pairs)
    for (low, below), (high, above) in zip(pairs, pairs[1:]):
        if below <= wanted <= above and below < above:
            share = (wanted - below) / (above - below)
            return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
    return None


def rounded(values):
    return ",".join(f"{value:.3g}" for value in values if value is not None)


def epsilons_of(mechanism):
    grid = "0.5..1000x40"
    cells = run("calibrate", *EMBEDDING, *mechanism, "--epsilon", grid, "--words", "300")["cells"]
    pairs = [(cell["epsilon"], cell["nw"]["mean"]) for cell in cells]
    return rounded(interpolated(pairs, kept) for kept in KEPT)


def evaluated(mechanism, epsilons, *options):
    return run("evaluate", *EMBEDDING, "--data", ASKED.texts, "--task", "reconstruct", *mechanism,
               "--epsilon", epsilons, *options, *OPTIONS)["cells"]


def text(figures, name):
    figure = figures.get(name)
    if not isinstance(figure, dict) or figure.get("mean") is None:
        return "–"
    shown = f"{100 * figure['mean']:.1f}"
    if name in ("best", "gain") and figure["ci95"]:
        low, high = (100 * end for end in figure["ci95"])
        shown += f" ({low:.1f} to {high:.1f})"
    return shown


def show(title, cells):
    for cell in cells:
        found = cell["reconstruct"]
        print(f"| {title} | {cell['epsilon']:g} | " +
              " | ".join(text(found, name) for name in COLUMNS) + " |", flush=True)


def head(title):
    print(f"\n{title}\n\n| mechanism | ε | " + " | ".join(COLUMNS.values()) + " |")
    print("|---" * (2 + len(COLUMNS)) + "|", flush=True)


def main():
    start = time.monotonic()
    echoes = {}
    head("By ε, of 100 words")
    for name, mechanism in MECHANISMS.items():
        cells = evaluated(mechanism, epsilons_of(mechanism))
        show(name, cells)
        echoes[name] = [(cell["epsilon"], 100 * cell["reconstruct"]["echo"]["mean"])
                        for cell in cells]
    head("Where the echo is the same, of 100 words")
    for name, mechanism in MECHANISMS.items():
        found = [interpolated(echoes[name], echo) for echo in ECHOES]
        for echo, epsilon in zip(ECHOES, found):
            if epsilon is None:
                print(f"{name}: an echo of {echo} lies outside what was measured")
        epsilons = rounded(found)
        if not epsilons:
            continue
        show(name, evaluated(mechanism, epsilons))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\n{time.monotonic() - start:.0f} s, {used.ru_utime + used.ru_stime:.0f} processor s",
          flush=True)


main()
