#!/bin/bash
# How much faster two processes of epsilens-mpi are than one, with one thread each. Prints for each kind of work the seconds
#   one     of one process
#   two     of two processes that share the work; the ratio is strong scaling, at best 2
#   double  of two processes that share twice the work; one / double is weak scaling, at best 1
#   apart   of two processes of epsilens-cli that know nothing of each other, each with the whole work: 2 one / apart is
#           what the machine gives to two busy processors, whatever program keeps them busy
# and the least of each over the runs. Wall-clock time, with the start of mpirun.
#
# usage: tests/bench/scaling/scaling.sh DATA [RUNS [WORK…]]
#   DATA  labelled texts for evaluate, such as the SMS Spam Collection
#   WORK  calibrate, recommend, evaluate; without it all
#
# Build first (packaging/run.sh cli --version). SCALE=2 doubles all work; BIN names another folder of programs.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
bin=${BIN:-$here/../../../build/bin}
data=$1
runs=${2:-3}
shift $(($# < 2 ? $# : 2))
works=("$@")
((${#works[@]} > 0)) || works=(calibrate recommend evaluate)
scale=${SCALE:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$folder
TIMEFORMAT=%R

# request WORK TIMES: sets `request` to the options that make so many times the work.
request() {
    local times=$(($2 * scale))
    case $1 in
    calibrate)
        request=(calibrate sample --words all --draws $((400 * times)) --lambda "0,0.5,1" --epsilon "5,10,20")
        ;;
    recommend)
        request=(recommend sample --words all --draws $((200 * times)) --mechanism laplace --limit "nw.p95<=50%")
        ;;
    evaluate)
        request=(evaluate sample --data "$data" --epsilon "5,10,20" --lambda "0,0.5" --repeats $((40 * times)))
        ;;
    *)
        printf 'error: there is no work %s; take calibrate, recommend or evaluate\n' "$1" >&2
        exit 2
        ;;
    esac
    request+=(--threads 1 --quiet)
}

together() {
    mpirun -n "$1" "$bin/epsilens-mpi" "${request[@]}" -o "$folder/out" >/dev/null 2>"$folder/errors" ||
        { cat "$folder/errors" >&2 && exit 1; }
}

apart() {
    local processor jobs=()
    for processor in 0 1; do
        taskset -c "$processor" "$bin/epsilens-cli" "${request[@]}" -o "$folder/out$processor" >/dev/null 2>&1 &
        jobs+=($!)
    done
    wait "${jobs[0]}" && wait "${jobs[1]}"
}

# measure NAME COMMAND…: adds the seconds of the command to the times of this name.
measure() {
    { time "${@:2}"; } 2>>"$folder/$work.$1"
}

least() {
    sort -g "$folder/$work.$1" | head -n 1
}

for work in "${works[@]}"; do
    for ((run = 0; run < runs; ++run)); do
        request "$work" 1
        measure one together 1
        measure two together 2
        measure apart apart
        request "$work" 2
        measure double together 2
        awk -v work="$work" -v one="$(least one)" -v two="$(least two)" -v apart="$(least apart)" -v double="$(least double)" \
            -v runs=$((run + 1)) 'BEGIN {printf "%-9s best of %d: one %.1f s, two %.1f s, double %.1f s, apart %.1f s; " \
                "strong %.2f, weak %.2f, machine %.2f\n", work, runs, one, two, double, apart, one / two, one / double, 2 * one / apart}'
    done
done
