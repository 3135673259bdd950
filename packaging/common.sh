# Functions shared by run.sh and test.sh: messages, packages, configuring and building. To be sourced.
# shellcheck shell=bash

packaging_directory=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
project_root=$(dirname "$packaging_directory")
# shellcheck source=packages.sh
source "$packaging_directory/packages.sh"

# Lets ccache share compiler results between checkouts in different folders.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$project_root}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "error: $*"
    exit 1
}

on_debian_12() {
    # shellcheck disable=SC1091
    (. /etc/os-release && [[ ${ID-} == debian && ${VERSION_ID-} == 12 ]]) 2>/dev/null
}

# Prints the arguments that are not installed packages.
missing_packages() {
    local -A installed=()
    local package
    while read -r package; do
        installed[$package]=1
    done < <(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^.i //p')
    for package in "$@"; do
        [[ -n ${installed[$package]-} ]] || printf '%s\n' "$package"
    done
}

# Runs apt-get ARGS… as root. apt itself waits for the lock of dpkg but not for that of its lists.
apt_get() {
    local log status deadline=$((SECONDS + 600)) command=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C)
    ((EUID == 0)) || command=(sudo "${command[@]}")
    log=$(mktemp)
    while true; do
        status=0
        "${command[@]}" apt-get -q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@" </dev/null 2>&1 | tee "$log" >&2 || status=$?
        if ((status == 0 || SECONDS >= deadline)) || ! grep -q 'Could not get lock' "$log"; then
            break
        fi
        sleep 2
    done
    rm -f "$log"
    return "$status"
}

# Installs the packages among its arguments that are missing. If none is missing, it needs neither network nor root.
install_packages() {
    on_debian_12 || say "warning: made for Debian 12, which this system is not; trying all the same"
    command -v dpkg-query >/dev/null || return 0
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0

    local by_hand="su - -c 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'"
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        say "Packages are missing, and without root or sudo they cannot be installed from here. Please run:"
        say "$by_hand"
        exit 1
    fi
    say "Installing packages: ${missing[*]}"
    apt_get update || say "warning: the package lists could not be updated; trying with those at hand"
    if ! apt_get install -y --no-install-recommends "${missing[@]}"; then
        say "error: the packages could not be installed. By hand:"
        say "$by_hand"
        exit 1
    fi
}

# configure FOLDER PRESET OPTIONS…: does nothing if FOLDER is already configured in exactly this way.
configure() {
    local folder=$project_root/$1 preset=$2
    shift 2
    on_debian_12 || set -- "$@" -DWARNINGS_AS_ERRORS=OFF
    local wanted stamp=$folder/configured-as.txt
    wanted="$project_root $preset $* $(cksum <"$project_root/CMakePresets.json")"
    if [[ -f $folder/build.ninja && -f $stamp && $(<"$stamp") == "$wanted" ]]; then
        return 0
    fi
    # CMake drops settings of an older cache if the compiler or the folder of the project has changed.
    [[ ! -f $folder/CMakeCache.txt ]] || set -- --fresh "$@"
    (cd "$project_root" && cmake --log-level=WARNING --no-warn-unused-cli --preset "$preset" -B "$folder" "$@") >/dev/null || return
    printf '%s\n' "$wanted" >"$stamp"
}

# Prints what ninja says but for its steps; of these, twice a minute how far they are and how long the rest takes at their
# pace.
show_progress() {
    local line percent seconds said=0
    while IFS= read -r line; do
        if [[ $line == $'\x01'* ]]; then
            read -r _ percent seconds _ <<<"${line//%/}"
            seconds=${seconds%%[.,]*}
            if ((seconds >= said + 30 && percent > 0 && percent < 100)); then
                printf '%s%% built, about %d minutes to go\n' "$percent" $(((seconds * (100 - percent) / percent + 59) / 60))
                said=$seconds
            fi
        elif [[ $line != 'ninja: no work to do'* ]]; then
            printf '%s\n' "$line"
        fi
    done
}

# build FOLDER TARGETS…
build() {
    NINJA_STATUS=$'\x01 %p %e ' ninja -C "$project_root/$1" -j "$(nproc)" "${@:2}" | show_progress
}
