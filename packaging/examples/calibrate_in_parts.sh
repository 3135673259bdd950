#!/bin/bash
# Calibrates in N parts with GNU parallel, on this machine or on those of --sshloginfile, and merges the parts.
# The result is that of one run, byte for byte, but for seconds, threads and memory.
#
# usage: calibrate_in_parts.sh N OUTPUT.json EMBEDDING [OPTIONS of epsilens-cli calibrate]
# packaging/cluster/calibrate_in_parts.slurm does the same in an array job of Slurm.
set -euo pipefail
(($# >= 3)) || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
parts=$1
output=$2
shift 2
program=${EPSILENS_CLI:-epsilens-cli}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# One thread each: the parts are the parallel work. --halt: a part that fails ends the others.
seq "$parts" | parallel --halt now,fail=1 -j "${JOBS:-$(nproc)}" \
    "$program" calibrate "${@@Q}" --quiet --threads 1 --part "{}/$parts" -o "$folder/part{}.json"
"$program" merge "$folder"/part*.json --quiet --format json -o "$output"
