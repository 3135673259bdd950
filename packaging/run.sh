#!/bin/bash
# Installs the packages for building, builds, and starts the window or the command line.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
    cat <<'END'
usage: packaging/run.sh [FILE]        starts the window with FILE or the built-in sample
       packaging/run.sh cli ARGS...   runs the command line
END
}

# Whether Qt can open a display. Given an unknown option, the window exits with 2 if it can; otherwise it
# exits with 1, or Qt aborts. Any other failure will be shown by the real start.
display_reachable() {
    local status=0
    (
        ulimit -c 0
        # The exit keeps this silent subshell alive, so that no other shell reports the abort.
        timeout 20 "$project_root/build/bin/epsilens" --is-a-display-there || exit "$?"
    ) </dev/null >/dev/null 2>&1 || status=$?
    ((status != 1 && status != 124 && status != 134))
}

# Keeps the tests configured if they were before, so that run.sh and test.sh do not undo each other.
prepare() {
    local tests=(-DBUILD_TESTING=OFF) cache=$project_root/build/CMakeCache.txt
    install_packages "${build_packages[@]}"
    if grep -qs '^BUILD_TESTING:BOOL=ON$' "$cache"; then
        tests=(-DBUILD_TESTING=ON "-DTEST_ONCE=$(sed -n 's/^TEST_ONCE:BOOL=//p' "$cache")")
    elif [[ ! -e $project_root/build/bin ]]; then
        say "Building for the first time; every half minute a line tells how long it still takes."
    fi
    configure build default "${tests[@]}" || fail "configuring the build failed"
    build build "$@" || fail "the build failed"
}

case ${1-} in
cli)
    shift
    prepare epsilens-cli >&2
    exec "$project_root/build/bin/epsilens-cli" "$@"
    ;;
-h | --help)
    usage
    exit
    ;;
-*)
    usage >&2
    exit 2
    ;;
esac
if (($# > 1)); then
    usage >&2
    exit 2
fi
if (($# == 1)) && [[ ! -e $1 ]]; then
    fail "there is no file $1"
fi

prepare epsilens epsilens-cli >&2
no_display="no display can be reached, so the window cannot open; the command line needs none: packaging/run.sh cli --help"
display_reachable || fail "$no_display"
exec "$project_root/build/bin/epsilens" "$@"
