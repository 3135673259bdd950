#!/bin/bash
# TEM's exact statistics against numpy on the same data in one run: seconds for all words and 5 epsilons,
# rows per second and epsilon of both, the ratio of the medians.
#
# usage: tests/bench/tem/compare.sh EMBEDDING.txt.gz [RUNS]
#
# Build first (packaging/run.sh cli --version). Needs Debian's python3-numpy.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cli=$here/../../../build/bin/epsilens-cli
data=$1
runs=${2:-3}
rows=28596
epsilons=8,12,16,20,30

# Seconds of the calibration, then means of N_w and S_w at epsilon 16.
ours() {
    "$cli" calibrate "$data" --limit-rows $rows --mechanism tem --words all --epsilon $epsilons \
        --beta 0.001 --threads 2 --quiet --format json |
        /usr/bin/python3 -c 'import json, sys
document = json.load(sys.stdin)
cell = document["cells"][2]
print(document["run"]["seconds"]["calibrate"], cell["nw"]["mean"], cell["sw"]["mean"])'
}

median() {
    sort -g "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((run = 1; run <= runs; ++run)); do
    OPENBLAS_NUM_THREADS=2 /usr/bin/python3 "$here/tem_numpy.py" "$data" 16 0.001 $rows >>"$work/numpy"
    ours >>"$work/ours"
    read -r rate nw sw < <(tail -n 1 "$work/numpy")
    read -r seconds ourNw ourSw < <(tail -n 1 "$work/ours")
    printf 'run %d: epsilens %.2f s for all (N_w %.4f, S_w %.4f at epsilon 16), numpy %s rows/s (N_w %s, S_w %s of the first words)\n' \
        "$run" "$seconds" "$ourNw" "$ourSw" "$rate" "$nw" "$sw"
done
awk -v seconds="$(median "$work/ours")" -v theirs="$(median "$work/numpy")" -v rows=$rows \
    'BEGIN {ours = 5 * rows / seconds
            printf "all %d words, 5 epsilons: %.2f s, %.0f rows/s and epsilon; numpy %.0f; epsilens / numpy: %.1f\n",
                   rows, seconds, ours, theirs, ours / theirs}'
