#!/bin/bash
# examples.sh EXAMPLES EPSILENS_CLI: the scripts of packaging/examples that use GNU parallel do what they say.
set -uo pipefail
examples=$1
export EPSILENS_CLI=$2
if ! parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    echo "SKIPPED: GNU parallel is not installed"
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder BLOCK=20k JOBS=2
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# At the first epsilon every word stays, so that what comes out is known. About 10 blocks.
awk 'BEGIN {for (i = 0; i < 6000; ++i) printf "%d The early train left. unheardof\n", i}' >"$folder/text"
filter=("$examples/sanitize_by_lines.sh" "$folder/sidecars" sample)
"${filter[@]}" --epsilon 1e9 --unknown keep <"$folder/text" >"$folder/released" 2>"$folder/log" || fail "the filter fails: $(<"$folder/log")"
cmp "$folder/text" "$folder/released" || fail "the filter: another text"
"$EPSILENS_CLI" sanitize sample --epsilon 1e9 --unknown keep --text-file "$folder/text" -o "$folder/alone" \
    --sidecar "$folder/alone.json" --quiet 2>/dev/null || fail "alone"
# The counts of all blocks add up to those of the whole text.
totals() {
    sed -n '/^  "counts": {$/,/^  },$/p' "$@" | sed -nE 's/^ +"([A-Za-z]+)": ([0-9]+),?$/\1 \2/p' |
        awk '{sum[$1] += $2} END {for (name in sum) print name, sum[name]}' | sort
}
[[ -n $(totals "$folder/alone.json") ]] || fail "the sidecar has no totals"
cmp <(totals "$folder/alone.json") <(totals "$folder/sidecars"/*.json) || fail "the sidecars are of another text"
# No text comes out of a run in which a block fails.
{ head -n 3000 "$folder/text" && printf 'bad \xff\n' && cat "$folder/text"; } |
    "${filter[@]}" --epsilon 1e9 >"$folder/released" 2>"$folder/log" && fail "a bad block: no failure"
[[ ! -s $folder/released ]] || fail "a bad block: text comes out"
grep -q 'UTF-8' "$folder/log" || fail "a bad block: $(<"$folder/log")"

((failures == 0))
