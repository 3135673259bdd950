#!/bin/bash
# Calibration against the rivals on the same data in one run: prints substitutions per second of processor
# time, one thread each, and the ratios of the medians. Processor time, because other work on the machine
# disturbs it less than the clock.
#
# usage: tests/bench/compare.sh EMBEDDING.txt.gz [RUNS]
#
# Build first (cmake --build build --target benchmarks). Needs Debian's python3-numpy and python3-faiss (left
# out if missing). OPENBLAS_CORETYPE names the matrix kernels of all of them, WITHOUT_AVX512=1 leaves those
# instructions out of epsilens, and NPY_DISABLE_CPU_FEATURES out of numpy.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
bench=$here/../../build/bin/engine-bench
data=$1
runs=${2:-3}
rows=28596
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
rivals=(numpy)
/usr/bin/python3 -c "import faiss" 2>/dev/null && rivals+=(faiss)

# The whole calibration, statistics and summary included, without loading.
ours() {
    "$bench" grid "$data" "$rows" 1 | cut -d ' ' -f 1
}

median() {
    sort -g "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((run = 1; run <= runs; ++run)); do
    for rival in "${rivals[@]}"; do
        /usr/bin/python3 "$here/engine/rivals.py" "$rival" "$data" "$rows" >>"$work/$rival"
    done
    ours >>"$work/ours"
    printf 'run %d: epsilens %s' "$run" "$(tail -n 1 "$work/ours")"
    for rival in "${rivals[@]}"; do
        printf ', %s %s' "$rival" "$(tail -n 1 "$work/$rival")"
    done
    printf ' substitutions per processor second\n'
done
for rival in "${rivals[@]}"; do
    awk -v ours="$(median "$work/ours")" -v theirs="$(median "$work/$rival")" -v rival="$rival" \
        'BEGIN {printf "epsilens / %s: %.0f (medians %.0f and %.0f)\n", rival, ours / theirs, ours, theirs}'
done
