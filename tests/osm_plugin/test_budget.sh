#!/usr/bin/env bash
# The budget of a sweep. A search that exceeds its time or needs too much memory is discarded completely, logged, and not
# repeated. A sweep of an unchanged fabric costs almost nothing.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

extra_conf=$scratch/conf

# sweep_twice DIR ENGINE TOPOLOGY: runs two sweeps with one opensm.
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

# Prints the plugin's time in each sweep in milliseconds, one per line.
ours() { sed -n 's/.* osmpssp: routing: .* seconds=\([0-9.]*\)$/\1/p' "$1/opensm.log" | awk '{ printf "%d\n", 1000 * $1 }'; }

# Two lanes do not suffice on this torus, and finding that out takes ten seconds.
"$PSSP_BUILD_DIR/bin/make_topo" torus 6x6x4 --hosts 1 -o "$scratch/torus.net" 2>/dev/null
printf 'qos TRUE\nmax_op_vls 2\n' >"$extra_conf"
plugin_options='deadlock=prefer budget.seconds=1'
sweep_twice "$scratch/lanes" pssp "$scratch/torus.net"
log=$scratch/lanes/opensm.log
# budget.seconds covers the whole computation: the lane search gets the time that the engine left.
expect_line "$log" 'ERR 7A22: .* can deadlock .* the search for virtual lanes was stopped after [0-9]+[.][0-9] s and is not repeated for these tables; raise budget.seconds'
expect_line "$log" 'routing: .* reason=kept .* seconds=[0-9.]+$'
mapfile -t times < <(ours "$scratch/lanes")
((times[0] < 60000)) || fail "the first sweep took ${times[0]} ms with budget.seconds=1"
((times[-1] < 50)) || fail "a sweep of an unchanged fabric took ${times[-1]} ms"

# An engine that would exceed the memory limit is replaced by another engine of ours, or by the next in opensm's list.
: >"$extra_conf"
plugin_options='budget.megabytes=1 stable=off'
sweep_twice "$scratch/ours" best "$scratch/torus.net"
expect_line "$scratch/ours/opensm.log" \
  'osmpssp: best: would need about [0-9]+ MiB of memory \(budget.megabytes\); pssp, the fastest engine, routes instead'
expect_line "$scratch/ours/opensm.log" 'osmpssp: routing: engine=best reason=kept computed_by=pssp .* switches=144 .* limit=budget.megabytes '
sweep_twice "$scratch/next" best,updown "$scratch/torus.net"
expect_line "$scratch/next/opensm.log" \
  '0x01 -> osmpssp: ERR 7A20: best: does not route this fabric: would need .* OpenSM uses the next engine of routing_engine'
expect_equal 'engine after best' "$(used_engine "$scratch/next")" updown
