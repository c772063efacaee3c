# shellcheck shell=bash disable=SC2154,SC2034  # variables are shared with what sources it
# Subnet managers on a simulated fabric that lives: ibsim with its console open, one or two opensm that keep sweeping,
# and what their logs say. Sourced after ibsim_harness/simulation.sh; the caller sets $out (a folder), $engine,
# $plugin_options, $base_conf (a file with lines for opensm.conf), $settle_limit (seconds) and, where there is more to be
# said, opensm_options and opensm_wrapper, the words of a command that runs opensm.
#
# Managers are numbered from 1. Manager i has the folder $out/manageri, an instance of the harness that shares ibsim's.
#
# Where ibsim falls short of a fabric, the managers are spared. It answers no Trap, and a client of ibsim waits for ever for
# an answer that does not come: an opensm that has sent a Trap hangs in its next sweep. opensm sends one in two cases: when
# its own priority is raised while it is standby, and when it polls a master that has the lower priority. Hence priorities
# of standbys only fall, and they poll rarely unless a master is about to die. And an opensm that ends leaves no request
# of another one unanswered: the others stand still while it ends.

# What is known of each manager, from its log (follow).
manager_pid=() sm_state=() phase=() read_bytes=() heavy_begun=() light_begun=() subnet_ups=() restarts=() priority=() light_before=()
opensm_options=() opensm_wrapper=()

# ---- ibsim ----

# start_fabric TOPOLOGY HOST...: ibsim with an open console, and a folder for a manager at each host.
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
# Waits until ibsim has done all that was sent; fails when it refused something.
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
  broken "ibsim does not answer: $(tail_of "$out/simulation/ibsim.log")"
  return 1
}

# ---- opensm ----

# Milliseconds between two questions of a standby whether the master lives.
readonly polling_rarely=60000 polling_often=500
polling=$polling_rarely

# Configures all managers anew and lets them notice.
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

# write_conf MANAGER [TEXT]: opensm.conf of a manager; TEXT has further lines, '|' between them.
write_conf() {
  local dir=$out/manager$1
  {
    cat "$base_conf"
    printf 'sweep_interval 1\nsminfo_polling_timeout %d\npolling_retry_number 2\nsm_priority %d\n' "$polling" "${priority[$1]}"
    tr '|' '\n' <<<"${2:-}"
  } >"$dir/extra.conf"
  write_opensm_conf "$dir" "$engine" "${start_options-$plugin_options service_level_dump=$(levels_file "$1")}" "$dir/extra.conf"
}

# Where the plugin of a manager writes its service levels.
levels_file() { printf '%s\n' "$out/manager$1/osm/levels"; }

# start_manager MANAGER: logs of earlier starts stay as opensm.log.N.
start_manager() {
  local i=$1 dir=$out/manager$1
  write_conf "$i"
  [[ ! -e $dir/opensm.log ]] || mv "$dir/opensm.log" "$dir/opensm.log.${restarts[i]}"
  ((++restarts[i]))
  # Lost packets are part of a campaign: the time-out is short.
  prepare_opensm "$dir" "$engine" stay -t 300 "${opensm_options[@]}"
  wrap_opensm
  signal_others "$i" STOP
  start_child "${opensm_command[@]}" >>"$dir/opensm.out" 2>&1
  manager_pid[i]=$child_pid
  forget_log "$i"
  until_true 60 "manager $i does not start" is_discovering "$i" || return 1
  signal_others "$i" CONT
}

# Or further on; by then its port is open, and it answers the questions of others.
is_discovering() { ((heavy_begun[$1] > 0)); }

# signal_others MANAGER SIGNAL
signal_others() {
  local i
  for ((i = 1; i <= managers; i++)); do
    ((i == $1)) || [[ -z ${manager_pid[i]} ]] || kill -"$2" "${manager_pid[i]}"
  done
}

