#!/bin/bash
# Installs a build below a folder of its own, looks at what is there, and runs the installed programs without a display.
# usage: installed_test.sh CMAKE BUILD_FOLDER VERSION GUI(ON|OFF) LIBRARY(ON|OFF)
# LIBRARY: also builds a program that uses the installed library.
set -euo pipefail

cmake=$1
build=$2
version=$3
gui=$4
library=$5
here=$(dirname "$(readlink -f "$0")")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

check() {
    local what=$1
    shift
    if ! "$@" >"$root/output" 2>&1; then
        printf 'FAILED: %s\n' "$what"
        sed 's/^/    /' "$root/output" | head -20
        failures=$((failures + 1))
    fi
}

# A tool that is not installed is named, so that nobody takes the check for done.
check_with() {
    local tool=$1 what=$2
    shift 2
    if command -v "$tool" >/dev/null; then
        check "$what" "$tool" "$@"
    else
        printf 'left out, %s is not installed: %s\n' "$tool" "$what"
    fi
}

contains() {
    grep -qF -- "$2" "$1"
}

says() {
    local wanted=$1
    shift
    [[ $("$@" 2>&1) == *"$wanted"* ]]
}

has_size() {
    # Width and height stand at byte 16 of a PNG file, each in four bytes.
    [[ $(od -A n -t u1 -j 16 -N 8 "$1" | tr -s ' ') == " 0 0 0 $2 0 0 0 $2" ]]
}

DESTDIR=$root "$cmake" --install "$build" --prefix /usr >"$root/install.log" 2>&1 || {
    cat "$root/install.log"
    exit 1
}
usr=$root/usr
share=$usr/share

files=(bin/epsilens-cli share/man/man1/epsilens-cli.1 share/doc/epsilens/LICENSE share/doc/epsilens/NOTICE
    share/doc/epsilens/components.md share/doc/epsilens/CHANGELOG.md share/doc/epsilens/README.md
    share/doc/epsilens/SECURITY.md share/bash-completion/completions/epsilens-cli
    include/epsilens/core/calibration/calibrate.h include/epsilens/core/embedding/load.h
    include/epsilens/core/mechanism/mechanism.h include/epsilens/core/release/sanitizer.h)
if [[ $gui == ON ]]; then
    files+=(bin/epsilens share/man/man1/epsilens.1 share/applications/epsilens.desktop
        share/mime/packages/epsilens.xml share/metainfo/org.epsilens.epsilens.metainfo.xml
        share/icons/hicolor/scalable/apps/epsilens.svg share/icons/hicolor/48x48/apps/epsilens.png
        share/icons/hicolor/128x128/apps/epsilens.png)
fi
if [[ -e $usr/bin/epsilens-mpi ]]; then
    files+=(share/man/man1/epsilens-mpi.1 share/bash-completion/completions/epsilens-mpi
        share/bash-completion/completions/mpirun share/bash-completion/completions/mpiexec)
fi
for file in "${files[@]}"; do
    check "$file is there" test -s "$usr/$file"
done
check "nothing lies outside /usr" test "$(ls "$root")" = "$(printf 'install.log\noutput\nusr')"

# Every command of the program has its page, and each page is correct roff.
while read -r command _; do
    check "a page of $command" test -s "$share/man/man1/epsilens-cli-$command.1"
done < <(env -i "$usr/bin/epsilens-cli" --help | sed -n '/^Commands:/,/^$/{/^  /p}')
command -v man >/dev/null || echo 'left out, man is not installed: the pages have no mistakes'
for page in "$share"/man/man1/*.1; do
    check "$page has its sections" grep -qzP '\.TH .*\n\.SH NAME\n.*\n\.SH SYNOPSIS\n' "$page"
    if command -v man >/dev/null; then
        check "$page has no mistakes" test -z "$(MANWIDTH=100 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)"
    fi
done
check "an option stands in the page" contains "$share/man/man1/epsilens-cli-calibrate.1" '.B \-\-epsilon LIST'

if [[ $library == ON ]]; then
    # Where the library was installed to is not where it was configured for: it works in any folder.
    check "the example finds the library" "$cmake" -G Ninja -S "$here/example" -B "$root/example" -DCMAKE_PREFIX_PATH="$usr"
    check "the example is built" "$cmake" --build "$root/example"
    # At epsilon 1,000 the noise is too small to change a word of the sample.
    check "the example calibrates and releases" says 'epsilon 1000: 10 of 10 draws keep a word
The early train.' "$root/example/example"
fi

# Without a display, a home or any other setting.
check "epsilens-cli --version" says "$version" env -i "$usr/bin/epsilens-cli" --version
check "epsilens-cli works on the sample" says "12,000" env -i "$usr/bin/epsilens-cli" info sample
if [[ $gui == ON ]]; then
    check "epsilens --version" says "epsilens $version" env -i "$usr/bin/epsilens" --version
    check "epsilens --help" says "Usage: epsilens [FILE]" env -i "$usr/bin/epsilens" --help
    check "without a display it says so" says "no display" env -i "$usr/bin/epsilens"
    for size in 48 128; do
        check "icon of $size pixels" has_size "$share/icons/hicolor/${size}x$size/apps/epsilens.png" "$size"
    done
    for type in x-epsilens-session x-word-vectors x-word-vectors-binary; do
        check "the entry opens $type" contains "$share/applications/epsilens.desktop" "application/$type;"
        check "$type is described" contains "$share/mime/packages/epsilens.xml" "\"application/$type\""
    done
    for ending in epsilens vec; do
        check "the type of .$ending" contains "$share/mime/packages/epsilens.xml" "\"*.$ending\""
    done
    # FASTTEXT_FILEFORMAT_MAGIC_INT32 of fastText, 793712314
    check "models of fastText are known" contains "$share/mime/packages/epsilens.xml" 'type="little32" value="0x2f4f16ba"'
    check_with desktop-file-validate "the desktop entry is valid" "$share/applications/epsilens.desktop"
    check_with appstreamcli "the metainfo is valid" validate --no-net \
        "$share/metainfo/org.epsilens.epsilens.metainfo.xml"
    check_with xmllint "the types are well-formed" --noout "$share/mime/packages/epsilens.xml"
    if command -v update-mime-database >/dev/null; then
        check "the types can be used" update-mime-database "$share/mime"
        check "the ending of sessions is known" contains "$share/mime/globs2" 'application/x-epsilens-session:*.epsilens'
        check "the ending of vectors is known" contains "$share/mime/globs2" 'application/x-word-vectors:*.vec'
    fi
fi
if ((failures > 0)); then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
