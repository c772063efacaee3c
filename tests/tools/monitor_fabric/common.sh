# shellcheck shell=bash
# Functions for tests of monitor_fabric with a simulated fabric.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run jq
cd "$scratch"

# Seconds that a process gets to write its data, even on a loaded machine (ibsim_harness/lib.sh).
# shellcheck disable=SC2034
patience=60
# shellcheck disable=SC2034
monitor=$PSSP_BUILD_DIR/bin/monitor_fabric

# bring_up DIR TOPOLOGY: starts a fabric with a console for set_counters, and waits for one sweep of opensm.
bring_up() {
  start_simulation_with_console "$1" "$2"
  sweep_once "$1" minhop
}

# set_counters DIR FILE: sends the lines of the file to ibsim's console, and waits until the last one has been executed.
set_counters() {
  # shellcheck disable=SC2154  # start_simulation_with_console opened it
  printf '!%s\n#set %s \n' "$2" "$((++settings))" >&"$console"
  eventually grep -q "#set $settings " "$1/ibsim.log"
}
# ibsim repeats lines that begin with #.
settings=0

# ---- a relay ----

# record LOG [options of mad_recorder]: starts a relay for new clients of $dir. An earlier relay continues to serve its clients.
record() {
  local log=$1 own
  [[ -e $dir/state/ibsim ]] || cp "$dir/state/socket" "$dir/state/ibsim"
  own=$(<"$dir/state/ibsim")-${1##*/}
  shift
  start_child "$PSSP_BUILD_DIR/tests/mad_recorder" --log "$log" "$@" "$(<"$dir/state/ibsim")" "$own" 2>"$log.err"
  recorder_pid=$child_pid
  eventually has_socket "$own"
  printf '%s\n' "$own" >"$dir/state/socket"
}

# end_recording: from here on, new clients connect to ibsim itself.
end_recording() {
  end_process "$recorder_pid"
  mv "$dir/state/ibsim" "$dir/state/socket"
}

# ---- the daemon ----

# serve DIR HOST ARGUMENT...: starts the daemon, with its output in `said`. Sets daemon (its process), waiter (the process that started it),
# and url, which is empty if it listens on a Unix socket.
serve() {
  local dir=$1 host=$2
  shift 2
  : >said
  # Without the limit of in_fabric, which a long form of a test would pass.
  attach_to "$dir"
  "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$host}" "$monitor" serve "$@" 2>said &
  waiter=$!
  daemon=$waiter
  eventually grep -q ' listening on ' said
  url=$(sed -n 's/.*listening on \(http:[^ ]*\)\/$/\1/p' said)
  find_daemon "$waiter" || fail "no daemon runs: $(<said)"
  [[ -z $url ]] || eventually curl -sf -o "$scratch/health" "$url/healthz"
}
# find_daemon PROCESS: finds the daemon, which is this process or a child of it, but not a child of the daemon.
find_daemon() {
  local below
  if [[ $(<"/proc/$1/comm") == monitor_fabric ]]; then
    daemon=$1
    return
  fi
  for below in $(pgrep -P "$1"); do
    if find_daemon "$below"; then return; fi
  done
  return 1
}
end_daemon() {
  kill "$daemon"
  wait "$waiter" || fail "the daemon ended with status $?: $(<said)"
  unset daemon
}
ask() { curl -sf "$url/api/v1/$1"; }
# configuration [LINE...]: prints the configuration of a daemon that sweeps every second and reads jobs of Slurm; the lines go to section [jobs].
configuration() {
  printf '%s\n' '[sweep]' 'interval_s = 1' '[server]' 'listen = 127.0.0.1:0' '[jobs]' 'source = slurm' 'poll_s = 1' "$@"
}
# sweeps_pass COUNT
sweeps_pass() {
  local last
  last=$(ask status | jq .sweep)
  eventually sweep_is_behind "$((last + $1))"
}
sweep_is_behind() { [[ $(ask status | jq ".sweep >= $1") == true ]]; }
jobs_are_said() { [[ $(ask status | jq -r .jobs.state) == "$1" ]]; }
# ---- receivers ----

# begin_hook [CERTIFICATE KEY]: starts a receiver of webhooks, which answers as set in the file `mode` and appends to `calls` (hook_server.py).
# Sets hook (the process) and hook_port.
begin_hook() {
  : >hook_port
  # shellcheck disable=SC2154  # expect.sh sets here
  python3 "$here/hook_server.py" "$scratch/calls" "$scratch/mode" "$@" >hook_port &
  hook=$!
  eventually test -s hook_port
  # shellcheck disable=SC2034  # for the tests
  hook_port=$(<hook_port)
}
end_hook() {
  builtin kill "$hook" 2>"$scratch/null" || true
  wait "$hook" || true
}

# begin_prometheus ADDRESS RULES...: starts Prometheus, which scrapes the daemon at the address every second and evaluates these rule files.
begin_prometheus() {
  {
    printf 'global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files:\n'
    printf '  - %s\n' "${@:2}"
    printf 'scrape_configs: [{job_name: fabric, static_configs: [{targets: [%s]}]}]\n' "'$1'"
  } >prometheus.yml
  try_prometheus || try_prometheus || fail "Prometheus ended: $(tail_of prometheus.log)"
}
# Prometheus cannot choose a free port itself, and another process may take the port that was free.
try_prometheus() {
  port=$(free_ports 1)
  prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:"$port" --log.level=error >prometheus.log 2>&1 &
  prometheus=$!
  eventually is_ready_or_has_ended
  is_running "$prometheus"
}
is_ready_or_has_ended() { curl -sf -o ready "http://127.0.0.1:$port/-/ready" || ! is_running "$prometheus"; }
end_prometheus() {
  builtin kill "$prometheus" || true
  wait "$prometheus" || true
}
# query EXPRESSION: prints the result of Prometheus.
query() { curl -sf "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1"; }

# Ends a daemon that is still running when the test ends.
end_all() {
  [[ ! -v daemon ]] || builtin kill "$daemon" 2>"$scratch/null" || true
  end_children
  clean_up
}
trap end_all EXIT
