#!/usr/bin/env bash
# How long does a standby that becomes master need to read the tables of the switches (docs/reference/plugin.md, Two managers)?
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"
# shellcheck source=ibsim_harness/living.sh
. "$benchmarks_dir/../ibsim_harness/living.sh"

usage() {
  cat <<'EOF'
usage: take_over.sh [--runs N] [--engine NAME] [--wire-smps N] [SPEC]

Starts two stock opensm with the plugin on one fabric that ibsim simulates, and kills the master. The standby takes over: it reads the tables of the
switches and routes the fabric. Repeats this N times, each time with a new standby. Prints one line per takeover: opensm's log line about the tables, the
time from the end of the discovery to this line, and the time from there to SUBNET UP.

SPEC is a topology file, or a fabric as for make_topo, as one argument (default: thunderbird).

  --runs N       number of takeovers, 1 to 15 (default: 3)
  --engine NAME  engine (default: pssp)
  --wire-smps N  maximum number of outstanding requests of opensm (max_wire_smps, default: 4)

Run nothing else on the machine meanwhile. Exit codes: 0 success, 2 usage, 21 ibsim or opensm failed.
EOF
}

runs=3 engine=pssp wire_smps=4 spec=thunderbird
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --runs) runs=$2 && shift 2 ;;
    --engine) engine=$2 && shift 2 ;;
    --wire-smps) wire_smps=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) spec=$1 && shift ;;
  esac
done
# Each manager has a lower priority than the one before, and priorities range from 0 to 15.
[[ $runs =~ ^([1-9]|1[0-5])$ ]] || { usage >&2 && exit 2; }
take_fabric "$spec"
topology=$(readlink -f "$topology")
PSSP_BUILD_DIR=$(readlink -f "$PSSP_BUILD_DIR")
own_children
trap 'end_children; rm -rf "$scratch"' EXIT
# ibsim's client library creates folders in the working directory of its clients.
cd "$scratch"
start_simulation "$scratch/fabric" "$topology" start_child

# Select hosts for the managers. Aggregation nodes inside switches are not hosts.
mapfile -t hosts < <(awk '/^(Ca|Hca)[[:space:]]/ && !/Aggregation/ { gsub(/"/, "", $3); print $3 }' "$playable" | grep -vxF "$(<"$scratch/fabric/state/host")" | head -n "$((runs + 1))")

((${#hosts[@]} > runs)) || { echo "take_over.sh: the fabric has too few hosts: $runs takeovers need $((runs + 2))" >&2 && exit 2; }

# Later managers have lower priority. A standby that polls a master of higher priority sends no trap, which ibsim would not
# answer.
priority=15
# manager NAME HOST: starts a manager and sets manager_pid.
manager() {
  local dir=$scratch/$1
  mkdir -p "$dir"/{osm,state}
  cp "$scratch"/fabric/state/{socket,size} "$dir/state/"
  printf '%s\n' "$2" >"$dir/state/host"
  printf 'sm_priority %d\nsminfo_polling_timeout 200\npolling_retry_number 2\nmax_wire_smps %d\n' $((priority--)) "$wire_smps" >"$dir/extra.conf"
  write_opensm_conf "$dir" "$engine" '' "$dir/extra.conf"
  prepare_opensm "$dir" "$engine" stay
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  manager_pid=$child_pid
}

# wait_for NAME TEXT: waits until the manager's log contains TEXT.
wait_for() {
  local tries limit_s
  limit_s=$(default_timeout "$scratch/fabric")
  for ((tries = 0; tries < 10 * limit_s; tries++)); do
    ! grep -qsF "$2" "$scratch/$1/opensm.log" || return 0
    is_running "$manager_pid" || break
    sleep 0.1
  done
  die "$exit_simulation" "opensm did not log '$2': $(tail_of "$scratch/$1/opensm.log")"
}

manager 0 "$(<"$scratch/fabric/state/host")"
wait_for 0 'SUBNET UP'
for ((run = 1; run <= runs; run++)); do
  master_pid=$manager_pid
  manager "$run" "${hosts[run - 1]}"
  wait_for "$run" 'Entering STANDBY state'
  stop_answered "$scratch/fabric" "${hosts[runs]}" "$manager_pid"
  kill -KILL "$master_pid"
  wait "$master_pid" 2>/dev/null || true
  forget_child "$master_pid"
  kill -CONT "$manager_pid"
  wait_for "$run" 'SUBNET UP'
  awk '
    function stamp() { split($3, t, ":"); return (t[1] * 60 + t[2]) * 60 + t[3] + $4 / 1e6 }
    { now = stamp() }
    /takeover: read the tables/ && !read { read = now; began = before; sub(/.*osmpssp: /, ""); said = $0 }
    /SUBNET UP/ { up = now; exit }
    { before = now }
    END {
      if (!read) exit 1
      printf "%s; %.2f s from the discovery to this line, %.2f s from it to SUBNET UP\n", said, read - began, up - read
    }' "$scratch/$run/opensm.log" || die "$exit_simulation" "the standby did not read the tables: $(tail_of "$scratch/$run/opensm.log")"
done
