#!/usr/bin/env bash
# The thread that talks to the fabric finds what ibnetdiscover, dump_fts and sminfo find, sees a link that goes away, and tells a
# reroute.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without ibnetdiscover dump_fts sminfo
watcher=$PSSP_BUILD_DIR/tests/fabric_watcher
[[ -x $watcher ]] || skip 'fabric_watcher is not built'

make_tree 3 2 2 2 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop

# watch FOLDER SECONDS
watch() {
  mkdir -p "$1"
  in_fabric "$dir" H1 "$watcher" "$1" "$2" 1
}

# Both ends of every cable by GUID and port, with the rate: TYPE LID PORT GUID WIDTH SPEED - TYPE LID PORT GUID.
links_of_ibnetdiscover() {
  in_fabric "$dir" H1 ibnetdiscover -p 2>/dev/null |
    awk '$7 == "-" { print substr($4, 3), $3, substr($11, 3), $10, $5 $6 }' | sort -u
}

# compare FOLDER: what was found there, against the diagnostics.
compare() {
  links_of_ibnetdiscover >"$1/their_links"
  sort -u "$1/links" >"$1/our_links"
  check test -s "$1/their_links"
  expect_same "$1/our_links" "$1/their_links"
  in_fabric "$dir" H1 dump_fts >"$1/fts" 2>/dev/null
  same_entries "$1/tables" "$1/fts"
  read -r guid lid priority _ <"$1/manager"
  in_fabric "$dir" H1 sminfo >"$1/sminfo"
  printf -v guid '0x%x' "$((16#$guid))"
  expect_line "$1/sminfo" "sm lid $lid sm guid $guid, .* priority $priority state 3"
}

watch whole 2.5
compare whole
expect_equal 'ports that answered' "$(tail -n 1 whole/sweeps | cut -d ' ' -f 2,3)" '36 36'
expect_line whole/events '^topology_changed .* 5 switches, 6 other nodes, 36 active ports'

# ---- a link goes away while it is watched: another map, other tables ----
mkdir damaged
in_fabric "$dir" H1 "$watcher" damaged 9 1 &
watching=$!
sleep 2
# shellcheck disable=SC2154  # start_simulation_with_console opened it
printf 'Unlink "L0"[3]\n' >&"$console"
kill -HUP "$opensm_pid"
wait "$watching"
expect_line damaged/events '^topology_changed .* generation [2-9]: 5 switches, 6 other nodes, 34 active ports'
expect_line damaged/events '^tables_changed '
compare damaged
# No sweep was held up, and none reports what no link carries.
awk '$6 != 0 || $7 > 900 { exit 1 }' damaged/sweeps || fail "a sweep was late or wrong: $(<damaged/sweeps)"
