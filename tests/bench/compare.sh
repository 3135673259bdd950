#!/bin/bash
# Calibration against the rivals on the same data in one run: prints substitutions per second, and the
# ratios of the medians.
#
# usage: tests/bench/compare.sh EMBEDDING.txt.gz [RUNS]
#
# Build first (packaging/run.sh cli --version). Needs Debian's python3-numpy and python3-faiss.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cli=$here/../../build/bin/epsilens-cli
data=$1
runs=${2:-3}
rows=28596
export OPENBLAS_NUM_THREADS=2 OMP_NUM_THREADS=2

ours() {
    env -u OPENBLAS_NUM_THREADS -u OMP_NUM_THREADS "$cli" calibrate "$data" --limit-rows $rows \
        --mechanism mahalanobis --words all --draws 100 --epsilon 6,30,60,120,240 \
        --lambda 0,0.25,0.5,0.75,1 --seed 1 --threads 2 --quiet --format json |
        /usr/bin/python3 -c 'import json, sys
run = json.load(sys.stdin)["run"]
print(f"{run['"'substitutions'"'] / run['"'seconds'"']['"'calibrate'"']:.1f}")'
}

median() {
    sort -g "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((run = 1; run <= runs; ++run)); do
    for rival in numpy faiss; do
        /usr/bin/python3 "$here/engine/rivals.py" $rival "$data" $rows >>"$work/$rival"
    done
    ours >>"$work/ours"
    printf 'run %d: epsilens %s, numpy %s, faiss %s substitutions/s\n' "$run" \
        "$(tail -n 1 "$work/ours")" "$(tail -n 1 "$work/numpy")" "$(tail -n 1 "$work/faiss")"
done
for rival in numpy faiss; do
    awk -v ours="$(median "$work/ours")" -v theirs="$(median "$work/$rival")" -v rival=$rival \
        'BEGIN {printf "epsilens / %s: %.0f (medians %.0f and %.0f)\n", rival, ours / theirs, ours, theirs}'
done
