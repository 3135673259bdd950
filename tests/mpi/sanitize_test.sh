#!/bin/bash
# sanitize_test.sh MPIEXEC EPSILENS_MPI EPSILENS_CLI LEAVING: a text shared by several processes is the text of one, each process
# has randomness of its own, and of a list every text is released once, also when a run is broken off.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "$0")")/common.sh" "$@"

# Words of the sample. At the first epsilon every word stays, so that what comes out is known.
awk 'BEGIN {for (i = 0; i < 9000; ++i) printf "%d The early train left. unheardof%s", i, i % 9 ? "\n" : "\r\n\r\n"}' >"$folder/text.txt"
awk 'BEGIN {print "id,text"; for (i = 0; i < 6000; ++i) printf "%d,\"the dog, the \"\"cat\"\"\nand the early train\"\n", i}' \
    >"$folder/table.csv"
stays=(sanitize sample --epsilon 1e9 --quiet)

# compare NAME RANKS THREADS OPTIONS…
compare() {
    local name=$1 count=$2 threads=$3 errors
    shift 3
    [[ -s $folder/$name.out ]] || "$cli" "${stays[@]}" "$@" -o "$folder/$name.out" --sidecar "$folder/$name.json" 2>/dev/null ||
        fail "$name alone"
    rm -f "$folder/found" "$folder/found.json"
    errors=$("${launcher[@]}" -n "$count" "$program" "${stays[@]}" "$@" --threads "$threads" -o "$folder/found" \
        --sidecar "$folder/found.json" 2>&1) || fail "$name, $count ranks: $errors"
    cmp "$folder/$name.out" "$folder/found" || fail "$name, $count ranks, $threads threads: another text"
    cmp "$folder/$name.json" "$folder/found.json" || fail "$name, $count ranks, $threads threads: another sidecar"
}
for count in 1 2 3 4; do
    for threads in 1 2; do
        compare text "$count" "$threads" --text-file "$folder/text.txt"
    done
done
compare table 3 1 --text-file "$folder/table.csv" --column text
compare consistent 2 2 --text-file "$folder/table.csv" --column text --consistent document
launcher=("${two_nodes[@]}")
compare text 4 1 --text-file "$folder/text.txt"
launcher=("$mpiexec")
[[ $("$mpiexec" -n 2 "$program" "${stays[@]}" --text-file "$folder/text.txt" 2>/dev/null | cksum) == \
    $(cksum <"$folder/text.out") ]] || fail "standard output: another text"

# Two processes release the same 65,536 bytes six times. At this epsilon nearly every word is drawn from all words.
awk 'BEGIN {for (i = 0; i < 6 * 4096; ++i) printf "the early train\n"}' >"$folder/same.txt"
"$mpiexec" -n 2 "$program" sanitize sample --epsilon 0.1 --quiet --text-file "$folder/same.txt" -o "$folder/same.out" 2>/dev/null ||
    fail "the same text six times"
equal=$(awk 'seen[NR % 4096, $0]++ {++n} END {print n + 0}' "$folder/same.out")
((equal < 4)) || fail "the processes share their randomness: $equal of 20480 lines are equal to an earlier one"

# refused TEXT RANKS OPTIONS…
refused() {
    local errors
    errors=$("$mpiexec" -n "$2" "$program" "${stays[@]}" "${@:3}" 2>&1 </dev/null) && fail "$1: no failure"
    [[ $(grep -c "$1" <<<"$errors") == 1 ]] || fail "$1: $errors"
}
refused 'do not know each other' 2 --consistent run --text-file "$folder/text.txt"
refused 'reads the text by itself' 2
"$mpiexec" -n 1 "$program" "${stays[@]}" --consistent run --text-file "$folder/text.txt" >/dev/null 2>&1 ||
    fail "--consistent run with one process"

# --- A process that is lost, and a full disk

# unharmed WHAT: the file that was there before is there, and nothing of a new one.
unharmed() {
    [[ $(<"$folder/kept") == old ]] || fail "$1: the old file has changed"
    [[ $(cd "$folder" && echo kept*) == kept ]] || fail "$1: a temporary file is left: $(ls "$folder")"
}
# More than the processes can release before the test goes on.
for ((i = 0; i < 16; ++i)); do
    cat "$folder/text.txt"
done >"$folder/large.txt"
kept=(sanitize sample --epsilon 1e9 --progress --text-file "$folder/large.txt" -o "$folder/kept")
echo old >"$folder/kept"
for rank in 0 1; do
    in_background 2 "$program" "${kept[@]}"
    says Releasing
    kill -KILL "${ranks[rank]}"
    ended "a killed process"
    grep -qi killed "$folder/long.log" || fail "a killed process: the run says: $(<"$folder/long.log")"
    unharmed "a killed process"
