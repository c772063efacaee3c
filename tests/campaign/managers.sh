# shellcheck shell=bash disable=SC2154,SC2034  # variables are shared with what sources it
# Runs one or two sweeping opensm on a simulated fabric with ibsim's console, and follows their logs. Sourced after
# ibsim_harness/simulation.sh. The caller sets $out (a folder), $engine, $plugin_options, $base_conf (a file with lines for
# opensm.conf) and $settle_limit (seconds), and optionally opensm_options and opensm_wrapper, the words of a command that runs
# opensm.
#
# Managers are numbered from 1. Manager i has the folder $out/manageri, an instance of the harness that uses the same ibsim as the
# others.
#
# These functions avoid situations that ibsim does not simulate well. ibsim does not answer Traps, and its clients wait forever
# for an answer that does not come, so an opensm that has sent a Trap hangs in its next sweep. opensm sends a Trap when its own
# priority is raised while it is standby, and when it polls a master of lower priority. Therefore the priorities of standbys only
# fall, and standbys poll rarely unless a master is about to be stopped. A manager that ends must not leave requests of another
# one unanswered, so the others are suspended while it ends.

# The state of each manager according to its log (see follow).
manager_pid=() sm_state=() phase=() read_bytes=() heavy_begun=() light_begun=() subnet_ups=() restarts=() priority=() light_before=()
opensm_options=() opensm_wrapper=()

# ---- ibsim ----

# start_fabric TOPOLOGY HOST...: starts ibsim with an open console, and creates a folder for a manager at each host.
start_fabric() {
  local topology=$1 host
  shift
  start_simulation_with_console "$out/simulation" "$topology"
  ibsim_pid=$child_pid
  managers=0
  for host; do
    ((++managers))
    mkdir -p "$out/manager$managers"/{osm,state}
    cp "$out/simulation/state"/{socket,size} "$out/manager$managers/state/"
    printf '%s\n' "$host" >"$out/manager$managers/state/host"
    manager_pid[managers]='' restarts[managers]=0
    priority[managers]=$((16 - managers))
    forget_log "$managers"
  done
}

send() { printf '%s\n' "$1" >&"$console"; }

marks=0
# Waits until ibsim has executed all commands; fails if ibsim refused one.
sync_console() {
  local tries refused
  send "#mark $((++marks)) "
  for ((tries = 0; tries < 1200; tries++)); do
    if grep -q "#mark $marks " "$out/simulation/ibsim.log"; then
      refused=$(grep -E '# *(nodeid|can.t|no |port |set error|bad|unlink)|unknown - skipped' "$out/simulation/ibsim.log") || return 0
      broken "ibsim did not accept a command: $refused"
      return 1
    fi
    is_running "$ibsim_pid" || break
    sleep 0.05
  done
  broken "ibsim does not respond: $(tail_of "$out/simulation/ibsim.log")"
  return 1
}

# ---- opensm ----

# Interval in milliseconds at which a standby polls the master.
readonly polling_rarely=60000 polling_often=500
polling=$polling_rarely

# Changes the polling interval of all managers and makes them read their configuration.
set_polling() {
  local i
  polling=$1
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} ]] || continue
    write_conf "$i"
    kill -HUP "${manager_pid[i]}"
  done
  sleep 1
}

# write_conf MANAGER [TEXT]: writes opensm.conf of a manager. TEXT has additional lines, separated by '|'.
write_conf() {
  local dir=$out/manager$1
  {
    cat "$base_conf"
    printf 'sweep_interval 1\nsminfo_polling_timeout %d\npolling_retry_number 2\nsm_priority %d\n' "$polling" "${priority[$1]}"
    tr '|' '\n' <<<"${2:-}"
  } >"$dir/extra.conf"
  write_opensm_conf "$dir" "$engine" "${start_options-$plugin_options service_level_dump=$(levels_file "$1")}" "$dir/extra.conf"
}

