#!/bin/bash
# slurm_test.sh MPIEXEC EPSILENS_MPI EPSILENS_CLI EXAMPLES: the examples for Slurm, in jobs on two nodes, which are this
# machine. What they write is what one process writes.
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "$0")")/common.sh" "$@"
examples=$4
daemons=()
finish() {
    ((${#daemons[@]} == 0)) || kill "${daemons[@]}"
    wait
    rm -rf "$folder"
}
trap finish EXIT
PATH=$(dirname "$cli"):$(dirname "$program"):/usr/sbin:$PATH
export SLURM_CONF=$folder/slurm.conf

# Slurm signs its messages by munge, whose socket all users of a machine must reach.
chmod 755 "$folder"
mkdir -p "$folder"/{munge,controller,nodes/one,nodes/two,job}
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 400 "$folder/munge/key"
munged --force --foreground --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" >"$folder/munged.log" 2>&1 &
daemons+=($!)
user=$(id -un)
port=$((20000 + $$ % 10000))
cat >"$SLURM_CONF" <<END
ClusterName=trial
SlurmctldHost=localhost
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/controller
SlurmctldPidFile=$folder/controller/pid
SlurmdSpoolDir=$folder/nodes/%n
SlurmdPidFile=$folder/nodes/%n/pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=one NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=two NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
for daemon in slurmctld "slurmd -N one" "slurmd -N two"; do
    # shellcheck disable=SC2086
    $daemon -D -f "$SLURM_CONF" >"$folder/${daemon// /-}.log" 2>&1 &
    daemons+=($!)
done
for ((i = 0; i < 100; ++i)); do
    [[ $(sinfo --noheader --states=idle --format=%D 2>/dev/null) == 2 ]] && break
    sleep 0.1
done
((i < 100)) || { fail "Slurm does not start: $(tail -n 5 "$folder"/*.log)"; exit 1; }

cd "$folder/job" || exit 1
request=(sample --words 200 --draws 20 --epsilon 2,8 --lambda 0,0.5 --seed 3)
"$cli" calibrate "${request[@]}" --quiet --format json -o alone.json || fail "one process"
timeout 120 sbatch --wait --nodes=2 "$examples/calibrate.slurm" "${request[@]}" -o shared.json >log 2>&1 ||
    fail "calibrate.slurm: $(cat log epsilens-*.log)"
cmp <(comparable alone.json) <(comparable shared.json) || fail "calibrate.slurm: another calibration"
((failures == 0))
