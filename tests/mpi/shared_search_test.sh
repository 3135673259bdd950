#!/bin/bash
# shared_search_test.sh MPIEXEC EPSILENS_MPI EPSILENS_CLI: evaluations and recommendations by several processes are those of
# one, byte for byte; the first process says what is wrong, once; a signal ends all.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "$0")")/common.sh" "$@"

# 100 words of 5 dimensions, and 60 texts of them by two authors in two classes that prefer other words.
awk -v vectors="$folder/vectors.txt" -v texts="$folder/texts.csv" '
    function word(i) { return sprintf("%c%c", 97 + i % 10, 97 + int(i / 10)) }
    BEGIN {
        for (w = 0; w < 100; ++w) {
            printf "%s", word(w) > vectors
            for (d = 0; d < 5; ++d) printf " %.3f", sin(7 * w + 3 * d * d) > vectors
            print "" > vectors
        }
        print "text,class,author" > texts
        for (i = 0; i < 60; ++i) {
            for (w = 0; w < 8; ++w) printf "%s ", word((17 * i + 13 * w * w + i * w) % 40 + (w % 2 ? 0 : 20 + 30 * (i % 2))) > texts
            printf ",%s,author %d\n", i % 2 ? "ham" : "spam", int(i / 3) % 2 > texts
        }
    }'
evaluate=(evaluate "$folder/vectors.txt" --data "$folder/texts.csv" --label-column class --author-column author --quiet)
recommend=(recommend "$folder/vectors.txt" --words all --draws 60 --quiet)

# compare NAME RANKS THREADS CODE COMMAND…: CODE is the exit code of both.
compare() {
    local name=$1 count=$2 threads=$3 code=$4 errors
    shift 4
    if [[ ! -s $folder/$name.json ]]; then
        "$cli" "$@" --format json -o "$folder/$name.json" 2>/dev/null
        (($? == code)) || fail "$name alone: another exit code"
    fi
    rm -f "$folder/found.json"
    errors=$("${launcher[@]}" -n "$count" "$program" "$@" --threads "$threads" --format json -o "$folder/found.json" 2>&1)
    (($? == code)) || fail "$name, $count ranks: $errors"
    cmp <(comparable "$folder/$name.json") <(comparable "$folder/found.json") ||
        fail "$name, $count ranks, $threads threads: another result"
}

for count in 1 2 3 4; do
    compare tasks "$count" $((2 - count % 2)) 0 "${evaluate[@]}" --epsilon 3,20 --lambda 0,0.5 --repeats 2 \
        --task classify,reconstruct,membership,authorship,audit
    compare lambdas "$count" $((1 + count % 2)) 0 "${recommend[@]}" --lambda 0,0.5,1 --limit 'nw.p95<=70%'
done
compare again 2 2 0 "${recommend[@]}" --mechanism laplace --limit 'nw.max<=70%'
compare exact 3 1 0 "${evaluate[@]}" --epsilon 3,9 --mechanism tem --task classify,reconstruct --repeats 1
compare radius 2 1 0 "${recommend[@]}" --mechanism tem --beta 0.001,0.01 --limit 'nw.p95<=50%' --objective changed
compare figures 2 1 0 "${recommend[@]}" --lambda 0,1 --data "$folder/texts.csv" --label-column class --epsilon 1,60 \
    --limit 'nw.p95<=90%' --limit 'attack.gain<=60%'
compare none 2 1 3 "${recommend[@]}" --mechanism laplace --epsilon 30,40 --limit 'nw.p95<=1%'
launcher=("${two_nodes[@]}")
compare match 3 1 0 "${recommend[@]}" --lambda 0,0.5 --data "$folder/texts.csv" --label-column class --epsilon 1,60 \
    --match attack.gain=20%
launcher=("$mpiexec")

# Text for study is written by the first process.
for start in "$cli" "$mpiexec -n 2 $program"; do
    # shellcheck disable=SC2086
    $start "${evaluate[@]}" --epsilon 9 --repeats 1 --save-perturbed "$folder/study.csv" >/dev/null 2>"$folder/log" ||
        fail "text for study: $(<"$folder/log")"
    cksum <"$folder/study.csv" >>"$folder/study.sums"
done
[[ $(sort -u "$folder/study.sums" | wc -l) == 1 ]] || fail "text for study: another one"

# refused TEXT OPTIONS…: the first process says it, once.
refused() {
    local errors
    errors=$("$mpiexec" -n 2 "$program" "${evaluate[@]}" "${@:2}" 2>&1 >/dev/null) && fail "$1: no failure"
    [[ $(grep -c "$1" <<<"$errors") == 1 ]] || fail "$1: $errors"
}
refused 'is not one of two classes' --epsilon 3 --positive nobody
# Found out by the process that has the unit.
awk 'NR == 1 || /author 0/ || !n++' "$folder/texts.csv" >"$folder/lone.csv"
evaluate[3]=$folder/lone.csv
refused 'the audit cuts the documents' --epsilon 3 --task audit
evaluate[3]=$folder/texts.csv

echo old >"$folder/kept.json"
unset "evaluate[-1]"
in_background 2 "$program" "${evaluate[@]}" --epsilon 5,10 --repeats 1000 --progress --format json -o "$folder/kept.json"
says %
kill -TERM "$job"
ended "SIGTERM to the launcher"
[[ $(<"$folder/kept.json") == old ]] || fail "SIGTERM: the old file has changed"
[[ -z $(find "$folder" -name '*.json?*') ]] || fail "a temporary file is left: $(ls -A "$folder")"
((failures == 0))
