#!/usr/bin/env python3
"""Reads a calibration (JSON) and its values of words (CSV) with numpy, and prints or plots the curves.

usage: read_results.py CALIBRATION.json [WORDS.csv [PLOT.png]]

    epsilens-cli calibrate sample --epsilon 2..32x9 --lambda 0,1 --format json -o calibration.json --per-word words.csv
    read_results.py calibration.json words.csv plot.png     # the plot needs matplotlib
"""
import csv
import json
import sys

import numpy as np


def curves(calibration):
    """Mean N_w with the 5th and 95th percentile of the words, for each lambda: {lambda: array of (epsilon, ...)}."""
    by_lambda = {}
    for cell in calibration["cells"]:
        nw = cell["nw"]
        by_lambda.setdefault(cell["lambda"], []).append((cell["epsilon"], nw["mean"], nw["p5"], nw["p95"]))
    return {key: np.array(sorted(rows)) for key, rows in by_lambda.items()}


def words(path):
    """The columns of --per-word as arrays, by their names."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        try:
            columns[name] = np.array([float(value) if value else np.nan for value in values])
        except ValueError:
            columns[name] = np.array(values)
    return columns


def main(arguments):
    if not 1 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        calibration = json.load(file)
    draws = calibration["run"]["draws"]
    found = curves(calibration)
    for key, rows in found.items():
        print(f"lambda {key}: N_w of {draws} draws")
        for epsilon, mean, low, high in rows:
            print(f"  epsilon {epsilon:g}: mean {mean:.2f}, 5 % to 95 % of the words {low:g} to {high:g}")
    if len(arguments) > 1:
        columns = words(arguments[1])
        most = np.argmax(columns["nw"])
        print(f"kept most often: {columns['word'][most]} with N_w {columns['nw'][most]:g}")
    if len(arguments) > 2:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        for key, rows in found.items():
            line = pyplot.semilogx(rows[:, 0], rows[:, 1], label=f"λ = {key}")[0]
            pyplot.fill_between(rows[:, 0], rows[:, 2], rows[:, 3], color=line.get_color(), alpha=0.2)
        pyplot.xlabel("ε")
        pyplot.ylabel(f"N_w of {draws} draws")
        pyplot.legend()
        pyplot.savefig(arguments[2], dpi=150)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
