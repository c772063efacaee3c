# shellcheck shell=bash
# Functions that the tests with a simulated fabric share: the fabric of tests/osm_plugin, with congestion control agents between
# ibsim and all its clients.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover

# cc_apply saves the previous settings in its working directory.
cd "$scratch"

# Seconds that a process has to write its results, also on a loaded machine (ibsim_harness/lib.sh).
# shellcheck disable=SC2034
patience=60
# shellcheck disable=SC2034
cc_apply=$PSSP_BUILD_DIR/bin/cc_apply
# shellcheck disable=SC2034
cc_query=$PSSP_BUILD_DIR/bin/cc_query

# simulate_with_agents DIR TOPOLOGY [OPTION of cc_agents...]: starts ibsim and the agents, to which clients connect from now on
# instead of ibsim. The agents record their requests in DIR/requests.
simulate_with_agents() {
  local dir=$1 topology=$2 own
  shift 2
  simulate "$dir" "$topology"
  own=$(<"$dir/state/socket")-agents
  start_child "$PSSP_BUILD_DIR/tests/cc_agents" --log "$dir/requests" --dump "$dir/settings" "$@" \
    "$(<"$dir/state/socket")" "$own" 2>"$dir/agents.err"
  agents_pid=$child_pid
  eventually serve_or_have_ended "$own"
  is_running "$agents_pid" || fail "cc_agents ended: $(<"$dir/agents.err")"
  printf '%s\n' "$own" >"$dir/state/socket"
}

serve_or_have_ended() { has_socket "$1" || ! is_running "$agents_pid"; }

# Ends the agents, which then write the settings of each node to DIR/settings.
end_agents() {
  end_process "$agents_pid"
  [[ -s $1/settings ]] || fail "the agents left no settings: $(<"$1/agents.err")"
}

# bring_up DIR TOPOLOGY HOST [OPTION of cc_agents...]: starts a fabric and sweeps it without congestion control. DIR/fabric.topo
# is the output of ibnetdiscover.
bring_up() {
  local dir=$1 topology=$2 host=$3
  shift 3
  simulate_with_agents "$dir" "$topology" "$@"
  sweep_once "$dir" minhop
  in_fabric "$dir" "$host" ibnetdiscover >"$dir/fabric.topo" 2>/dev/null
}

# status_of DIR HOST OUT COMMAND...: runs a tool in the fabric with output to OUT, and prints its exit status.
status_of() {
  local dir=$1 host=$2 out=$3 status=0
  shift 3
  in_fabric "$dir" "$host" "$@" >"$out" 2>"$out.err" || status=$?
  printf '%s\n' "$status"
}

# lid_of DIR DESCRIPTION: prints the LID of a switch, or of the first port of an adapter, from ibnetdiscover.
lid_of() {
  awk -v name="$2" '
    function number_after(word, i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) }
    /^(Switch|Ca)/ { wanted = index($0, "# \"" name "\"") > 0 }
    wanted && (/^Switch/ || /^\[/) { print number_after("lid"); exit }' "$1/fabric.topo"
}
