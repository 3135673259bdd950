#!/bin/bash
# libraries.sh PROGRAM NAME…: fails when the program itself asks for a library that is not among
# these names (without ending and version). What libraries ask for in their turn is not looked at.
set -euo pipefail
export LC_ALL=C

program=$1
shift
status=0
while read -r library; do
    name=${library%%.so*}
    allowed=false
    for one in "$@"; do
        [[ $name == "$one" ]] && allowed=true
    done
    if [[ $allowed == false ]]; then
        printf '%s needs %s, which is not on the list\n' "$program" "$library"
        status=1
    fi
done < <(readelf -dW "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
((status == 0)) && printf '%s needs only what is on the list\n' "$program"
exit "$status"
