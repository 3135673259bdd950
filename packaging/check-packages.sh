#!/bin/bash
# Checks the packages that package.sh built: lintian, sizes, the .tar.xz in another folder, and the .deb files in a new
# Debian 12, where they are installed, used, and removed again.
# shellcheck disable=SC2016  # what other shells expand
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
    cat <<'END_OF_USAGE'
usage: packaging/check-packages.sh [--same-as FOLDER] [--mirror ADDRESS] [FOLDER]
  FOLDER     of the packages; without it build-release/packages
  --same-as  packages of another build of the same source and time: must be equal byte for byte
  --mirror   of Debian; without it that of debootstrap
Needs root, about 2 GB below TMPDIR, and a network for the Debian packages that the new system needs.
END_OF_USAGE
}

most_bytes=$((15 * 1000 * 1000))
packages=$project_root/build-release/packages
other=
mirror=()
while (($# > 0)); do
    case $1 in
    --same-as | --mirror)
        (($# > 1)) || { usage >&2 && exit 2; }
        [[ $1 == --mirror ]] && mirror=("$2") || other=$2
        shift
        ;;
    -h | --help)
        usage
        exit
        ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) packages=$1 ;;
    esac
    shift
done
((EUID == 0)) || fail "a new Debian can be set up by root only"
packages=$(readlink -f "$packages")
for name in epsilens epsilens-cli epsilens-mpi epsilens-common; do
    compgen -G "$packages/${name}_*.deb" >/dev/null || fail "there is no package $name in $packages"
done
install_packages "${check_packages[@]}"

folder=$(mktemp -d)
root=$folder/root
clean_up() {
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# check WHAT COMMAND…: prints its output where it fails.
failures=0
check() {
    local what=$1
    shift
    if "$@" >"$folder/output" 2>&1; then
        say "passed: $what"
    else
        say "FAILED: $what"
        sed 's/^/    /' "$folder/output" | tail -n 30 >&2
        failures=$((failures + 1))
    fi
}
contains() {
    local text
    if ! text=$("${@:2}" 2>&1) || [[ $text != *"$1"* ]]; then
        printf '%s\n' "$text"
        return 1
    fi
}
is_small() {
    (($(stat -c %s "$1") <= most_bytes))
}

for package in "$packages"/*; do
    check "$(basename "$package") has at most 15 MB: $(stat -c %s "$package") bytes" is_small "$package"
done
if [[ -n $other ]]; then
    check "another build is the same" diff -r "$packages" "$other"
fi
check "lintian finds no errors" lintian --allow-root --fail-on error "$packages"/*.deb

# --- The archive, in a folder whose name has a space

tree="$folder/another place"
mkdir "$tree"
check "the archive is unpacked" tar -C "$tree" --strip-components 1 -xJf "$packages"/*.tar.xz
for program in epsilens epsilens-cli epsilens-mpi; do
    check "$program runs from there" contains epsilens env -i HOME="$folder" PATH="$PATH" "$tree/bin/$program" --version
done
check "the sample can be opened there" contains 12,000 env -i "$tree/bin/epsilens-cli" info sample
check "the description for software centres is valid" appstreamcli validate --no-net \
    "$tree/share/metainfo/org.epsilens.epsilens.metainfo.xml"

# --- A new Debian

in_root() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
# As somebody who is not root, with a home and nothing else.
as_user() {
    in_root setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/user bash -c "$1"
}
apt_in_root() {
    in_root apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 -o APT::Sandbox::User=root "$@"
}
# Files, and contents that name the program, without what apt and dpkg keep of the past.
traces() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt \
        -o -path ./home -o -path ./run \) -prune -o -type f -print | sort)
    grep -rlsI epsilens "$root"/etc "$root"/usr "$root"/var/lib/dpkg "$root"/var/lib/systemd || true
}

say "setting up a Debian 12"
debootstrap --variant=minbase bookworm "$root" "${mirror[@]}" >"$folder/debootstrap.log" 2>&1 ||
    { tail -n 20 "$folder/debootstrap.log" >&2 && fail "no Debian could be set up; --mirror names another source"; }
mount -t proc proc "$root/proc"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
# Minimal systems leave out the man pages of packages.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*
in_root useradd --create-home --uid 1000 --shell /bin/bash user
check "the tools of this check are installed" apt_in_root install "${checked_root_packages[@]}"
traces >"$folder/before"

mkdir "$root/tmp/packages"
cp "$packages"/*.deb "$root/tmp/packages"
mapfile -t files < <(cd "$root" && printf '/%s\n' tmp/packages/*.deb)
check "apt installs the packages and what they need" apt_in_root install "${files[@]}"
check "epsilens-cli runs" as_user 'epsilens-cli --version && epsilens-cli calibrate sample --words 50 --draws 20 --quiet'
check "epsilens-mpi runs" as_user 'mpirun --oversubscribe -n 2 epsilens-mpi calibrate sample --words 200 --draws 20 --quiet'
check "the example reads results with numpy and plots them" as_user '
    cd
    epsilens-cli calibrate sample --words 300 --draws 50 --epsilon 2..32x9 --lambda 0,1 --quiet --format json \
        -o calibration.json --per-word words.csv &&
        /usr/share/doc/epsilens/examples/read_results.py calibration.json words.csv plot.png &&
        test "$(head -c 4 plot.png | tail -c 3)" = PNG'
check "man pages open" as_user 'for page in epsilens epsilens-cli epsilens-cli-calibrate epsilens-mpi; do
        man -P cat "$page" | grep -q NAME || exit; done'
check "bash completes the commands" contains 'sample sanitize' as_user '
    source /usr/share/bash-completion/bash_completion
    _completion_loader epsilens-cli
    COMP_WORDS=(epsilens-cli sa) COMP_CWORD=1
    _epsilens_cli epsilens-cli sa epsilens-cli
    echo "${COMPREPLY[@]}"'
check "bash completes epsilens-mpi behind mpirun" contains 'calibrate' as_user '
    source /usr/share/bash-completion/bash_completion
    _completion_loader mpirun
    COMP_WORDS=(mpirun -n 4 epsilens-mpi cal) COMP_CWORD=4
    _epsilens_launched mpirun cal epsilens-mpi
    echo "${COMPREPLY[@]}"'
# The title shows that the window has come up; a request to close it ends the program.
check "the window opens and closes" as_user '
    cd && export XDG_RUNTIME_DIR=$HOME
    # A display that no other server has, outside of the new system neither.
    Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>display >/dev/null 2>&1 & server=$!
    trap "kill \$server" EXIT
    timeout 60 bash -c "until [[ -s display ]]; do sleep 0.1; done" || exit
    export DISPLAY=:$(<display)
    epsilens & window=$!
    timeout 60 xdotool search --sync --onlyvisible --class epsilens || exit
    sleep 5
    kill -TERM $window
    wait $window || (($? == 143))'

check "apt removes the packages" apt_in_root purge epsilens epsilens-cli epsilens-mpi epsilens-common
# Also what the tools of this check would like to have.
check "apt removes what they needed" apt_in_root -o APT::AutoRemove::RecommendsImportant=false \
    -o APT::AutoRemove::SuggestsImportant=false autoremove --purge
traces >"$folder/after"
check "nothing is left" diff "$folder/before" "$folder/after"
((failures == 0)) || fail "$failures checks failed"
