#!/bin/bash
# hardening.sh COMPILE_COMMANDS PROGRAM…: says what a program lacks of the protections that the build
# asks for. Whether functions are checked cannot be seen in a program that calls none of them, so that
# is looked up in the commands that compiled it.
set -euo pipefail
export LC_ALL=C

status=0
# lacks PROGRAM WHAT: notes a failure.
lacks() {
    printf '%s lacks %s\n' "$1" "$2"
    status=1
}

commands=$1
shift
# Tests are no part of a program.
sources=$(grep -E '"command": .* -c [^ ]*/(core|app|ui)/[^ ]*\.cpp"' "$commands" | grep -vE ' -c [^ ]*/tests/')
# Optimisation is needed for checked functions.
wanted=('-D_FORTIFY_SOURCE=3 .*-O[23] ' '-D_GLIBCXX_ASSERTIONS ' ' -fstack-protector-strong ')
if [[ $(uname -m) == x86_64 ]]; then
    wanted+=(' -fcf-protection ' ' -fstack-clash-protection ')
fi
for option in "${wanted[@]}"; do
    if without=$(grep -vE -- "$option" <<<"$sources"); then
        lacks "the compilation" "$option: $(head -n 1 <<<"$without")"
    fi
done
for program in "$@"; do
    header=$(readelf -hW "$program")
    segments=$(readelf -lW "$program")
    dynamic=$(readelf -dW "$program")
    symbols=$(readelf --dyn-syms -W "$program")
    grep -q 'Type: *DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || lacks "$program" "position independence (PIE)"
    grep -q 'GNU_RELRO' <<<"$segments" || lacks "$program" "read-only relocations (RELRO)"
    grep -qE 'FLAGS_1.*NOW' <<<"$dynamic" || lacks "$program" "binding at the start (full RELRO)"
    grep -qE 'GNU_STACK .* RW  ' <<<"$segments" || lacks "$program" "a stack that is not executable"
    grep -q '__stack_chk_fail' <<<"$symbols" || lacks "$program" "the stack protector"
    grep -q '__glibcxx_assert_fail' <<<"$symbols" || lacks "$program" "assertions of the standard library"
    ! grep -q 'TEXTREL' <<<"$dynamic" || lacks "$program" "code that is never written to (TEXTREL)"
    # Libraries come from the system's folders, never from one that somebody else may write to.
    ! grep -qE 'RPATH|RUNPATH' <<<"$dynamic" || lacks "$program" "a search path without folders of its own"
    printf '%s checked\n' "$program"
done
exit "$status"
