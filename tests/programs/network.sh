#!/bin/bash
# network.sh CLI [WINDOW]: runs the programs under strace; fails when one makes an Internet socket or
# looks a name up. Sockets of the X server and of D-Bus are local ones and allowed.
set -euo pipefail
export LC_ALL=C

cli=$1
window=${2-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Leaks cannot be looked for under strace.
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0

if ! command -v strace >/dev/null || ! strace -f -o "$folder/try" true 2>/dev/null; then
    echo "SKIPPED: strace is not allowed here"
    exit 77
fi

status=0
# traced NAME COMMAND…: the command must have come to its work, and made no Internet socket.
traced() {
    local name=$1 ended=0
    shift
    strace -f -qq -e trace=socket,connect,sendto,execve -o "$folder/$name" "$@" >"$folder/$name.out" 2>&1 || ended=$?
    if ! grep -q 'execve(' "$folder/$name" || ((ended != 0)); then
        printf '%s: ended with %d\n' "$name" "$ended"
        cat "$folder/$name.out"
        status=1
    fi
    if grep -E 'AF_INET6?|AF_NETLINK|/etc/resolv.conf' "$folder/$name"; then
        printf '%s: makes an Internet socket\n' "$name"
        status=1
    fi
    printf '%s: %d system calls about sockets\n' "$name" "$(grep -cE 'socket\(|connect\(' "$folder/$name" || true)"
}

printf 'a 1 2\nb 3 1\nc 0 1\nd 2 2\n' >"$folder/vectors.txt"
printf 'a\tb\nb\tc\n' >"$folder/pairs.tsv"
printf 'a b\nc d\n' >"$folder/text.txt"
traced info "$cli" info "$folder/vectors.txt" --density
traced calibrate "$cli" calibrate "$folder/vectors.txt" --draws 20 -o "$folder/out.txt"
traced sample "$cli" sample "$folder/vectors.txt" --text "a b" --epsilon 5
traced guarantee "$cli" guarantee "$folder/vectors.txt" --epsilon 5 --pair a,b
traced sanitize "$cli" sanitize "$folder/vectors.txt" --epsilon 5 --text-file "$folder/text.txt" \
    -o "$folder/released.txt" --sidecar "$folder/released.json"
traced tem "$cli" sanitize "$folder/vectors.txt" --mechanism tem --epsilon 5 --text-file "$folder/text.txt"
traced recommend "$cli" recommend "$folder/vectors.txt" --draws 20 --limit 'nw.p95<=90%'
traced kept "$cli" calibrate "$folder/vectors.txt" --draws 20 --epsilon 5 --format json -o "$folder/kept.json"
traced report "$cli" report --from "$folder/kept.json" --format html -o "$folder/report.html"
traced verify "$cli" verify --from "$folder/kept.json"
traced training "$cli" train-poincare "$folder/pairs.tsv" --dimensions 2 --epochs 2
if [[ -n $window ]]; then
    export HOME=$folder XDG_CONFIG_HOME=$folder XDG_RUNTIME_DIR=$folder QT_QPA_PLATFORM=offscreen
    # It stays until it is told to end: once it lists the file among those it has opened, and each of its threads has been
    # asleep at ten looks in a row, as all is computed and drawn.
    cat >"$folder/until_opened" <<'END'
"$1" "$2" &
rests=0
for ((i = 0; i < 1200; ++i)); do
    grep -qsF "$2" "$HOME/epsilens/epsilens.conf" && ! grep -qs '^State:.[^S]' "/proc/$!"/task/*/status || rests=-1
    ((++rests < 10)) || { kill "$!" && exit; }
    sleep 0.1
done
echo "has not opened $2"
kill "$!"
exit 1
END
    traced window bash "$folder/until_opened" "$window" "$folder/vectors.txt"
fi
exit "$status"
