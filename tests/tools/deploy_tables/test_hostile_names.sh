#!/usr/bin/env bash
# A node name can look like another file format, and root on any node can set it. deploy_tables must still work: guard knows the
# fabric and the tables that deploy_tables wrote, detects a missing link, and repairs the tables.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'

make_tree 3 2 2 1 >tree.net
simulate "$scratch/named" "$scratch/tree.net"
sweep_once "$scratch/named" minhop
held "$scratch/named" named
stop_simulation "$scratch/named"

# The simulation uses the names unchanged; other tests check whether other programs do.
make_playable() {
  playable=$2
  # shellcheck disable=SC2034  # for start_simulation
  printf '%s\n' "$first_host" >"$1/state/host"
  printf '20\n' >"$1/state/size"
  printf '%s\n' -N 20 -S 10 -P 100 -L 49152 >"$1/state/limits"
}
first_host=$(sed -n 's/^Ca.*"\(H-[0-9a-f]*\)".*/\1/p' named.topo | sed -n 1p)
second_host=$(sed -n 's/^Ca.*"\(H-[0-9a-f]*\)".*/\1/p' named.topo | sed -n 2p)
leaf=$(sed -n 's/^Switch.*"\(S-[0-9a-f]*\)".*"L0".*/\1/p' named.topo)

number=0
for name in 'Unicast lids [' '24 valid lids dumped' 'Multicast mlids [' 'Switch 36 "S-' 'digraph g {' 'NodeGUID:' 'dump_ucast_routes: Switch 0x1'; do
  dir=$scratch/fabric$((++number)) state=$scratch/state$number
  host=$second_host
  # Use the name for a host and for a switch.
  awk -v name="$name" '/^Ca/ && !hosts++ || /^Switch/ && !switches++ { sub(/# ".*"/, "# \"" name "\"") } { print }' named.topo >"named$number.topo"
  check grep -qF "# \"$name\"" "named$number.topo"
  start_simulation_with_console "$dir" "$scratch/named$number.topo"
  sweep_once "$dir" minhop
  run 0 'active.lft has the tables that the switches hold' check-setup --write --reload true --opensm-conf "$scratch/opensm$number.conf"
  # In ibsim a name ends at a quote, and readers remove trailing blanks.
  held_name=$(sed 's/ *".*//; s/ *$//' <<<"$name")
  check grep -qF "'$held_name'" "$state/active.lft"
  start_opensm "$dir" file -U "$state/active.lft"
  expect_equal "engine with '$name'" "$(used_engine "$dir")" file
  run 0 'TABLES OK' guard --once
  rm -f guard.err
  in_fabric "$dir" "$host" "$deploy" guard --on-change reroute --interval 1 --state "$state" --opensm-pid "$opensm_pid" 2>guard.err &
  guard=$!
  eventually grep -q 'watching the fabric for the tables' guard.err
  printf 'Unlink "%s"[3]\n' "$leaf" >&"$console"
  eventually grep -q ' flows have a route again' guard.err
  kill "$(pgrep -P "$guard" -f deploy_tables || echo "$guard")"
  wait "$guard" || true
  run 0 'TABLES OK' guard --once
  run 0 'the previous tables are in force' back-out --opensm-pid "$opensm_pid"
  end_process "$opensm_pid"
  stop_simulation "$dir"
done
