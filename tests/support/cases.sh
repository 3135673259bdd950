#!/bin/bash
# cases.sh PROGRAM: runs the cases of a Catch2 program in one process. If that process ends before its last case, or fails
# though no case did, each case runs alone, so that the one at fault is named. A line counts the cases, for
# packaging/test.sh.
set -uo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count='^cases: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$'

# run OPTIONS…: sets status, and counted to what the program counted: passed, failed, skipped.
run() {
    status=0
    "$program" "$@" >"$folder/output" 2>&1 </dev/null || status=$?
    read -r -a counted < <(sed -n "s/$count/\1 \2 \3/p" "$folder/output")
}

run
if ((${#counted[@]} == 3 && (status == 0 || counted[1] > 0))); then
    cat "$folder/output"
    exit "$status"
fi
sed "/$count/d" "$folder/output"
printf '%s ended with %d. Its cases alone:\n' "${program##*/}" "$status"
sums=(0 0 0)
while IFS= read -r name; do
    printf '%s\n' "$name" >"$folder/name"
    run -f "$folder/name"
    if ((status != 0)); then
        printf 'FAILED with %d: %s\n' "$status" "$name"
        sed "/$count/d" "$folder/output"
        counted=(0 1 0)
    fi
    for i in 0 1 2; do
        sums[i]=$((sums[i] + counted[i]))
    done
done < <("$program" --list-test-names-only)
# All together failed, even if none does alone.
((sums[1] > 0)) || sums[1]=1
printf 'cases: %d passed, %d failed, %d skipped\n' "${sums[@]}"
exit 1
