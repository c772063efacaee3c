#!/usr/bin/env bash
# stable=on in a running opensm: after a link was cut or repaired, only entries change that must.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover

cut='Unlink "M1_1"[1]'
repair='Link "M1_1"[1] "M2_1"[2]'

# changes_in_log DIR: prints "kept replaced moved added removed" of the last routing that changed an entry. OpenSM may have swept
# once more since.
changes_in_log() {
  plugin_lines "$1" |
    sed -n 's/^routing: .* kept=\([0-9]*\) replaced=\([0-9]*\) moved=\([0-9]*\) added=\([0-9]*\) removed=\([0-9]*\) .*/\1 \2 \3 \4 \5/p' |
    grep -v ' 0 0 0 0$' | tail -n 1
}

# entries DUMP: prints only the entries of a dump.
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") print $(i + 1) } /^0x/ { print $1, $2 }' "$1"; }

make_mesh 4 4 2 >"$scratch/mesh.net"

# A link fails and is restored.
dir=$scratch/pssp
plugin_options='deadlock=ignore'
start_simulation_with_console "$dir" "$scratch/mesh.net"
start_opensm "$dir" pssp
dump=$dir/osm/opensm-lfts.dump
expect_equal 'repairs before there are tables' "$(grep -c ' kept=[0-9]' "$dir/opensm.log")" 0
cp "$dump" "$scratch/first"
change "$dir"
expect_routing "$dir" ' reason=kept .* entries_changed=0 kept=768 replaced=0 moved=0 added=0 removed=0 '
expect_same "$dump" "$scratch/first"

change "$dir" "$cut"
expect_line "$dir/opensm.log" 'osmpssp: routing: engine=pssp reason=repaired '
cp "$dump" "$scratch/cut"
read -r kept replaced moved added removed < <(changes_in_log "$dir")
read -r same other dead unconcerned dead_now < <(awk -v at=1_1 -f "$tests_dir/mesh_changes.awk" "$scratch/first" "$scratch/cut")
expect_equal 'entries kept' "$kept" "$same"
expect_equal 'entries changed' "$((replaced + moved))" "$other"
expect_equal 'entries added and removed' "$added $removed" '0 0'
expect_equal 'entries to the dead link' "$dead_now" 0
((dead > 0 && dead <= replaced)) || fail "$dead entries led to the dead link, $replaced were replaced"
((unconcerned <= moved)) || fail "$unconcerned entries changed whose paths did not meet the dead link, and $moved were moved"
((other * 8 < same)) || fail "one link, and $other entries changed, $same did not"
# route_lft computes the same tables offline.
in_fabric "$dir" H0_0_1 ibnetdiscover >"$scratch/cut.net" 2>/dev/null
"$PSSP_BUILD_DIR/bin/route_lft" --stable "$scratch/first" --from-baseline --in-force "$scratch/first" "$scratch/cut.net" -o "$scratch/offline" 2>/dev/null
expect_same <(entries "$scratch/cut") <(entries "$scratch/offline")

change "$dir" "$repair"
read -r kept replaced moved added removed < <(changes_in_log "$dir")
((replaced > 0)) || fail 'no longer path was given up for the link that came back'
expect_equal 'entries added and removed' "$added $removed" '0 0'
((kept > 8 * (replaced + moved))) || fail "one link came back, and $replaced entries were replaced and $moved moved"
read -r _ _ _ _ back < <(awk -v at=1_1 -f "$tests_dir/mesh_changes.awk" "$scratch/cut" "$dump")
((back > 0)) || fail 'the link that came back is not used'
expect_equal "engine of $dir" "$(used_engine "$dir")" pssp
end_process "$opensm_pid"
stop_simulation "$dir"

# A fabric that comes up in parts is routed from scratch, and ends with the tables of the complete fabric.
dir=$scratch/pieces
plugin_options='deadlock=ignore'
start_simulation_with_console "$dir" "$scratch/mesh.net"
for x in 0 1 2 3; do printf 'Unlink "M%d_0"[3]\n' "$x" >&"$console"; done
start_opensm "$dir" pssp
change "$dir" "$(for x in 0 1 2 3; do printf 'Link "M%d_0"[3] "M%d_1"[4]\n' "$x" "$x"; done)"
expect_line "$dir/opensm.log" 'osmpssp: pssp: repair: [0-9]+ entries kept, .*: the baseline contains less than half of the entries; the engine routes from scratch'
in_fabric "$dir" H0_0_1 ibnetdiscover >"$scratch/whole.net" 2>/dev/null
"$PSSP_BUILD_DIR/bin/route_lft" --engine pssp "$scratch/whole.net" -o "$scratch/offline" 2>/dev/null
expect_same <(entries "$dir/osm/opensm-lfts.dump") <(entries "$scratch/offline")
end_process "$opensm_pid"
stop_simulation "$dir"

# Repaired tables of meshdor can deadlock, so the plugin calls the engine, whose own tables can deadlock as well; the repaired
# tables are used. When the mesh is complete, the tables are the baseline.
dir=$scratch/meshdor
plugin_options=
start_simulation_with_console "$dir" "$scratch/mesh.net"
start_opensm "$dir" meshdor
dump=$dir/osm/opensm-lfts.dump
cp "$dump" "$scratch/first"
change "$dir" "$cut"
expect_line "$dir/opensm.log" 'osmpssp: routing: engine=meshdor reason=repaired .* deadlock_free=no '
expect_line "$dir/opensm.log" 'osmpssp: meshdor: .* lacks 1 link;'
expect_equal "engine of $dir" "$(used_engine "$dir")" meshdor
change "$dir" "$repair"
expect_same "$dump" "$scratch/first"
end_process "$opensm_pid"
stop_simulation "$dir"

# With stable=off every routing is the engine's.
dir=$scratch/off
plugin_options='stable=off'
start_simulation_with_console "$dir" "$scratch/mesh.net"
start_opensm "$dir" pssp
change "$dir" "$cut"
expect_equal 'lines about repairs' "$(grep -c ' kept=[0-9]\|repair:\|baseline' "$dir/opensm.log")" 0
end_process "$opensm_pid"
stop_simulation "$dir"
