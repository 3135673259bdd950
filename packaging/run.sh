#!/bin/bash
# Installs what building needs, builds, and starts the window or the command line.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
    cat <<'END'
usage: packaging/run.sh [FILE]        starts the window with FILE or the built-in sample
       packaging/run.sh cli ARGS...   runs the command line
END
}

# The built window answers an option that it does not have with 2, once Qt has reached a display of the
# platform asked for; without one it says so or Qt aborts. Other failures are left for the start to show.
display_reachable() {
    local status=0
    (
        ulimit -c 0
        # With something behind it the shell that tells of the abort is this silent one.
        timeout 20 "$project_root/build/bin/epsilens" --is-a-display-there || exit "$?"
    ) </dev/null >/dev/null 2>&1 || status=$?
    ((status != 1 && status != 124 && status != 134))
}

# Tests stay part of the build folder once they are, so that no call undoes another's work.
prepare() {
    local tests=OFF
    install_packages "${build_packages[@]}"
    if grep -qs '^BUILD_TESTING:BOOL=ON$' "$project_root/build/CMakeCache.txt"; then
        tests=ON
    elif [[ ! -e $project_root/build/bin ]]; then
        say "Building for the first time; this takes a few minutes."
    fi
    configure build default "-DBUILD_TESTING=$tests" || fail "configuring the build failed"
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
