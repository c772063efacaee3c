#!/usr/bin/env bash
# A wrong option does not stop the routing: on a torus, where opensm's minhop has a credit loop, an engine of ours routes without
# one. The log has one short line about each wrong option.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

torus=$scratch/torus.net
"$PSSP_BUILD_DIR/bin/make_topo" torus 5x5 --hosts 1 -o "$torus" 2>/dev/null

# faults NAME: prints the log's lines about options, in the order of their codes.
faults() { sed -n 's/^.* 0x01 -> osmpssp: \(ERR 7A1.: .*\)$/\1/p' "$scratch/$1/opensm.log"; }

# expect_safe NAME FAULTS ENGINE: ENGINE must route with levels that have no credit loop, and log FAULTS lines about options.
expect_safe() {
  local dir=$scratch/$1
  expect_equal "engine with '$plugin_options'" "$(used_engine "$dir")" "$3"
  # eval_lft returns 7 if a lane has a credit loop.
  expect 0 '' "$PSSP_BUILD_DIR/bin/eval_lft" -n 1 --json --service-levels "$dir/levels" "$dir/osm/opensm-lfts.dump" "$dir/found.topo"
  expect_equal "lines about '$plugin_options'" "$(faults "$1" | wc -l)" "$2"
  if faults "$1" | awk 'length($0) > 300 { found = 1 } END { exit !found }'; then fail "a line is too long: $(faults "$1")"; fi
}

number=0
# try FAULTS ENGINE OPTIONS PATTERN: runs opensm with these options and QoS.
try() {
  ((++number))
  plugin_options="$3 service_level_dump=$scratch/$number/levels"
  simulate "$scratch/$number" "$torus"
  sweep_once "$scratch/$number" "$2" -Q
  in_fabric "$scratch/$number" "$(<"$scratch/$number/state/host")" ibnetdiscover >"$scratch/$number/found.topo" 2>/dev/null
  stop_simulation "$scratch/$number"
  expect_safe "$number" "$1" "$2"
  expect_line <(faults "$number") "$4"
}

printf '# options\ncredit_loop_check=off\nbest.slak=1\n' >"$scratch/options.conf"
try 1 best max_extra_hop=1 '^ERR 7A11: option max_extra_hop=1: unknown; did you mean max_extra_hops\?; it is ignored$'
try 1 pssp max_extra_hops=-1 '^ERR 7A12: option max_extra_hops=-1: not a number from 0 to 15; using the default, 0$'
try 1 best deadlock=requires '^ERR 7A12: option deadlock=requires: not require, prefer or ignore; did you mean require\?; using deadlock=require$'
try 1 pssp "options_file=$scratch/missing.conf" "^ERR 7A14: option options_file: .*missing.conf: No such file"
try 1 best "options_file=$scratch/options.conf" "^ERR 7A11: $scratch/options.conf:3: option best.slak=1: unknown; did you mean best.slack\?"
try 7 best "credit_loop_check stable=maybe budget.seconds=0 pssp.order=odd start=odd congestion_control=nonesuch first_lane=15" \
  '^ERR 7A10: option credit_loop_check: not of the form name=value'
faults "$number" | cut -d : -f 1 | sort >"$scratch/codes"
expect_same "$scratch/codes" <(printf 'ERR %s\n' 7A10 7A12 7A12 7A12 7A12 7A12 7A16)
expect_equal 'state of congestion control' "$(grep -c 'congestion control stays as opensm.conf sets it' "$scratch/$number/opensm.log")" 1

# ---- an engine's name that OpenSM does not find ----
plugin_options=
route "$scratch/name" bset,best "$torus" -Q
expect_equal 'engine after a misspelt one' "$(used_engine "$scratch/name")" best
expect_line <(faults name) '^ERR 7A18: routing_engine bset: .*did you mean best\?$'
