#!/bin/bash
# display.sh WINDOW PACKAGING: fails when run.sh starts the window without a display, or does not with
# one. Building is left out: the commands for it are replaced by ones that do nothing.
set -euo pipefail
export LC_ALL=C

window=$1
packaging=$2
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$folder"' EXIT

mkdir -p "$folder/bin" "$folder/project/build/bin"
cp -r "$packaging" "$folder/project/packaging"
touch "$folder/project/CMakePresets.json"
for command in cmake ninja; do
    printf '#!/bin/sh\n' >"$folder/bin/$command"
done
printf '#!/bin/sh\nshift 2\nprintf "ii %%s\\n" "$@"\n' >"$folder/bin/dpkg-query"
# Only asks for a display; the window would stay open.
printf '#!/bin/sh\n[ $# -eq 0 ] && echo opened && exit\nexec "%s" "$@"\n' "$window" >"$folder/project/build/bin/epsilens"
chmod +x "$folder/bin"/* "$folder/project/build/bin/epsilens"

status=0
# expect CODE OUTPUT VARIABLE=VALUE…: how run.sh ends in an environment with these variables.
expect() {
    local code=$1 output=$2 ended=0
    shift 2
    env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM PATH="$folder/bin:$PATH" "$@" \
        "$folder/project/packaging/run.sh" >"$folder/output" 2>"$folder/errors" || ended=$?
    grep -v '^warning: made for Debian 12' "$folder/errors" >"$folder/said" || true
    if ((ended != code)) || ! grep -q "$output" "$folder/output" "$folder/said" ||
        (($(cat "$folder/output" "$folder/said" | wc -l) != 1)); then
        printf 'with %s: ended with %d and said\n' "$*" "$ended"
        cat "$folder/output" "$folder/said"
        status=1
    fi
}
no_display='^[^:]*:\?error: no display can be reached.*packaging/run.sh cli --help'

expect 1 "$no_display" NOTHING=
expect 1 "$no_display" DISPLAY=:4567
expect 1 "$no_display" WAYLAND_DISPLAY=no-such-socket
expect 1 "$no_display" QT_QPA_PLATFORM=nonsense
expect 0 opened QT_QPA_PLATFORM=offscreen

if command -v Xvfb >/dev/null && command -v xauth >/dev/null; then
    touch "$folder/key"
    xauth -q -f "$folder/key" add :0 . 0123456789abcdef0123456789abcdef
    mkfifo "$folder/number"
    Xvfb -displayfd 3 -auth "$folder/key" -nolisten tcp 3>"$folder/number" 2>/dev/null &
    server=$!
    read -r number <"$folder/number"
    xauth -q -f "$folder/key" add ":$number" . 0123456789abcdef0123456789abcdef
    expect 0 opened "DISPLAY=:$number" "XAUTHORITY=$folder/key"
    expect 1 "$no_display" "DISPLAY=:$number" XAUTHORITY=/dev/null
else
    echo "no X server was tried: Xvfb or xauth is missing"
fi
((status == 0)) && echo "run.sh starts the window where there is a display only"
exit "$status"
