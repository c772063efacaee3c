#!/usr/bin/env bash
# From a link that goes down to routing, without manual steps: counters in ibsim, the daemon's verdict, its capacity file, and the plugin that
# reads the file.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl
# shellcheck source=tests/osm_plugin/changes.sh
. "$PSSP_SOURCE_DIR/tests/osm_plugin/changes.sh"

make_mesh 4 4 2 >mesh.net
dir=$scratch/fabric
capacity=$scratch/capacities
plugin_options="capacity_file=$capacity"
start_simulation_with_console "$dir" "$scratch/mesh.net"
start_opensm "$dir" pssp
dump=$dir/osm/opensm-lfts.dump
# Entries for the link between M1_1, the sixth switch, and M2_1, in both directions.
entries_over_link() {
  awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") at = $(i + 1) }
    /^0x/ && ((at ~ /200005$/ && $2 == "001") || (at ~ /200006$/ && $2 == "002")) { ++count }
    END { print count + 0 }' "$1"
}
(($(entries_over_link "$dump") > 0)) || fail 'the link is not used'

printf '[verdicts]\ncapacity_file = %s\n' "$capacity" >serve.conf
begin_daemon() { serve "$dir" H0_0_1 --config serve.conf --listen 127.0.0.1:0 --interval 1 --database history.sqlite; }
lowered() { grep -v '^#' "$capacity" | cut -d ' ' -f 3 || true; }

begin_daemon
eventually test -s "$capacity"
expect_equal 'lowered links of a sound fabric' "$(lowered)" ''

# The link goes down three times: there is a verdict at once, but no new file within ten minutes of the last one.
printf 'PerformanceSet "M1_1"[1] PortCounters.LinkDownedCounter=3\n' >settings
set_counters "$dir" "$scratch/settings"
is_bad() { [[ $(curl -sf "$url/api/v1/verdicts?level=bad" | jq -r '.verdicts[0].what') == link_downed ]]; }
eventually is_bad
expect_equal 'lowered links before ten minutes are over' "$(lowered)" ''
end_daemon

# The verdict persists across a restart, and the last file is now old enough.
touch -d '11 minutes ago' "$capacity"
begin_daemon
is_lowered() { [[ $(lowered) == 0 ]]; }
eventually is_lowered
change "$dir"
expect_line "$dir/opensm.log" "osmpssp: pssp: capacity_file $capacity: 1 of 24 links between switches have less capacity, 1 of them are avoided"
expect_equal 'entries over the link that went down' "$(entries_over_link "$dump")" 0
end_daemon
end_process "$opensm_pid"
stop_simulation "$dir"
