# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch, common.sh of the plugin opensm_pid
# What the tests share: a stock opensm with the file engine, whose log is read from marks on.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover dump_fts jq
cd "$scratch"

# ---- the log ----

# mark DIR: what `since` prints begins here.
mark() { marked_lines=$(wc -l <"$1/opensm.log"); }
# since DIR: what opensm has logged since the mark.
since() { tail -n "+$((marked_lines + 1))" "$1/opensm.log"; }
# logged DIR REGEX: so it has. grep reads to the end, so that nobody writes into a closed pipe.
logged() { since "$1" | grep -E -- "$2" >/dev/null; }
not_logged() { ! logged "$@"; }
# engine_since DIR: whose tables were configured last.
engine_since() { since "$1" | sed -n 's/.* \([^ ]*\) tables configured on all switches.*/\1/p' | tail -n 1; }

# hang_up DIR: one heavy sweep of opensm, from a mark to its end.
hang_up() {
  mark "$1"
  kill -HUP "$opensm_pid"
  eventually logged "$1" 'SUBNET UP'
}

# ---- what the switches hold ----

# held DIR NAME: dumped by infiniband-diags into NAME.lft, with the cables in NAME.topo.
held() {
  dump_tables "$1" "$2.lft"
  in_fabric "$1" "$(<"$1/state/host")" ibnetdiscover >"$2.topo" 2>/dev/null
}

# active_old_tables: opensm at a small tree with the file engine reads state/active.lft, which has minhop's tables (old.lft, with the cables in old.topo);
# new.lft has others. Sets dir, host and state.
active_old_tables() {
  make_tree 3 2 3 1 >tree.net
  dir=$scratch/fabric
  simulate "$dir" "$scratch/tree.net"
  host=$(<"$dir/state/host")
  state=$scratch/state
  mkdir -p "$state"
  sweep_once "$dir" minhop
  held "$dir" old
  cp "$dir/osm/opensm-lfts.dump" "$state/active.lft"
  start_opensm "$dir" file -U "$state/active.lft"
  "$PSSP_BUILD_DIR/bin/route_lft" -e pssp old.topo -o new.lft 2>/dev/null
  check test "$(entries old.lft | md5sum)" != "$(entries new.lft | md5sum)"
}

# unreachable NAME: pairs of hosts without a route in NAME.lft and NAME.topo.
unreachable() {
  "$PSSP_BUILD_DIR/bin/eval_lft" "$1.lft" "$1.topo" --patterns 1 --no-portfolio --no-ceiling --json >"$1.json" 2>/dev/null || true
  jq -e .unreachable_pairs "$1.json"
}