# Puts $opensm_wrapper before opensm, within ibsim-run.
wrap_opensm() {
  local n
  for n in "${!opensm_command[@]}"; do
    [[ ${opensm_command[n]} == opensm ]] || continue
    opensm_command=("${opensm_command[@]:0:n}" "${opensm_wrapper[@]}" "${opensm_command[@]:n}")
    return
  done
}

# stop_manager MANAGER SIGNAL: until it is gone. On SIGTERM opensm must end by itself, and well. Meanwhile the others
# stand still: what they had asked of it would never be answered, and in ibsim's world there is no time-out for that.
stop_manager() {
  local i=$1 pid=${manager_pid[$1]} status=0
  [[ -n $pid ]] || return 0
  signal_others "$i" STOP
  # Time to answer, on a loaded machine, too: whether it has, nobody can ask it on a fabric that is cut.
  sleep 0.5
  kill -"$2" "$pid" 2>/dev/null || true
  # The shell tells of killed children where it notices; nobody wants to know here.
  {
    timeout 120 tail --pid="$pid" -f /dev/null || status=124
    ((status == 124)) || wait "$pid" || status=$?
  } 2>/dev/null
  signal_others "$i" CONT
  ((status != 124)) || {
    broken "manager $i does not end on SIG$2"
    return 1
  }
  forget_child "$pid"
  manager_pid[i]=''
  [[ $2 != TERM || $status == 0 ]] || {
    broken "manager $i ended with status $status on SIGTERM: $(tail_of "$out/manager$i/opensm.out")"
    return 1
  }
}

# mark_manager MANAGER: after its link was down (mark_manager.c). Nobody may ask the port anything while two processes are
# attached there; then all look again.
mark_manager() {
  local i status=0
  sync_console || return 1
  attach_to "$out/manager$1"
  signal_others "$1" STOP
  # Time to answer, as in stop_manager.
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

# follow MANAGER: brings what is known of it up to date. Phases are named by the last box in the log.
follow() {
  local i=$1 log=$out/manager$1/opensm.log size bytes heavy light ups new_phase new_state
  size=$(stat -c %s "$log" 2>/dev/null) || return 0
  ((size > read_bytes[i])) || return 0
  read -r bytes heavy light ups new_phase new_state < <(
    # `tail` seeks to its first byte, so that a long log costs no more than a short one.
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

# Prints the number of the one master, or nothing while there are several or none.
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

# until_true SECONDS WHAT CONDITION...: looks again and again, logs followed, all managers alive.
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
  broken "$what: not within the time; managers are $(describe_managers)"
  return 1
}

describe_managers() {
  local i
  for ((i = 1; i <= managers; i++)); do
    printf '%d: %s, last %s; ' "$i" "${sm_state[i]}" "${phase[i]}"
  done
}

# One master, all others standby, and the master found nothing new in a light sweep that began after the call of settle.
is_settled() {
  master=$(find_master)
  [[ -n $master && ${phase[master]} == light-complete ]] && ((light_begun[master] > light_before[master]))
}

# Sets master.
settle() {
  sync_console || return 1
  follow_all
  local i
  for ((i = 1; i <= managers; i++)); do light_before[i]=${light_begun[i]}; done
  until_true "$settle_limit" "the subnet does not settle" is_settled
}

# Asks the master for a heavy sweep and returns when one has begun.
begin_sweep() {
  follow_all
  local i before
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} && ${sm_state[i]} == MASTER ]] || continue
    before=${heavy_begun[i]}
    kill -HUP "${manager_pid[i]}"
    until_true "$settle_limit" "SIGHUP begins no sweep" has_begun_sweep "$i" "$before"
    return
  done
}

has_begun_sweep() { ((heavy_begun[$1] > $2)); }
are_both_masters() { [[ ${sm_state[1]} == MASTER && ${sm_state[2]} == MASTER ]]; }

# Resident size of a manager in KiB.
resident_kib() { awk '/^VmRSS:/ { print $2 }' "/proc/${manager_pid[$1]}/status"; }
