# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch, common.sh of the plugin opensm_pid
# Functions that the tests share: a stock opensm with the file engine, whose log is read from marks on.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover dump_fts jq
cd "$scratch"

# ---- the log ----

# mark DIR: sets the position in the log where `since` begins.
mark() { marked_lines=$(wc -l <"$1/opensm.log"); }
# since DIR: prints what opensm has logged since the mark.
since() { tail -n "+$((marked_lines + 1))" "$1/opensm.log"; }
# logged DIR REGEX: succeeds if a line since the mark matches. grep reads to the end so that no producer gets SIGPIPE.
logged() { since "$1" | grep -E -- "$2" >/dev/null; }
not_logged() { ! logged "$@"; }
# engine_since DIR: prints the engine whose tables were configured last.
engine_since() { since "$1" | sed -n 's/.* \([^ ]*\) tables configured on all switches.*/\1/p' | tail -n 1; }

# hang_up DIR: sets a mark, triggers a heavy sweep and waits for its end.
hang_up() {
  mark "$1"
  kill -HUP "$opensm_pid"
  eventually logged "$1" 'SUBNET UP'
}

# ---- tables of the switches ----

# held DIR NAME: dumps the tables of the switches to NAME.lft, and the cabling to NAME.topo.
held() {
  dump_tables "$1" "$2.lft"
  in_fabric "$1" "$(<"$1/state/host")" ibnetdiscover >"$2.topo" 2>/dev/null
}

# active_old_tables: starts opensm with the file engine on a small tree. state/active.lft has minhop's tables (old.lft, with the
# cabling in old.topo); new.lft has others. Sets dir, host and state.
active_old_tables() {
  make_tree 3 2 3 1 >tree.net
  dir=$scratch/fabric
  simulate "$dir" "$scratch/tree.net"
  host=$(<"$dir/state/host")
  state=$scratch/state
  mkdir -m 700 "$state"
  sweep_once "$dir" minhop
  held "$dir" old
  cp "$dir/osm/opensm-lfts.dump" "$state/active.lft"
  start_opensm "$dir" file -U "$state/active.lft"
  "$PSSP_BUILD_DIR/bin/route_lft" -e pssp old.topo -o new.lft 2>/dev/null
  check test "$(entries old.lft | md5sum)" != "$(entries new.lft | md5sum)"
}

# unreachable NAME: prints the number of host pairs without a route in NAME.lft and NAME.topo.
unreachable() {
  "$PSSP_BUILD_DIR/bin/eval_lft" "$1.lft" "$1.topo" --patterns 1 --no-structured-suite --no-ceiling --json >"$1.json" 2>/dev/null || true
  jq -e .unreachable_pairs "$1.json"
}

# in_switches DIR FILE: succeeds if the switches hold the tables in FILE.
in_switches() {
  held "$1" now
  same_bytes <(entries now.lft) <(entries "$2")
}

# run STATUS REGEX COMMAND OPTION...: runs deploy_tables in the fabric of active_old_tables.
run() {
  local status=$1 regex=$2 verb=$3
  shift 3
  expect "$status" "$regex" in_fabric "$dir" "$host" "$PSSP_BUILD_DIR/bin/deploy_tables" "$verb" --state "$state" "$@"
}

# went_back: the tables of old.lft must be active and in the switches, and no change may be pending.
went_back() {
  check test ! -e "$state/pending"
  same_entries "$state/active.lft" old.lft
  check in_switches "$dir" old.lft
  run 0 'no change awaits confirmation' status
}

# ---- killed at a call ----

# ended CALL NTH VERB OPTION...: kills deploy_tables at this call, or with fault=FAULT_FROM lets this call and all later ones
# fail. Sets status to its exit status, and hit to whether there was such a call.
fault=FAULT_KILL
shim=$PSSP_BUILD_DIR/tests/faults/libfail_call.so
ended() {
  local call=$1 nth=$2
  shift 2
  rm -f hit
  attach_to "$dir"
  status=0
  # Preload the shim in the program itself, after ibsim's library.
  # shellcheck disable=SC2016  # the inner shell's
  (FAULT_CALL=$call FAULT_NTH=$nth timeout 60 "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$host}" sh -c \
    'fault=$1 hit=$2; shift 2; exec env LD_PRELOAD="$LD_PRELOAD $0" "$fault=1" FAULT_ALONE=1 FAULT_KEEP_PRELOAD=1 FAULT_CALLER=bin/deploy_tables FAULT_HIT="$hit" "$@"' \
    "$shim" "$fault" "$scratch/hit" "$PSSP_BUILD_DIR/bin/deploy_tables" "$@" --state "$state" >stdout 2>stderr || exit $?) 2>/dev/null || status=$?
  hit=0
  # shellcheck disable=SC2034  # for the tests
  [[ ! -e hit ]] || hit=1
}

# ibsim has ten slots for clients, and does not free those of killed clients.
fresh_simulation() {
  end_process "$opensm_pid"
  stop_simulation "$dir"
  simulate "$dir" "$scratch/tree.net"
  start_opensm "$dir" file -U "$state/active.lft"
}