# Prints the path of the file to which a manager's plugin writes its service levels.
levels_file() { printf '%s\n' "$out/manager$1/osm/levels"; }

# start_manager MANAGER: starts opensm. Logs of earlier starts are kept as opensm.log.N.
start_manager() {
  local i=$1 dir=$out/manager$1
  write_conf "$i"
  [[ ! -e $dir/opensm.log ]] || mv "$dir/opensm.log" "$dir/opensm.log.${restarts[i]}"
  ((++restarts[i]))
  # Campaigns lose packets, so the timeout is short.
  prepare_opensm "$dir" "$engine" stay -t 300 "${opensm_options[@]}"
  wrap_opensm
  signal_others "$i" STOP
  start_child "${opensm_command[@]}" >>"$dir/opensm.out" 2>&1
  manager_pid[i]=$child_pid
  forget_log "$i"
  until_true 60 "manager $i did not start" is_discovering "$i" || return 1
  signal_others "$i" CONT
}

# Succeeds if the manager discovers the fabric or has done so. By then its port is open, and it answers requests of others.
is_discovering() { ((heavy_begun[$1] > 0)); }

# signal_others MANAGER SIGNAL: sends SIGNAL to all managers but MANAGER.
signal_others() {
  local i
  for ((i = 1; i <= managers; i++)); do
    ((i == $1)) || [[ -z ${manager_pid[i]} ]] || kill -"$2" "${manager_pid[i]}"
  done
}

# Inserts $opensm_wrapper before opensm, within ibsim-run.
wrap_opensm() {
  local n
  for n in "${!opensm_command[@]}"; do
    [[ ${opensm_command[n]} == opensm ]] || continue
    opensm_command=("${opensm_command[@]:0:n}" "${opensm_wrapper[@]}" "${opensm_command[@]:n}")
    return
  done
}

# stop_manager MANAGER SIGNAL: ends a manager and waits until it has ended. After SIGTERM opensm must end with status 0. The other
# managers are suspended meanwhile, because ibsim would never answer their requests to the ended manager, nor report a timeout.
stop_manager() {
  local i=$1 pid=${manager_pid[$1]} status=0
  [[ -n $pid ]] || return 0
  signal_others "$i" STOP
  # Leaves time to answer open requests, also on a loaded machine. Whether they are answered cannot be checked on a partitioned
  # fabric.
  sleep 0.5
  kill -"$2" "$pid" 2>/dev/null || true
  # Suppress the shell's messages about killed children.
  {
    timeout 120 tail --pid="$pid" -f /dev/null || status=124
    ((status == 124)) || wait "$pid" || status=$?
  } 2>/dev/null
  signal_others "$i" CONT
  ((status != 124)) || {
    broken "manager $i did not end within 120 s after SIG$2"
    return 1
  }
  forget_child "$pid"
  manager_pid[i]=''
  [[ $2 != TERM || $status == 0 ]] || {
    broken "manager $i ended with status $status on SIGTERM: $(tail_of "$out/manager$i/opensm.out")"
    return 1
  }
}

# mark_manager MANAGER: marks the manager's port as a subnet manager again after its link was down (mark_manager.c). The other
# managers are suspended while two processes are attached to the port; then all sweep.
mark_manager() {
  local i status=0
  sync_console || return 1
  attach_to "$out/manager$1"
  signal_others "$1" STOP
  # Time to answer open requests, as in stop_manager.
  sleep 0.5
  "${in_simulation[@]}" "$mark_manager" || status=$?
  signal_others "$1" CONT
  ((status == 0)) || {
    broken "mark_manager failed at manager $1"
    return 1
  }
  for ((i = 1; i <= managers; i++)); do kill -HUP "${manager_pid[i]}"; done
}

# ---- logs ----

forget_log() {
  sm_state[$1]=NONE phase[$1]=none read_bytes[$1]=0 heavy_begun[$1]=0 light_begun[$1]=0 subnet_ups[$1]=0
}

