#!/bin/bash
# mpi_test.sh MPIEXEC EPSILENS_MPI EPSILENS_CLI LEAVING: what several processes write is what one process writes, byte for byte;
# failures and signals end all of them and leave no file.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "$0")")/common.sh" "$@"

# 200 words of 5 dimensions, which are four blocks.
awk 'BEGIN {for (w = 0; w < 200; ++w) {printf "w%d", w; for (d = 0; d < 5; ++d) printf " %.3f", sin(7 * w + 3 * d * d); print ""}}' \
    >"$folder/vectors.txt"
common=(calibrate "$folder/vectors.txt" --words all --draws 20 --epsilon 2,8 --quiet)

# compare NAME RANKS THREADS OPTIONS…
compare() {
    local name=$1 count=$2 threads=$3 errors
    shift 3
    [[ -s $folder/$name.json ]] ||
        "$cli" "${common[@]}" "$@" --format json -o "$folder/$name.json" --per-word "$folder/$name.csv" || fail "$name alone"
    rm -f "$folder/found.json" "$folder/found.csv"
    errors=$("${launcher[@]}" -n "$count" "$program" "${common[@]}" "$@" --threads "$threads" --format json \
        -o "$folder/found.json" --per-word "$folder/found.csv" 2>&1) || fail "$name, $count ranks: $errors"
    cmp -s <(comparable "$folder/$name.json") <(comparable "$folder/found.json") ||
        fail "$name, $count ranks, $threads threads: another calibration"
    cmp -s "$folder/$name.csv" "$folder/found.csv" || fail "$name, $count ranks, $threads threads: other values of words"
}

for count in 1 2 3 4; do
    compare mahalanobis "$count" $((1 + count % 2)) --lambda 0,0.5
done
compare mahalanobis 2 2 --lambda 0,0.5
compare apart 3 1 --lambda 0.5 --independent-draws
compare tem 3 2 --mechanism tem --beta 0.001
launcher=("${two_nodes[@]}")
compare mahalanobis 4 1 --lambda 0,0.5
launcher=("$mpiexec")

# The first process says what there is to say, once.
errors=$("$mpiexec" -n 2 "$program" calibrate "$folder/no-such-file" 2>&1 >/dev/null) && fail "a missing file: no failure"
[[ $(grep -c no-such-file <<<"$errors") == 1 ]] || fail "a missing file: $errors"
errors=$("$mpiexec" -n 2 "$program" info sample 2>&1) && fail "info: no failure"
[[ $(grep -c 'unknown command "info"' <<<"$errors") == 1 ]] || fail "info: $errors"
[[ $("$mpiexec" -n 2 "$program" --version) == "epsilens-mpi "* ]] || fail "the version is not said once"

# long OUTPUT: starts a run that takes minutes, in the background.
long() {
    in_background 2 "$program" calibrate sample --words 4000 --draws 2000 --epsilon 10 --lambda 0.5 --progress \
        --format json -o "$@"
    says Calibrating
}
echo old >"$folder/kept.json"
for rank in 0 1; do
    long "$folder/kept.json"
    kill -KILL "${ranks[rank]}"
    ended "a killed process"
    grep -qi killed "$folder/long.log" || fail "a killed process: the run says: $(<"$folder/long.log")"
done
one_leaves Calibrating calibrate sample --words 4000 --draws 20000 --epsilon 10 --lambda 0.5 --progress -o "$folder/kept.json"
errors=$("$mpiexec" -n 2 "$program" "${common[@]}" --lambda 0 -o /dev/full 2>&1) && fail "/dev/full: no failure"
[[ $(grep -c '/dev/full.*No space left on device' <<<"$errors") == 1 ]] || fail "/dev/full: $errors"
[[ $(<"$folder/kept.json") == old ]] || fail "a lost process: the old file has changed"
for signal in TERM INT; do
    long "$folder/stopped.json" --per-word "$folder/stopped.csv"
    kill -s "$signal" "$job"
    ended "SIG$signal to the launcher"
done
# A process that waits for another one ends too.
long "$folder/stopped.json"
kill -STOP "${ranks[0]}"
kill -TERM "$job"
ended "SIGTERM with a stopped process"
[[ ! -e $folder/stopped.json && ! -e $folder/stopped.csv ]] || fail "SIGTERM: there is a result"
[[ -z $(find "$folder" -name '*.json?*') ]] || fail "a temporary file is left: $(ls -A "$folder")"
((failures == 0))
