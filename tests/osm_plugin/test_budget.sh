#!/usr/bin/env bash
# What a sweep may cost: a search that the clock ends, or that would need too much memory, is thrown away whole, the log says
# so, and it is not made again; a sweep of an unchanged fabric costs next to nothing.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

extra_conf=$scratch/conf

# sweep_twice DIR ENGINE TOPOLOGY
sweep_twice() {
  simulate "$1" "$3"
  start_opensm "$1" "$2"
  cp "$1/osm/opensm-lfts.dump" "$scratch/first.dump"
  kill -HUP "$opensm_pid"
  wait_for_sweeps "$1" 2
  expect_same "$1/osm/opensm-lfts.dump" "$scratch/first.dump"
  end_process "$opensm_pid"
  stop_simulation "$1"
}

# Milliseconds of ours in the sweeps, one a line.
ours() { sed -n 's/.* osmpssp: .*total \([0-9]*\)\.[0-9] ms.*/\1/p' "$1/opensm.log"; }

# Two lanes do not suffice here, and to find that out takes ten seconds.
"$PSSP_BUILD_DIR/bin/make_topo" torus 6x6x4 --hosts 1 -o "$scratch/torus.net" 2>/dev/null
printf 'qos TRUE\nmax_op_vls 2\n' >"$extra_conf"
plugin_options='deadlock=prefer budget.seconds=1'
sweep_twice "$scratch/lanes" pssp "$scratch/torus.net"
log=$scratch/lanes/opensm.log
# The second is that of all that is computed: the search has what the engine left of it.
expect_line "$log" 'can deadlock .* the search for lanes was cut short after [0-9]+[.][0-9] s \(budget.seconds\), and is not made again'
expect_line "$log" 'total [0-9.]+ ms; nothing has changed$'
mapfile -t times < <(ours "$scratch/lanes")
((times[0] < 60000)) || fail "the first sweep took ${times[0]} ms with budget.seconds=1"
((times[-1] < 50)) || fail "a sweep of an unchanged fabric took ${times[-1]} ms"

# An engine that may not have the memory is replaced: by ours, or by the next of opensm's list.
: >"$extra_conf"
plugin_options='budget.megabytes=1 stable=off'
sweep_twice "$scratch/ours" best "$scratch/torus.net"
expect_line "$scratch/ours/opensm.log" \
  'osmpssp: best: would need [0-9]+ MiB of memory by its estimate \(budget.megabytes\); pssp, the quickest engine, routes in its stead'
expect_line "$scratch/ours/opensm.log" 'osmpssp: best: 144 switches, .*, by pssp in its stead; .*; nothing has changed$'
sweep_twice "$scratch/next" best,updown "$scratch/torus.net"
expect_line "$scratch/next/opensm.log" \
  "0x01 -> osmpssp: best: does not route this subnet: would need .* the next engine of opensm's list is asked"
expect_equal 'engine after best' "$(used_engine "$scratch/next")" updown
