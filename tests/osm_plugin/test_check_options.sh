#!/usr/bin/env bash
# route_lft --check-options prints exactly what the stock opensm would log about event_plugin_options.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 2 1 1 1 >"$scratch/tree.net"
printf '# options\ndeadlock.policy=ignore\npssp.max_extra_hops=1\n' >"$scratch/good.conf"
printf 'deadlock.policy=ignore\n\nnonsense=1\n' >"$scratch/bad.conf"
printf 'deadlock=require\n' >"$scratch/other.conf"
mkfifo "$scratch/fifo"

# Prints what opensm logs about options when it starts, and, for accepted options, about congestion control.
said_by_opensm() {
  sed -n 's/^.* 0x01 -> \(osmpssp: ERR 7A.*\)$/\1/p' "$1"
  sed -n 's/^.* 0x02 -> \(osmpssp: option without effect: .*\)$/\1/p' "$1"
  sed -n 's/^.* 0x02 -> \(osmpssp: congestion control: .*\)$/\1/p' "$1" | awk '!/has other values now/ && !seen[$0]++'
}

number=0
while IFS= read -r options; do
  ((++number))
  plugin_options=$options
  route "$scratch/$number" pssp "$scratch/tree.net" -Q
  said_by_opensm "$scratch/$number/opensm.log" >"$scratch/opensm.said"
  wanted=0
  if grep -q 'ERR 7A' "$scratch/opensm.said"; then wanted=2; fi
  expect "$wanted" '' "$PSSP_BUILD_DIR/bin/route_lft" --check-options "$options"
  { cat "$scratch/stderr" && { grep '^osmpssp: ' "$scratch/stdout" || true; }; } >"$scratch/tool.said"
  same_bytes "$scratch/opensm.said" "$scratch/tool.said" ||
    fail "of '$options' opensm says:"$'\n'"$(<"$scratch/opensm.said")"$'\n'"and route_lft:"$'\n'"$(<"$scratch/tool.said")"
  expect_equal "engine with '$options'" "$(used_engine "$scratch/$number")" pssp
done <<LINES
deadlock=require
deadlock.policy=prefer deadlock.spread=on stable=on stable.max_extra_hops=1
max_extra_hops=1 cassp.seed=7 service_level_dump=$scratch/levels
options_file=$scratch/good.conf
congestion_control=thesis-mesh
stable=off stable.max_extra_hops=1 budget.seconds=20
budget.seconds=0
nonsense=1
nonsense
deadlock=always
deadlock.policy=always
stable.max_extra_hops=16
deadlock=require deadlock.policy=prefer
pssp.max_extra_hops=99
meshdor.coordinates=$scratch/fifo
meshdor.dimension_order=1-1
first_lane=15
service_level_dump=levels
options_file=$scratch/bad.conf
options_file=$scratch/missing.conf
options_file=$scratch/fifo
deadlock=prefer options_file=$scratch/other.conf
congestion_control=nonesuch
congestion_control=$scratch/fifo
LINES
((number == 24)) || fail "only $number lines were compared"

# The options in force are printed with the names and values that opensm accepts.
expect 0 '^deadlock.policy=require$' "$PSSP_BUILD_DIR/bin/route_lft" --check-options 'deadlock=require max_extra_hops=1'
said stdout '^pssp.max_extra_hops=1$'
said stdout '^stable=on$'
