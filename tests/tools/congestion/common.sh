# shellcheck shell=bash
# What the tests with a simulated fabric share: the fabric of tests/osm_plugin, with congestion control agents between
# ibsim and everybody else.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover

# cc_apply leaves the settings of before in the folder where it runs.
cd "$scratch"

# Seconds that a process gets to write what it has, on a loaded machine, too (ibsim_harness/lib.sh).
# shellcheck disable=SC2034
patience=60
# shellcheck disable=SC2034
cc_apply=$PSSP_BUILD_DIR/bin/cc_apply
# shellcheck disable=SC2034
cc_query=$PSSP_BUILD_DIR/bin/cc_query

# simulate_with_agents DIR TOPOLOGY [options of cc_agents]: ibsim and the agents, which clients take for ibsim from here
# on. DIR/requests has what the agents were asked.
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

# Ends the agents; DIR/settings has then what each node was set to.
end_agents() {
  end_process "$agents_pid"
  [[ -s $1/settings ]] || fail "the agents left no settings: $(<"$1/agents.err")"
}

# bring_up DIR HOST [agents' options]: a fabric after a sweep without congestion control; DIR/fabric.topo is what
# ibnetdiscover says.
bring_up() {
  local dir=$1 topology=$2 host=$3
  shift 3
  simulate_with_agents "$dir" "$topology" "$@"
  sweep_once "$dir" minhop
  in_fabric "$dir" "$host" ibnetdiscover >"$dir/fabric.topo" 2>/dev/null
}

# status_of DIR HOST OUT COMMAND...: runs a tool in the fabric, its output goes to OUT; prints its exit status.
status_of() {
  local dir=$1 host=$2 out=$3 status=0
  shift 3
  in_fabric "$dir" "$host" "$@" >"$out" 2>"$out.err" || status=$?
  printf '%s\n' "$status"
}

# lid_of DIR DESCRIPTION: of a switch, or of the first port of an adapter, as ibnetdiscover says.
lid_of() {
  awk -v name="$2" '
    function number_after(word, i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) }
    /^(Switch|Ca)/ { wanted = index($0, "# \"" name "\"") > 0 }
    wanted && (/^Switch/ || /^\[/) { print number_after("lid"); exit }' "$1/fabric.topo"
}
