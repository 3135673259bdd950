#!/bin/bash
# Runs clang-tidy on source files, and compiles headers alone. The compile commands are those of
# build/compile_commands.json without precompiled headers, so that a missing include is found. A file
# that passed is checked again only if its preprocessed text, its options, the checks or clang-tidy have
# changed.
#
# usage: packaging/tidy.sh FILE…   (relative to the project); without FILE only writes
# build/tidy/compile_commands.json, which has the command of every file. A file of build/ that CMake wrote to compile others
# together stands for all of them, in a sixth of their time.
#
# build/tidy-passed, or the folder EPSILENS_TIDY_CACHE, records the files that passed. EPSILENS_TIDY_CHECKS is added to the
# checks of .clang-tidy.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
root=$PWD
passed=${EPSILENS_TIDY_CACHE:-$root/build/tidy-passed}
mkdir -p "$passed" build/tidy

# The first command of each file: some are compiled for a second target, which need not have been built. Files that are
# compiled together have the command of the file that includes them. Options that only g++ knows are left out.
commands=build/tidy/compile_commands.json
if [[ ! $commands -nt build/compile_commands.json ]]; then
    sed -e 's/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx//; s/ -fpch-preprocess//' \
        -e 's/ -Wno-maybe-uninitialized//; s/ -Wno-subobject-linkage//; s/ -Wno-stringop-over[a-z]*//g' build/compile_commands.json |
        awk '
            function print_command(source, its) {
                its = block
                gsub(file, source, its)
                if (!seen[source]++) {
                    printf "%s%s}", separator, its
                    separator = ",\n"
                }
            }
            BEGIN {print "["}
            /^{/ {block = ""}
            /^[{ ]/ {block = block $0 "\n"}
            /^  "file"/ {file = $0; gsub(/^  "file": "|",?$/, "", file)}
            /^}/ {
                print_command(file)
                if (file ~ /\/Unity\//) {
                    while ((getline line <file) > 0) {
                        if (gsub(/^#include "|"$/, "", line) == 2) {
                            print_command(line)
                        }
                    }
                }
            }
            END {print "\n]"}' >"$commands.$$"
    mv "$commands.$$" "$commands"
fi

# Prints the command that compiles a file, or for a header that of a source file near it.
compile_command() {
    local place=$1
    [[ $1 != *.h ]] || place=${1%/*}/
    while ! grep -qF "\"file\": \"$root/$place" "$commands" && [[ $place == */* ]]; do
        place=${place%/}
        place=${place%/*}/
    done
    awk -v wanted="  \"file\": \"$root/$place" '
        /^  "command": "/ {command = $0}
        index($0, wanted) == 1 {print command; exit}' "$commands" |
        sed -e 's/^  "command": "//; s/",$//; s/\\"/"/g; s/\\\\/\\/g' -e "s| -o .* -c .*| -c $1|"
}

# run_compiler FILE OPTIONS…: without writing an object file, in the folder of the project.
run_compiler() {
    local command
    command=$(compile_command "$1")
    shift
    eval "${command/ -c / $* }"
}

# Hash of everything that the result for a file depends on, independent of the folder of the project.
name_of_content() {
    {
        clang-tidy --version
        cat .clang-tidy - <<<"${EPSILENS_TIDY_CHECKS-}"
        compile_command "$1"
        run_compiler "$1" -E -P -w
    } | sed "s|$root||g" | sha256sum | cut -d ' ' -f 1
}

check() {
    if [[ $1 == *.h ]]; then
        run_compiler "$1" -fsyntax-only -x c++ -w
    elif [[ $1 == */Unity/* ]]; then
        clang-tidy -p build/tidy --quiet --checks="${EPSILENS_TIDY_CHECKS-},-bugprone-suspicious-include" \
            --extra-arg=-Xclang --extra-arg=-analyzer-opt-analyze-headers \
            --header-filter="^$root/(app|core|ui|tests)/.*\.(h|cpp)\$" "$1"
    else
        clang-tidy -p build/tidy --quiet --checks="${EPSILENS_TIDY_CHECKS-}" "$1"
    fi
}

status=0
for file; do
    name=$(name_of_content "$file")
    if [[ ! -e $passed/$name ]]; then
        if output=$(check "$file" 2>&1); then
            : >"$passed/$name"
        else
            printf '%s\n' "$output"
            status=1
        fi
    fi
done
exit $status
