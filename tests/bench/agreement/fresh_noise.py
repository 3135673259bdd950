#!/usr/bin/env python3
"""Does an evaluation, whose words share draws, agree with noise that is fresh for every word?

    fresh_noise.py EPSILENS-CLI EMBEDDING LABELLED-TEXTS EPSILON[,EPSILON...] [REPEATS]

LABELLED-TEXTS has a label, a tab and a text in each line. For every repeat, `evaluate` measures the
accuracy of `linear` with the draws of its pools; `sanitize` replaces the words of the same texts, as
for a release, and the same classifier learns from those. Both with the same split and lambda
0.5; the test texts once as they were and once replaced too. The difference is paired by repeats,
with the interval of Nadeau and Bengio 2003 for random splits.
"""

import csv
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

T975 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 8: 2.365, 10: 2.262}
CLI, EMBEDDING, TEXTS, EPSILONS = sys.argv[1:5]
EPSILONS = EPSILONS.split(",")
REPEATS = int(sys.argv[5]) if len(sys.argv) > 5 else 5
NOISE = ["--mechanism", "mahalanobis", "--lambda", "0.5", "--unknown", "drop"]


def run(*arguments):
    return subprocess.run([CLI, *arguments, "--quiet"], check=True, capture_output=True).stdout


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("split", "label", "text"), *rows])


def read(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))[1:]


def sanitized(rows, epsilon, folder):
    """The rows with all texts replaced."""
    write(folder / "in.csv", rows)
    run("sanitize", EMBEDDING, *NOISE, "--epsilon", epsilon, "--column", "text", "--text-file",
        str(folder / "in.csv"), "-o", str(folder / "out.csv"))
    return read(folder / "out.csv")


def evaluated(rows, folder, *arguments):
    write(folder / "data.csv", rows)
    return json.loads(
        run("evaluate", EMBEDDING, *NOISE, "--data", str(folder / "data.csv"), "--label-column",
            "label", "--text-column", "text", "--split-column", "split", "--repeats", "1",
            "--format", "json", *arguments))


def accuracy(figures):
    return figures["classify"]["linear"]["accuracy"]["mean"]


def split(texts, seed):
    """Texts that occur twice stay on one side."""
    stream = random.Random(seed)
    side = {text: stream.random() < 0.7 for _, text in sorted(set(texts))}
    return [("train" if side[text] else "test", label, text) for label, text in texts]


def interval(differences, ratio):
    mean = sum(differences) / len(differences)
    variance = sum((d - mean) ** 2 for d in differences) / (len(differences) - 1)
    half = T975[len(differences)] * math.sqrt(variance * (1 / len(differences) + ratio))
    return mean, mean - half, mean + half


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open(TEXTS, encoding="utf-8") as file:
            texts = [line.rstrip("\n").split("\t", 1) for line in file if "\t" in line]
        # Known words alone, so that the two ways of reading the texts have the same words.
        known = sanitized([("train", label, text.lower()) for label, text in texts], "1e9", folder)
        texts = [(label, text) for _, label, text in known if text.strip()]
        shared = {}
        fresh = {}
        for repeat in range(1, REPEATS + 1):
            rows = split(texts, repeat)
            for kind in ("original", "perturbed"):
                cells = evaluated(rows, folder, "--epsilon", ",".join(EPSILONS), "--seed",
                                  str(repeat), "--test-text", kind)["cells"]
                for epsilon, cell in zip(EPSILONS, cells):
                    shared.setdefault((epsilon, kind), []).append(accuracy(cell))
            for epsilon in EPSILONS:
                released = sanitized(rows, epsilon, folder)
                mixed = [new if new[0] == "train" else old for old, new in zip(rows, released)]
                for kind, some in (("original", mixed), ("perturbed", released)):
                    found = evaluated(some, folder, "--epsilon", "1e9")
                    fresh.setdefault((epsilon, kind), []).append(accuracy(found["original"]))
            tested = sum(row[0] == "test" for row in rows)
            ratio = tested / (len(rows) - tested)
        print("| ε | test texts | shared draws | fresh noise | difference (95 %) |")
        print("|---|---|---|---|---|")
        for (epsilon, kind), values in shared.items():
            others = fresh[epsilon, kind]
            mean, low, high = interval([a - b for a, b in zip(values, others)], ratio)
            print(f"| {epsilon} | {kind} | {sum(values) / REPEATS:.4f} | "
                  f"{sum(others) / REPEATS:.4f} | {mean:+.4f} ({low:+.4f} to {high:+.4f}) |",
                  flush=True)


main()