# follow MANAGER: updates the manager's state from its log. The phase is the last banner in the log.
follow() {
  local i=$1 log=$out/manager$1/opensm.log size bytes heavy light ups new_phase new_state
  size=$(stat -c %s "$log" 2>/dev/null) || return 0
  ((size > read_bytes[i])) || return 0
  read -r bytes heavy light ups new_phase new_state < <(
    # `tail` seeks to its first byte, so the time does not depend on the length of the log.
    tail -c "+$((read_bytes[i] + 1))" "$log" | LC_ALL=C awk -v size="$((size - read_bytes[i]))" -f "$campaign_dir/follow.awk"
  )
  read_bytes[i]=$((read_bytes[i] + bytes))
  heavy_begun[i]=$((heavy_begun[i] + heavy))
  light_begun[i]=$((light_begun[i] + light))
  subnet_ups[i]=$((subnet_ups[i] + ups))
  [[ $new_phase == same ]] || phase[i]=$new_phase
  [[ $new_state == same ]] || sm_state[i]=$new_state
}

follow_all() {
  local i
  for ((i = 1; i <= managers; i++)); do
    [[ -z ${manager_pid[i]} ]] || follow "$i"
  done
}

# Prints the number of the only master, or nothing if there is none or more than one.
find_master() {
  local i found=
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} ]] || continue
    case ${sm_state[i]} in
      MASTER)
        [[ -z $found ]] || return 0
        found=$i
        ;;
      STANDBY) ;;
      *) return 0 ;;
    esac
  done
  printf '%s\n' "$found"
}

all_alive() {
  local i
  for ((i = 1; i <= managers; i++)); do
    [[ -z ${manager_pid[i]} ]] || is_running "${manager_pid[i]}" || {
      broken "opensm of manager $i has died: $(tail_of "$out/manager$i/opensm.out") $(tail_of "$out/manager$i/opensm.log")"
      return 1
    }
  done
}

# until_true SECONDS WHAT CONDITION...: waits until the condition is true. Follows all logs and fails if a manager ends.
until_true() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  while true; do
    follow_all
    ! "$@" || return 0
    all_alive || return 1
    ((SECONDS < limit)) || break
    sleep 0.03
  done
  broken "$what in time; managers: $(describe_managers)"
  return 1
}

describe_managers() {
  local i
  for ((i = 1; i <= managers; i++)); do
    printf '%d: %s, phase %s; ' "$i" "${sm_state[i]}" "${phase[i]}"
  done
}

# Succeeds if there is one master, all others are standby, and a light sweep of the master that began after the call of settle
# found no change.
is_settled() {
  master=$(find_master)
  [[ -n $master && ${phase[master]} == light-complete ]] && ((light_begun[master] > light_before[master]))
}

# Waits until the subnet has settled, and sets master.
settle() {
  sync_console || return 1
  follow_all
  local i
  for ((i = 1; i <= managers; i++)); do light_before[i]=${light_begun[i]}; done
  until_true "$settle_limit" "the subnet did not settle" is_settled
}

# Triggers a heavy sweep of the master and waits until it has begun.
begin_sweep() {
  follow_all
  local i before
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} && ${sm_state[i]} == MASTER ]] || continue
    before=${heavy_begun[i]}
    kill -HUP "${manager_pid[i]}"
    until_true "$settle_limit" "no sweep began after SIGHUP" has_begun_sweep "$i" "$before"
    return
  done
}

has_begun_sweep() { ((heavy_begun[$1] > $2)); }
are_both_masters() { [[ ${sm_state[1]} == MASTER && ${sm_state[2]} == MASTER ]]; }

# Prints the resident memory of a manager in KiB.
resident_kib() { awk '/^VmRSS:/ { print $2 }' "/proc/${manager_pid[$1]}/status"; }
