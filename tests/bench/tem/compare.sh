#!/bin/bash
# TEM's exact statistics against numpy on the same data in one run: rows per second of processor time
# and epsilon, one thread each and in turn, and the ratio of the medians. Once with AVX2, by all of
# both programs, and once with what the processor has beyond. Processor time, because other work on
# the machine disturbs it less than the clock.
#
# usage: tests/bench/tem/compare.sh EMBEDDING.txt.gz [RUNS]
#
# Build engine-bench first (BUILD names its directory). Needs Debian's python3-numpy. Numpy answers one
# epsilon, with a product of its own, at 4,096 words; engine-bench five with one product, at all words.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
bench=${BUILD:-$here/../../../build}/bin/engine-bench
data=$1
runs=${2:-3}
rows=28596
export OPENBLAS_NUM_THREADS=1

median() {
    sort -g "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# usage: compare NAME
compare() {
    for ((run = 1; run <= runs; ++run)); do
        /usr/bin/python3 "$here/tem_numpy.py" "$data" 16 0.001 $rows 4096 >>"$work/$1-numpy"
        "$bench" tem "$data" $rows >>"$work/$1-ours"
        printf '%s, run %d: epsilens %s, numpy %s (rows/s, N_w and S_w at epsilon 16)\n' "$1" "$run" \
            "$(tail -n 1 "$work/$1-ours")" "$(tail -n 1 "$work/$1-numpy")"
    done
    awk -v name="$1" -v ours="$(median "$work/$1-ours")" -v theirs="$(median "$work/$1-numpy")" \
        'BEGIN {printf "%s: epsilens / numpy %.1f\n", name, ours / theirs}'
}

(
    export WITHOUT_AVX512=1 OPENBLAS_CORETYPE=Haswell
    export NPY_DISABLE_CPU_FEATURES="AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
    compare AVX2
)
if grep -qm 1 avx512f /proc/cpuinfo; then
    compare AVX-512
fi
