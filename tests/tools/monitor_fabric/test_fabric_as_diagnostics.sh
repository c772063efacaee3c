#!/usr/bin/env bash
# The thread that talks to the fabric finds the same as ibnetdiscover, dump_fts and sminfo, and detects a link that goes down and a reroute.
# usage: test_fabric_as_diagnostics.sh [FABRIC...]   quoted arguments of make_topo; `all`: ten fabrics, two of them damaged. For nightly
#   tests: a fabric takes some seconds.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without ibnetdiscover dump_fts sminfo
watcher=$PSSP_BUILD_DIR/tests/fabric_watcher
[[ -x $watcher ]] || skip 'fabric_watcher is not built'

dir=$scratch/fabric

# begin_watching FOLDER: starts the watcher, and returns when the fabric and its tables are known.
begin_watching() {
  mkdir -p "$1"
  in_fabric "$dir" "$host" "$watcher" "$1" 250 1 &
  watching=$!
  eventually test -e "$1/begun"
}
# sweeps_pass FOLDER COUNT
sweeps_pass() { eventually has_swept "$1" "$(($(wc -l <"$1/sweeps") + $2))"; }
has_swept() { (($(wc -l <"$1/sweeps") >= $2)); }
end_watching() {
  touch "$1/enough"
  wait "$watching" || fail "fabric_watcher ended with status $?"
}
watch() {
  begin_watching "$1"
  sweeps_pass "$1" 2
  end_watching "$1"
}

# Both ends of every cable by GUID and port, with the rate: TYPE LID PORT GUID WIDTH SPEED - TYPE LID PORT GUID.
links_of_ibnetdiscover() {
  in_fabric "$dir" "$host" ibnetdiscover -t 2000 -p 2>/dev/null |
    awk '$7 == "-" { print substr($4, 3), $3, substr($11, 3), $10, $5 $6 }' | sort -u
}

# compare FOLDER: compares the files of the watcher with the output of the diagnostics.
compare() {
  links_of_ibnetdiscover >"$1/their_links"
  sort -u "$1/links" >"$1/our_links"
  check test -s "$1/their_links"
  expect_same "$1/our_links" "$1/their_links"
  in_fabric "$dir" "$host" dump_fts -t 2000 >"$1/fts" 2>/dev/null
  same_entries "$1/tables" "$1/fts"
  read -r guid lid priority _ <"$1/manager"
  in_fabric "$dir" "$host" sminfo -t 2000 >"$1/sminfo"
  printf -v guid '0x%x' "$((16#$guid))"
  expect_line "$1/sminfo" "sm lid $lid sm guid $guid, .* priority $priority state 3"
}

# ---- a list of fabrics ----
if (($# > 0)); then
  fabrics=("$@")
  [[ $1 != all ]] || fabrics=('k-ary-n-tree 4 3' 'xgft 4,6,4 1,3,2' 'director 144' 'mesh 4x3 --hosts 2' 'torus 3x3x2' 'hypercube 4'
    'dragonfly --switches 4 --global-links 2 --hosts 2' 'random-regular 12 --degree 4 --hosts 2' 'xgft 6,6 1,6 --kill-links 7 --seed 3'
    'k-ary-n-tree 3 3 --kill-switches 2 --kill-links 3 --seed 5')
  for fabric in "${fabrics[@]}"; do
    rm -rf "$dir" whole
    read -ra words <<<"$fabric"
    "$PSSP_BUILD_DIR/bin/make_topo" "${words[@]}" -o fabric.net || fail "make_topo $fabric"
    simulate "$dir" "$scratch/fabric.net"
    host=$(<"$dir/state/host")
    # opensm keeps running, because only the running opensm answers SMInfo.
    start_opensm "$dir" minhop
    watch whole
    compare whole
    printf '%s: %d links, %d entries\n' "$fabric" "$(wc -l <whole/our_links)" "$(entries whole/tables | wc -l)"
    end_process "$opensm_pid"
    stop_simulation "$dir"
  done
  exit 0
fi

# ---- a tree ----
make_tree 3 2 2 2 >tree.net
host=H1
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
watch whole
compare whole
expect_equal 'ports that answered' "$(tail -n 1 whole/sweeps | cut -d ' ' -f 2,3)" '36 36'
expect_line whole/events '^topology_changed .* 5 switches, 6 other nodes, 36 active ports'

# ---- a link goes down while the watcher runs: another map, other tables ----
begin_watching damaged
# shellcheck disable=SC2154  # start_simulation_with_console opened it
printf 'Unlink "L0"[3]\n' >&"$console"
kill -HUP "$opensm_pid"
eventually grep -qs '^topology_changed .* generation [2-9]: 5 switches, 6 other nodes, 34 active ports' damaged/events
eventually grep -qs '^tables_changed ' damaged/events
# The subnet manager writes tables for some time, and they are read every two seconds.
wait_for_sweeps "$dir" 2
sweeps_pass damaged 6
end_watching damaged
compare damaged
# No sweep is missing, and no sweep reports implausible counts.
awk '$6 != 0 || NR > 1 && $1 != last + 1 { exit 1 } { last = $1 }' damaged/sweeps || fail "a sweep is missing or wrong: $(<damaged/sweeps)"
