#!/bin/bash
# Releases a large text of lines with GNU parallel: blocks of whole lines go through sanitize as a filter, each with its
# own randomness of the operating system, and come out in order. Each block has a sidecar of its own in FOLDER.
#
# usage: sanitize_by_lines.sh FOLDER EMBEDDING [OPTIONS of epsilens-cli sanitize] < TEXT > RELEASED
# sanitize works in the same way as a filter of Spark's pipe and of Hadoop streaming: it reads standard input to its
# end, writes standard output, and its exit status is not 0 if anything went wrong.
set -euo pipefail
(($# >= 2)) || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
sidecars=$1
shift
program=${EPSILENS_CLI:-epsilens-cli}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
parallel --pipe --block "${BLOCK:-10M}" --keep-order --halt now,fail=1 -j "${JOBS:-$(nproc)}" \
    "$program" sanitize "${@@Q}" --quiet --threads 1 --sidecar "$folder/{#}.json" "2>$folder/{#}.log" >"$folder/text" || {
    # parallel does not show what a failed block wrote.
    cat "$folder"/*.log >&2
    exit 1
}
mkdir -p "$sidecars"
mv "$folder"/*.json "$sidecars"
cat "$folder/text"
