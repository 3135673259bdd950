# What the tests with several processes share. To be sourced with the arguments MPIEXEC EPSILENS_MPI EPSILENS_CLI [LEAVING].
# shellcheck shell=bash disable=SC2034
mpiexec=$1
program=$2
cli=$3
leaving=${4-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# More processes than processors, and as root in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none TMPDIR=$folder
failures=0

# Starts processes on two nodes that are this machine: those of one share no memory with those of the other. The agent,
# which would log in to a node, gets options, the name of the node and a command.
mkdir -p "$folder/nodes/one" "$folder/nodes/two"
cat >"$folder/agent" <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
export TMPDIR=$TMPDIR/nodes/$1 OMPI_MCA_btl_vader_backing_directory=$TMPDIR/nodes/$1
exec bash -c "${*:2}"
END
chmod +x "$folder/agent"
two_nodes=("$mpiexec" -H "one:2,two:2" --mca plm_rsh_agent "$folder/agent")
launcher=("$mpiexec")

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# comparable RESULT: a result in JSON without what two runs of one request need not share.
comparable() {
    grep -vE '^ *"(threads|load|prepare|calibrate|perturb|classify|reconstruct|membership|authorship|audit|peakMemoryMiB)": [0-9.e-]+,?$' "$1"
}

# in_background COUNT COMMAND…: starts COUNT processes that take long, and waits until they are to be seen with the last
# word of the command, which must be that of no other test: a file in the folder, say. Sets job and ranks.
in_background() {
    local count=$1 i
    shift
    "$mpiexec" -n "$count" "$@" >"$folder/long.log" 2>&1 &
    job=$!
    for ((i = 0; i < 600; ++i)); do
        mapfile -t ranks < <(pgrep -f "^$program .*${*: -1}")
        ((${#ranks[@]} == count)) && break
        sleep 0.1
    done
    ((${#ranks[@]} == count)) || fail "$count processes were to be seen, not ${#ranks[@]}: $(<"$folder/long.log")"
}

# says TEXT: waits until the run in the background has said it.
says() {
    local i
    for ((i = 0; i < 600; ++i)); do
        grep -q "$1" "$folder/long.log" && return
        sleep 0.1
    done
    fail "the run did not say $1: $(<"$folder/long.log")"
}

# lives PROCESS: whether it runs; one that has ended may wait for a parent that does not ask.
lives() {
    [[ $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) == [^ZX] ]]
}

# ended WHAT: all processes go, for which they have a minute each, and the launcher fails. MPICH ends with 0 after a signal
# that it passed on, whatever the processes say.
ended() {
    local rank i
    for rank in "${ranks[@]}"; do
        for ((i = 0; i < 600; ++i)); do
            lives "$rank" || break
            sleep 0.1
        done
        ! lives "$rank" || fail "$1: process $rank goes on"
    done
    wait "$job" && [[ $1 != SIG* || $("$mpiexec" --version 2>&1) != *HYDRA* ]] && fail "$1: no failure"
    return 0
}

# one_leaves WHAT COMMAND…: of two processes one calls exit(0) once the run has said what it does, which takes minutes: first
# the one and then the other. The run must fail and say, once, that a process has ended.
cat >"$folder/with_leaving" <<'END'
#!/bin/bash
((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != LEAVING_RANK)) || export LD_PRELOAD=$LEAVING
exec "$@"
END
chmod +x "$folder/with_leaving"
one_leaves() {
    local what=$1 rank
    for rank in 0 1; do
        LEAVING=$leaving LEAVING_RANK=$rank LEAVING_WHEN=$folder/leave in_background 2 "$folder/with_leaving" "$program" "${@:2}"
        says "$what"
        touch "$folder/leave"
        ended "process $rank leaves"
        rm "$folder/leave"
        [[ $(grep -c 'a process ended before its work was done' "$folder/long.log") == 1 ]] ||
            fail "$what: process $rank leaves, and the run says: $(<"$folder/long.log")"
    done
}
