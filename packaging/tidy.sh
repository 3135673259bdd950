#!/bin/bash
# Runs clang-tidy on source files. The compile commands are those of build/compile_commands.json without
# precompiled headers, so that a missing include is found. A file that passed is checked again only if
# its preprocessed text, its options, the checks or clang-tidy have changed.
#
# usage: packaging/tidy.sh FILE…   (relative to the project); without FILE only writes
# build/tidy/compile_commands.json, which has the command of every file
#
# build/tidy-passed, or the folder EPSILENS_TIDY_CACHE, records the files that passed.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
root=$PWD
passed=${EPSILENS_TIDY_CACHE:-$root/build/tidy-passed}
mkdir -p "$passed" build/tidy

# The first command of each file: some are compiled for a second target, which need not have been built.
# Files that are joined for compiling each have the command of the joined one. Options that only g++
# knows are left out.
commands=build/tidy/compile_commands.json
if [[ ! $commands -nt build/compile_commands.json ]]; then
    sed -e 's/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx//; s/ -fpch-preprocess//' \
        -e 's/ -Wno-maybe-uninitialized//; s/ -Wno-stringop-over[a-z]*//g; s/ -Wno-subobject-linkage//' \
        build/compile_commands.json |
        awk '
            function show(path, shown) {
                if (!seen[path]++) {
                    printf "%s{\n%s}", separator, shown
                    separator = ",\n"
                }
            }
            # The names are no patterns: they may hold any character.
            function replaced(text, old, new, at, done) {
                while ((at = index(text, old)) > 0) {
                    done = done substr(text, 1, at - 1) new
                    text = substr(text, at + length(old))
                }
                return done text
            }
            function show_parts(joined, line, part) {
                while ((getline line <joined) > 0) {
                    if (line ~ /^#include "\//) {
                        part = substr(line, 11, length(line) - 11)
                        show(part, replaced(block, joined, part))
                    }
                }
                close(joined)
            }
            /^{/ {block = ""}
            /^  / {block = block $0 "\n"}
            /^  "file"/ {file = $0; sub(/^  "file": "/, "", file); sub(/",?$/, "", file)}
            /^}/ && file ~ /\/Unity\/unity_[0-9]+_cxx\.cxx$/ {show_parts(file)}
            /^}/ && file !~ /\/Unity\/unity_[0-9]+_cxx\.cxx$/ {show(file, block)}
            BEGIN {print "["}
            END {print "\n]"}' >"$commands.$$"
    mv "$commands.$$" "$commands"
fi

# Prints the command that compiles a file.
compile_command() {
    awk -v wanted="  \"file\": \"$root/$1\"" '
        /^  "command": "/ {command = $0}
        index($0, wanted) == 1 {print command; exit}' "$commands" |
        sed -e 's/^  "command": "//; s/",$//; s/\\"/"/g; s/\\\\/\\/g'
}

# Hash of everything that the result for a file depends on, independent of the folder of the project.
name_of_content() {
    local command
    command=$(compile_command "$1")
    {
        clang-tidy --version
        cat .clang-tidy
        printf '%s\n' "${command/ -o * -c / -c }"
        (cd build && eval "${command/ -o * -c / -E -C -P -w }")
    } | sed "s|$root||g" | sha256sum | cut -d ' ' -f 1
}

status=0
for file; do
    name=$(name_of_content "$file")
    if [[ ! -e $passed/$name ]]; then
        if output=$(clang-tidy -p build/tidy --quiet "$file" 2>&1); then
            : >"$passed/$name"
        else
            printf '%s\n' "$output"
            status=1
        fi
    fi
done
exit $status
