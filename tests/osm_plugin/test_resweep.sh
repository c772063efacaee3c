#!/usr/bin/env bash
# Repeated sweeps of one opensm give the same tables while nothing changes, with and without opensm's unicast cache.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 4 2 3 2 >"$scratch/tree.net"
for cache in FALSE TRUE; do
  dir=$scratch/cache-$cache
  printf 'use_ucast_cache %s\n' "$cache" >"$scratch/conf"
  extra_conf=$scratch/conf
  simulate "$dir" "$scratch/tree.net"
  start_opensm "$dir" pssp
  cp "$dir/osm/opensm-lfts.dump" "$scratch/first.dump"
  for sweep in 2 3 4; do
    kill -HUP "$opensm_pid"
    wait_for_sweeps "$dir" "$sweep"
    expect_same "$dir/osm/opensm-lfts.dump" "$scratch/first.dump"
  done
  expect_equal "engine of the last sweep" "$(used_engine "$dir")" pssp
  expect_equal "errors in $dir" "$(sed -n '/0x01 ->/p' "$dir/opensm.log")" ''
  kill -TERM "$opensm_pid"
  status=0
  wait "$opensm_pid" || status=$?
  expect_equal 'status of opensm after SIGTERM' "$status" 0
  stop_simulation "$dir"
done
