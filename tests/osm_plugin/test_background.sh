#!/usr/bin/env bash
# With background=on, opensm first gets tables of a fast engine, and the selected engine's in a sweep that the plugin requests:
# the same tables, byte for byte, as route_lft computes. opensm can be ended or killed at any moment.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run
route_lft=$PSSP_BUILD_DIR/bin/route_lft
[[ -x $route_lft ]] || skip 'route_lft is not built'

dir=$scratch/run
log=$dir/opensm.log
plugin_options='background=on'
"$PSSP_BUILD_DIR/bin/make_topo" xgft 6,6,6 1,6,6 --permute-ports --shuffle-guids -o "$scratch/tree.net" 2>/dev/null
"$route_lft" --engine best --first-start "$scratch/tree.net" -o "$scratch/best.lft" 2>/dev/null

# wait_for_line REGEX: waits until opensm's log has a matching line.
wait_for_line() {
  for ((tries = 0; tries < 600; tries++)); do
    ! grep -qE "$1" "$log" || return 0
    is_running "$opensm_pid" || break
    sleep 0.1
  done
  fail "no line '$1': $(tail_of "$log")"
}

# opensm writes the dump after the sweep in which the tables are used.
refined() {
  wait_for_line 'routing: .* background=used'
  wait_for_sweeps "$dir" 2
  expect_same "$dir/osm/opensm-lfts.dump" "$scratch/best.lft"
}

# On this torus the engine takes seconds. Kill opensm, and then end it with SIGTERM, while the engine works.
is_working() {
  expect_line "$log" 'routing: engine=best reason=interim computed_by=updown .* background=running'
  expect_equal 'tables of the engine' "$(grep -c 'background=used' "$log")" 0
}
"$PSSP_BUILD_DIR/bin/make_topo" torus 8x8x6 --hosts 2 -o "$scratch/torus.net" 2>/dev/null
simulate "$dir" "$scratch/torus.net"
start_opensm "$dir" best
is_working
kill -KILL "$opensm_pid"
wait "$opensm_pid" 2>/dev/null || true
forget_child "$opensm_pid"
start_opensm "$dir" best
is_working
kill -TERM "$opensm_pid"
status=0
wait "$opensm_pid" || status=$?
forget_child "$opensm_pid"
expect_equal 'status of opensm that was ended' "$status" 0
stop_simulation "$dir"

rm -rf "$dir"
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" best
expect_line "$log" 'routing: engine=best reason=interim computed_by=pssp .* '
refined
expect_line "$log" 'routing: engine=best reason=(scratch|inferred) computed_by=best .* background=used'
sweep_again "$dir"
expect_equal 'tables after another sweep' "$(grep -c 'background=used' "$log")" 1
expect_same "$dir/osm/opensm-lfts.dump" "$scratch/best.lft"
end_process "$opensm_pid"

# With the state of the run before, no tables need to be computed.
start_opensm "$dir" best
expect_line "$log" 'state file: .*restored the tables'
expect_line "$log" 'routing: engine=best .* entries_changed=0 .* background=-'
expect_same "$dir/osm/opensm-lfts.dump" "$scratch/best.lft"
# A new baseline is computed while the current tables remain in use.
touch "$dir/osm/osmpssp-best.rebaseline"
sweep_again "$dir"
wait_for_line 'routing: .* reason=rebaselined .* background=used'
end_process "$opensm_pid"
stop_simulation "$dir"
