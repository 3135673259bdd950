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

# Succeeds when something accepts a connection at one of the places given: unix:PATH or HOST:PORT.
anything_listens() {
    perl -e '
        use Socket qw(:DEFAULT getaddrinfo);
        alarm 5;
        for my $place (@ARGV) {
            my ($kind, $path) = $place =~ /^(unix):(.*)$/s;
            my ($host, $port) = $place =~ /^(.*):(\d+)$/;
            if ($kind) {
                for my $name ($path, "\0$path") {
                    socket(my $local, PF_UNIX, SOCK_STREAM, 0) or next;
                    connect($local, pack_sockaddr_un($name)) and exit 0;
                }
            } elsif ($host) {
                my ($error, @found) = getaddrinfo($host, $port, {socktype => SOCK_STREAM});
                for my $address (@found) {
                    socket(my $remote, $address->{family}, SOCK_STREAM, 0) or next;
                    connect($remote, $address->{addr}) and exit 0;
                }
            }
        }
        exit 1;' "$@" 2>/dev/null
}

x_display_reachable() {
    [[ ${DISPLAY-} =~ ^(.*):([0-9]+)(\.[0-9]+)?$ ]] || return 1
    local host=${BASH_REMATCH[1]} number=${BASH_REMATCH[2]}
    case $host in
    '' | unix | */unix) anything_listens "unix:/tmp/.X11-unix/X$number" ;;
    *) anything_listens "$host:$((6000 + number))" ;;
    esac
}

wayland_display_reachable() {
    case ${WAYLAND_DISPLAY-} in
    '') return 1 ;;
    /*) anything_listens "unix:$WAYLAND_DISPLAY" ;;
    *) [[ -n ${XDG_RUNTIME_DIR-} ]] && anything_listens "unix:$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ;;
    esac
}

# QT_QPA_PLATFORM may list several platforms; those that are no windowing system need no display.
display_reachable() {
    local platform platforms
    IFS=';' read -r -a platforms <<<"${QT_QPA_PLATFORM:-xcb;wayland}"
    for platform in "${platforms[@]}"; do
        case $platform in
        xcb*) x_display_reachable && return ;;
        wayland*) wayland_display_reachable && return ;;
        *) return 0 ;;
        esac
    done
    return 1
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
