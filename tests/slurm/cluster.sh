# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch
# Runs Slurm for a test: a controller and nodes n1 to n3 on the loopback interface, without accounting and munge. Sourced after
# expect.sh.
PATH=$PATH:/usr/sbin:/sbin
skip_without slurmctld slurmd scontrol squeue sinfo sbatch scancel

started=()
user=$(id -un)
port=$(free_ports 4)
has_run=0
export SLURM_CONF=$scratch/slurm.conf

write_slurm_conf() {
  local host
  host=$(hostname -s)
  cat >"$SLURM_CONF" <<END
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool-%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd-%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=1000,batch_sched_delay=0,sched_interval=1
SelectType=select/linear
MpiDefault=none
MessageTimeout=10
SlurmdParameters=config_overrides
NodeName=n[1-3] NodeAddr=127.0.0.1 NodeHostname=$host Port=[$((port + 1))-$((port + 3))] CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
${slurm_lines-}
END
  printf '#!/bin/sh\nexec sleep 300.%d\n' "$port" >"$scratch/job.sh"
}

# start_controller [OPTION]: starts the controller and sets controller.
start_controller() {
  slurmctld -D "$@" 2>>"$scratch/slurmctld.out" &
  controller=$!
  started+=("$controller")
}

# Starts Slurm and returns when all nodes accept jobs; skips the test if Slurm does not run on this machine. slurm_lines has
# additional lines of slurm.conf.
start_slurm() {
  local node
  write_slurm_conf
  mkdir "$scratch/state" "$scratch"/spool-n{1,2,3}
  start_controller -c
  for node in n1 n2 n3; do
    slurmd -D -N "$node" 2>"$scratch/slurmd-$node.out" &
    started+=($!)
  done
  wait_until all_idle
  has_run=1
}
all_idle() { [[ $(sinfo --noheader --Node --format %T | grep -c idle) == 3 ]]; }

# wait_until COMMAND...: waits a minute or longer. If Slurm ends before it has ever worked, the test is skipped; later this is a
# failure.
wait_until() {
  local tries process end
  for ((tries = 0; tries < 1200; tries++)); do
    if "$@" 2>/dev/null; then return 0; fi
    for process in "${started[@]}"; do
      kill -0 "$process" 2>/dev/null && continue
      end=$(tail -qn 2 "$scratch"/slurm*.log "$scratch"/slurm*.out | head -c 600 || true)
      ((has_run == 0)) || fail "Slurm has ended: $end"
      [[ $end != *'already in use'* ]] || fail "the ports from $port on are taken: $end"
      skip "Slurm does not run here: $end"
    done
    sleep .1
  done
  fail "waited in vain for: $*"$'\n'"$(tail -qn 5 "$scratch"/*.log)"
}

# submit NODES NAME: submits a job that sleeps, and prints its number.
submit() { (cd "$scratch" && sbatch --parsable --nodes="$1" --output=/dev/null --job-name="$2" job.sh); }

# Jobs are not children of this script; Slurm must end them while it runs.
end_jobs() {
  scancel --quiet --user="$user" || true
  wait_until no_jobs
}
no_jobs() { [[ -z $(pgrep -f "sleep 30[0]\.$port") ]]; }
# end_process PID...: ends the processes. A controller that gets SIGTERM just after a job was cancelled may hang while it saves
# its state, and is then killed.
end_process() {
  local process tries
  kill "$@" 2>/dev/null || true
  for process; do
    for ((tries = 0; tries < 50; tries++)); do
      kill -0 "$process" 2>/dev/null || break
      sleep .1
    done
    kill -KILL "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
}
end_slurm() {
  end_process "${started[@]}"
  started=()
}
