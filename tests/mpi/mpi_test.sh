#!/bin/bash
# mpi_test.sh MPIEXEC EPSILENS_MPI EPSILENS_CLI: what several processes write is what one process writes, byte for byte;
# failures and signals end all of them and leave no file.
set -uo pipefail
mpiexec=$1
program=$2
cli=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# More processes than processors, and as root in a container: of Open MPI, ignored by others.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none TMPDIR=$folder
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# What two runs of one request need not share is left out.
comparable() {
    grep -vE '^ *"(threads|load|prepare|calibrate|peakMemoryMiB)":' "$1"
}

# 200 words of 5 dimensions, which are four blocks.
awk 'BEGIN {for (w = 0; w < 200; ++w) {printf "w%d", w; for (d = 0; d < 5; ++d) printf " %.3f", sin(7 * w + 3 * d * d); print ""}}' \
    >"$folder/vectors.txt"
common=(calibrate "$folder/vectors.txt" --words all --draws 20 --epsilon 2,8 --quiet)

# compare NAME RANKS THREADS OPTIONS…
compare() {
    local name=$1 ranks=$2 threads=$3 errors
    shift 3
    [[ -s $folder/$name.json ]] ||
        "$cli" "${common[@]}" "$@" --format json -o "$folder/$name.json" --per-word "$folder/$name.csv" || fail "$name alone"
    rm -f "$folder/found.json" "$folder/found.csv"
    errors=$("$mpiexec" -n "$ranks" "$program" "${common[@]}" "$@" --threads "$threads" --format json \
        -o "$folder/found.json" --per-word "$folder/found.csv" 2>&1) || fail "$name, $ranks ranks: $errors"
    cmp -s <(comparable "$folder/$name.json") <(comparable "$folder/found.json") ||
        fail "$name, $ranks ranks, $threads threads: another calibration"
    cmp -s "$folder/$name.csv" "$folder/found.csv" || fail "$name, $ranks ranks, $threads threads: other values of words"
}

for ranks in 1 2 3 4; do
    for threads in 1 2; do
        compare mahalanobis "$ranks" "$threads" --lambda 0,0.5
    done
done
compare rerun 2 1 --lambda 0.5 --rerun-worst
compare apart 3 1 --lambda 0.5 --independent-draws
compare tem 3 2 --mechanism tem --beta 0.001

# The first process says what there is to say, once.
errors=$("$mpiexec" -n 2 "$program" calibrate "$folder/no-such-file" 2>&1 >/dev/null) && fail "a missing file: no failure"
[[ $errors == *no-such-file* ]] || fail "a missing file: $errors"
errors=$("$mpiexec" -n 2 "$program" info sample 2>&1) && fail "info: no failure"
[[ $(grep -c 'use epsilens-cli for info' <<<"$errors") == 1 ]] || fail "info: $errors"
[[ $("$mpiexec" -n 2 "$program" --version) == "epsilens-cli "* ]] || fail "the version is not said once"

# long OUTPUT: starts a run that takes minutes, in the background.
long() {
    "$mpiexec" -n 2 "$program" calibrate sample --words 4000 --draws 2000 --epsilon 10 --lambda 0.5 --yes --quiet \
        --format json -o "$1" >"$folder/long.log" 2>&1 &
    job=$!
    for ((i = 0; i < 200; ++i)); do
        mapfile -t ranks < <(pgrep -f "^$program calibrate sample .*$1")
        ((${#ranks[@]} == 2)) && break
        sleep 0.1
    done
    sleep 2
}
# ended WHAT: all processes go, soon after the launcher at the latest.
ended() {
    local rank i
    wait "$job" && fail "$1: no failure"
    for rank in "${ranks[@]}"; do
        for ((i = 0; i < 200; ++i)); do
            kill -0 "$rank" 2>/dev/null || continue 2
            sleep 0.1
        done
        fail "$1: process $rank goes on"
    done
}
echo old >"$folder/kept.json"
long "$folder/kept.json"
((${#ranks[@]} == 2)) || fail "two processes were to be seen, not ${#ranks[@]}"
kill -KILL "${ranks[1]}"
ended "a killed process"
[[ $(<"$folder/kept.json") == old ]] || fail "a killed process: the old file has changed"
long "$folder/stopped.json"
kill -TERM "$job"
ended "SIGTERM to the launcher"
# Where the launcher left time there is a partial result.
[[ ! -e $folder/stopped.json ]] || grep -q '"partial": true' "$folder/stopped.json" || fail "SIGTERM: the result is not marked"
[[ -z $(find "$folder" -name '.*epsilens*' -o -name '*.tmp*') ]] || fail "a temporary file is left: $(ls -A "$folder")"
((failures == 0))