done
# By laplace at an epsilon at which most words change: more than the processes release in a minute.
for ((i = 0; i < 16; ++i)); do
    cat "$folder/large.txt"
done >"$folder/largest.txt"
one_leaves sanitize sanitize sample --mechanism laplace --epsilon 10 --quiet --text-file "$folder/largest.txt" -o "$folder/kept"
rm "$folder/largest.txt"
unharmed "a process that leaves"

# Of two processes the second one has a disk of 4 KiB for temporary files. Who is not root may mount it as root of a
# namespace of users.
mounting=(unshare --mount)
((EUID == 0)) || mounting=(unshare --user --map-root-user --mount)
export MOUNTING="${mounting[*]}"
cat >"$folder/on_small_disk" <<'END'
#!/bin/bash
((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} == 0)) ||
    exec $MOUNTING bash -c 'mount -t tmpfs -o size=4k small "$TMPDIR/small" && TMPDIR=$TMPDIR/small exec "$@"' small "$@"
exec "$@"
END
chmod +x "$folder/on_small_disk"
mkdir "$folder/small"
if "${mounting[@]}" mount -t tmpfs small "$folder/small" 2>/dev/null; then
    errors=$("$mpiexec" -n 2 "$folder/on_small_disk" "$program" "${kept[@]}" 2>&1) && fail "a full disk: no failure"
    [[ $(grep -c 'No space left on device' <<<"$errors") == 1 ]] || fail "a full disk: $errors"
    unharmed "a full disk"
else
    printf 'left out, this user cannot mount a file system: a full disk on one node\n'
fi
errors=$("$mpiexec" -n 2 "$program" "${stays[@]}" --text-file "$folder/text.txt" -o /dev/full 2>&1) && fail "/dev/full: no failure"
[[ $(grep -c '/dev/full.*No space left on device' <<<"$errors") == 1 ]] || fail "/dev/full: $errors"

# --- Lists

mkdir "$folder/out"
for ((i = 0; i < 30; ++i)); do
    printf 'the early train %d\n' "$i" >"$folder/in$i"
    printf '%s\t%s\n' "$folder/in$i" "$folder/out/$i" >>"$folder/list"
done
printf 'bad \xff\n' >"$folder/in7"
"$mpiexec" -n 3 "$program" "${stays[@]}" --list "$folder/list" >"$folder/log" 2>&1 && fail "a bad text: no failure"
grep -q '1 of the listed texts could not be released' "$folder/log" || fail "a bad text: $(<"$folder/log")"
[[ $(grep -c ^done "$folder/list.manifest") == 29 && $(grep ^failed "$folder/list.manifest") == *out/7 ]] ||
    fail "a bad text: $(<"$folder/list.manifest")"
printf 'the early train 7\n' >"$folder/in7"
rm "$folder/out/3"
"$mpiexec" -n 2 "$program" "${stays[@]}" --list "$folder/list" >"$folder/log" 2>&1 || fail "again: $(<"$folder/log")"
for ((i = 0; i < 30; ++i)); do
    ((i == 3)) || cmp "$folder/in$i" "$folder/out/$i" || fail "text $i is another one"
done
[[ ! -e $folder/out/3 ]] || fail "a text that was done is done again"

# A broken run leaves whole texts and no other files, and the next one goes on.
for ((i = 0; i < 16; ++i)); do
    printf '%s\t%s\n' "$folder/text.txt" "$folder/out/text$i" >>"$folder/long"
done
in_background 2 "$program" sanitize sample --epsilon 1e9 --quiet --list "$folder/long"
for ((i = 0; i < 300; ++i)); do
    grep -q ^done "$folder/long.manifest" 2>/dev/null && break
    sleep 0.1
done
kill -TERM "$job"
ended "SIGTERM to the launcher"
for file in "$folder"/out/text*; do
    cmp -s "$folder/text.out" "$file" || fail "SIGTERM: $file is not whole"
done
[[ -z $(find "$folder/out" -name 'text*.*') ]] || fail "SIGTERM: a temporary file is left"
before=$(find "$folder/out" -name 'text*' -newer "$folder/long" | wc -l)
((before > 0 && before < 16)) || fail "SIGTERM: $before of 16 texts"
"$mpiexec" -n 2 "$program" sanitize sample --epsilon 1e9 --quiet --list "$folder/long" >"$folder/log" 2>&1 ||
    fail "after SIGTERM: $(<"$folder/log")"
[[ $(grep -c ^done "$folder/long.manifest") == 16 && $(find "$folder/out" -name 'text*' | wc -l) == 16 ]] ||
    fail "after SIGTERM: $(<"$folder/long.manifest")"
((failures == 0))
