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
# Joined files end in .cxx. Tests are no part of a program.
sources=$(grep -E '"command": .* -c [^ ]*/(core|app|ui)/[^ ]*\.c(pp|xx)"' "$commands" | grep -vE ' -c [^ ]*/tests/')
if unchecked=$(grep -vE -- '-D_FORTIFY_SOURCE=2 .*-O[23] ' <<<"$sources"); then
    lacks "the compilation" "checked functions (_FORTIFY_SOURCE): $(head -n 1 <<<"$unchecked")"
fi
if unprotected=$(grep -vF -- '-fstack-protector-strong' <<<"$sources"); then
    lacks "the compilation" "the stack protector: $(head -n 1 <<<"$unprotected")"
fi
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
    ! grep -q 'TEXTREL' <<<"$dynamic" || lacks "$program" "code that is never written to (TEXTREL)"
    # Libraries come from the system's folders, never from one that somebody else may write to.
    ! grep -qE 'RPATH|RUNPATH' <<<"$dynamic" || lacks "$program" "a search path without folders of its own"
    printf '%s checked\n' "$program"
done
exit "$status"
