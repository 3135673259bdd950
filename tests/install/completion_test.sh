#!/bin/bash
# completion_test.sh COMPLETION PROGRAM [EPSILENS_MPI]: checks what bash offers for lines that end where the cursor stands.
set -uo pipefail
# shellcheck source=../../packaging/completion/epsilens-cli
source "$1"
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
touch 'my vectors.txt' other.json
failures=0

# offers LINE WANTED…: exactly these for the last word of the line, in any order.
offers() {
    local wanted found completing=_epsilens_cli
    read -r -a COMP_WORDS <<<"$1"
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    [[ $1 != mpirun* ]] || completing=_epsilens_launched
    "$completing" "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    wanted=$(printf '%s\n' "${@:2}" | sort)
    found=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
    if [[ $found != "$wanted" ]]; then
        printf '%s: expected\n%s\nfound\n%s\n' "$1" "$wanted" "$found"
        failures=$((failures + 1))
    fi
}

offers 'epsilens-cli sa' sample sanitize
offers 'epsilens-cli --v' --version
offers 'epsilens-cli calibrate --mechanism ' laplace mahalanobis tem exponential hyperbolic
offers 'epsilens-cli calibrate --mechanism = te' tem
offers 'epsilens-cli calibrate --metric ' euclidean mahalanobis angular poincare
offers 'epsilens-cli calibrate --noise ' riemannian eq7
offers 'epsilens-cli calibrate --format ' text json csv
offers 'epsilens-cli calibrate --case ' auto keep lower
offers 'epsilens-cli calibrate --input-format word' word2vec-text word2vec-binary
offers 'epsilens-cli sanitize --unknown ' mask random drop keep
offers 'epsilens-cli calibrate --ou' --output
offers 'epsilens-cli sanitize sample --side' --sidecar
offers 'epsilens-cli calibrate --draws ' ''
offers 'epsilens-cli calibrate -o oth' other.json
offers 'epsilens-cli report --from ' 'my vectors.txt' other.json
offers 'epsilens-cli info ' 'my vectors.txt' other.json sample sample-poincare
offers 'epsilens-cli calibrate --strict samp' sample sample-poincare
# The commands of epsilens-mpi are those that processes share; help comes from epsilens-mpi itself where there is one.
if [[ -n ${3-} ]]; then
    program=$3
    offers 'epsilens-mpi ' calibrate recommend evaluate
    offers 'epsilens-mpi evaluate --test-text ' original perturbed
    offers 'epsilens-mpi recommend --obj' --objective
    # Behind mpirun the line names the program to be asked.
    # shellcheck source=../../packaging/completion/mpirun
    source "${1%/*}/mpirun"
    offers "mpirun -n 4 $program cal" calibrate
    offers "mpirun -n 4 $program calibrate --mechanism " laplace mahalanobis tem exponential hyperbolic
    offers "mpirun -n 4 $program calibrate --mechanism = te" tem
    offers "mpirun -n 4 $program calibrate -o oth" other.json
    offers 'mpirun --hostfile oth' other.json
    printf '#!/bin/sh\n' >epsilens-trial
    chmod +x epsilens-trial
    PATH=$folder:/usr/bin:/bin offers 'mpirun -n 4 epsilens-tri' epsilens-trial epsilens-trial
fi
((failures == 0))
