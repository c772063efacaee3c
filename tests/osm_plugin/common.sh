# shellcheck shell=bash
# Functions that the end-to-end tests of the plugin share: the stock opensm on fabrics that ibsim simulates. Each test is one
# script and ends the processes that it started.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../kit/expect.sh"
# shellcheck source=tests/kit/fabric.sh
. "$PSSP_SOURCE_DIR/tests/kit/fabric.sh"
# shellcheck disable=SC2034  # for the tests
tests_dir=$PSSP_SOURCE_DIR/tests/osm_plugin
# shellcheck source=ibsim_harness/simulation.sh
. "$PSSP_SOURCE_DIR/ibsim_harness/simulation.sh"
# shellcheck source=ibsim_harness/living.sh
. "$PSSP_SOURCE_DIR/ibsim_harness/living.sh"

own_children
trap 'end_children; clean_up' EXIT

# ---- opensm ----

plugin_options=
extra_conf=

# route DIR ENGINE TOPOLOGY [OPTION of opensm...]: runs one sweep. Dumps are in DIR/osm, the log is DIR/opensm.log.
route() {
  local dir=$1 engine=$2 topology=$3
  shift 3
  simulate "$dir" "$topology"
  sweep_once "$dir" "$engine" "$@"
  stop_simulation "$dir"
}

simulate() {
  mkdir -p "$1"
  start_simulation "$1" "$2" start_child
}

sweep_once() {
  local dir=$1 engine=$2
  shift 2
  write_opensm_conf "$dir" "$engine" "$plugin_options" "$extra_conf"
  prepare_opensm "$dir" "$engine" once -D 0x47 "$@"
  run_child 120 "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 ||
    fail "opensm -R $engine ended with status $?: $(tail_of "$dir/opensm.out")"
}

# start_opensm DIR ENGINE [OPTION...]: starts opensm and leaves it running; sets opensm_pid.
start_opensm() {
  local dir=$1 engine=$2
  shift 2
  write_opensm_conf "$dir" "$engine" "$plugin_options" "$extra_conf"
  prepare_opensm "$dir" "$engine" stay -D 0x47 "$@"
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  opensm_pid=$child_pid
  wait_for_sweeps "$dir" 1
}

# sweep_again DIR: lets opensm discover all earlier changes. This takes two sweeps, because one may have begun before the change.
sweep_again() {
  local before
  for _ in 1 2; do
    before=$(sweeps_of "$1")
    kill -HUP "$opensm_pid"
    wait_for_sweeps "$1" "$((before + 1))"
  done
}

# take DIR HOST NAME: saves the current tables and cabling in NAME.lft and NAME.topo.
take() {
  cp "$1/osm/opensm-lfts.dump" "$3.lft"
  in_fabric "$1" "$2" ibnetdiscover >"$3.topo" 2>/dev/null
}

# in_fabric DIR HOST COMMAND...: runs a diagnostic at HOST.
in_fabric() {
  local dir=$1 host=$2
  shift 2
  attach_to "$dir"
  timeout 60 "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$host}" "$@"
}
