# shellcheck shell=bash
# What the tests of monitor_fabric with a simulated fabric share.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run jq
cd "$scratch"

# shellcheck disable=SC2034
monitor=$PSSP_BUILD_DIR/bin/monitor_fabric

# bring_up DIR TOPOLOGY: a fabric after one sweep of opensm, with a console for set_counters.
bring_up() {
  start_simulation_with_console "$1" "$2"
  sweep_once "$1" minhop
}

# set_counters DIR FILE: lines of ibsim's console, and waits until the last of them has been obeyed.
set_counters() {
  local before
  # shellcheck disable=SC2154  # start_simulation_with_console opened it
  before=$(stat -c %s "$1/ibsim.log")
  printf '!"%s"\nHelp\n' "$2" | sed 's/"//g' >&"$console"
  eventually console_has_answered "$1" "$before"
}

# Help is the last command, and says a lot.
console_has_answered() { tail -c "+$(($2 + 1))" "$1/ibsim.log" | grep -q 'Baselid'; }
