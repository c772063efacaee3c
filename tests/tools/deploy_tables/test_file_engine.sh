#!/usr/bin/env bash
# Properties of the stock opensm's file engine on which deploy_tables depends (the table in docs/reference/deploy.md). Each row is
# tested, and an opensm that behaves differently fails the test.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
route_lft=$PSSP_BUILD_DIR/bin/route_lft

# 16 hosts H0 to H15, four at each of four leaves (ports 1 to 4), and four spines.
make_tree 4 4 4 1 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
sweep_once "$dir" ftree
held "$dir" ftree
sweep_once "$dir" minhop
held "$dir" minhop
check test "$(entries ftree.lft | md5sum)" != "$(entries minhop.lft | md5sum)"
"$route_lft" -e pssp minhop.topo -o pssp.lft 2>/dev/null

# ---- accepted: our files and output of dump_fts; after SIGHUP a new file of the same name ----
file=$scratch/tables.lft
cp pssp.lft "$file"
start_opensm "$dir" file -U "$file"
expect_equal 'engine' "$(used_engine "$dir")" file
held "$dir" now
same_entries now.lft pssp.lft
cp ftree.lft "$file"
hang_up "$dir"
expect_equal 'engine after SIGHUP' "$(engine_since "$dir")" file
held "$dir" now
same_entries now.lft ftree.lft

# ---- other LIDs than when the tables were computed: port GUIDs in the comments count ----
# Increases each LID of the file by one, and replaces the last by the first.
shifted() {
  awk -v last=24 '
    BEGIN { for (lid = 1; lid <= last; lid++) other[sprintf("0x%04x", lid)] = sprintf("0x%04x", lid % last + 1) }
    /^0x/ { $0 = other[$1] substr($0, 7) } { print }' "$1"
}
expect_equal 'LIDs' "$(grep -c '^0x' <(sed '/lids dumped/q' pssp.lft))" 24
shifted pssp.lft >"$file"
hang_up "$dir"
held "$dir" now
same_entries now.lft pssp.lft
sed 's/ #.*//' <(shifted pssp.lft) >"$file"
hang_up "$dir"
expect_equal 'engine without GUIDs' "$(engine_since "$dir")" file
held "$dir" now
check test "$(unreachable now)" -gt 100

# ---- a truncated file: refused if cut in the header of a switch, accepted if cut between two lines ----
heading=$(grep -n '^Unicast' pssp.lft | sed -n '4s/:.*//p')
{ head -n "$((heading - 1))" pssp.lft; sed -n "${heading}s/ guid .*/ gu/p" pssp.lft; } >"$file"
hang_up "$dir"
check logged "$dir" 'PARSE ERROR'
expect_equal 'engine of a file cut in a heading' "$(engine_since "$dir")" minhop
# The effect of missing entries is tested below in a fresh fabric, because here the switches may keep old entries.
head -n "$((heading + 5))" pssp.lft >"$file"
hang_up "$dir"
expect_equal 'engine of a file cut between lines' "$(engine_since "$dir")" file
check not_logged "$dir" 'ERR 63'

# ---- a nonexistent port, and a missing file: refused completely, the next engine is minhop ----
awk '!done && /^0x/ { sub(/ [0-9]+/, " 200"); done = 1 } { print }' pssp.lft >"$file"
hang_up "$dir"
check logged "$dir" 'Invalid port 200 found for switch'
expect_equal 'engine of a wrong port' "$(engine_since "$dir")" minhop
rm "$file"
hang_up "$dir"
check logged "$dir" 'ERR 6302'
expect_equal 'engine without a file' "$(engine_since "$dir")" minhop

# ---- another name in lfts_file of opensm.conf: not read again ----
end_process "$opensm_pid"
cp pssp.lft "$file"
printf 'lfts_file %s\n' "$file" >extra
extra_conf=$scratch/extra
start_opensm "$dir" file
expect_equal 'engine by opensm.conf' "$(used_engine "$dir")" file
sed -i "s|^lfts_file .*|lfts_file $scratch/ftree.lft|" "$dir/opensm.conf"
hang_up "$dir"
held "$dir" now
same_entries now.lft pssp.lft
extra_conf=

# ---- no service levels: every path record has level 0 ----
in_fabric "$dir" "$(<"$dir/state/host")" saquery -p >paths 2>/dev/null
expect_equal 'levels of path records' "$(sed -n 's/^.*sl\.*0x\{0,1\}\([0-9]*\)$/\1/p' paths | sort -u)" 0

# ---- a link fails: a heavy sweep changes nothing; no error, no other engine ----
held "$dir" before
mark "$dir"
printf 'Unlink "L0"[5]\n' >&"$console"
kill -HUP "$opensm_pid"
eventually logged "$dir" 'SUBNET UP'
expect_equal 'engine after a lost link' "$(engine_since "$dir")" file
check not_logged "$dir" ' ERR '
held "$dir" after
same_entries before.lft after.lft
expect_equal 'unreachable before' "$(unreachable before)" 0
check test "$(unreachable after)" -gt 0

# ---- a switch fails: the same ----
without_spine() { awk '/^Unicast/ { other = !/S1/ } other' "$1.lft" >"$1.others.lft"; }
mark "$dir"
printf 'Unlink "S1"\n' >&"$console"
kill -HUP "$opensm_pid"
eventually logged "$dir" 'SUBNET UP'
expect_equal 'engine after a lost switch' "$(engine_since "$dir")" file
check not_logged "$dir" ' ERR '
held "$dir" later
expect_equal 'switches that are left' "$(grep -c '^Unicast' later.lft)" 7
for each in after later; do without_spine $each; done
same_entries after.others.lft later.others.lft
check test "$(unreachable later)" -gt "$(unreachable after)"
end_process "$opensm_pid"
stop_simulation "$dir"

# ---- a fresh fabric: missing entries of a truncated file make nodes unreachable, but opensm logs SUBNET UP ----
dir=$scratch/cut
head -n "$((heading + 5))" pssp.lft >"$file"
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" file -U "$file"
expect_equal 'engine of a cut file' "$(used_engine "$dir")" file
held "$dir" now
check test "$(unreachable now)" -gt 100
end_process "$opensm_pid"
stop_simulation "$dir"

# ---- a host that the file does not have: gets a LID, but no switch has a route to it ----
dir=$scratch/more
simulate "$dir" "$scratch/tree.net"
# The tables without the lines of one host.
sweep_once "$dir" minhop
grep -v "'H7'" "$dir/osm/opensm-lfts.dump" >"$file"
stop_simulation "$dir"
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" file -U "$file"
expect_equal 'engine without a host' "$(used_engine "$dir")" file
expect_equal 'errors without a host' "$(grep -c ' ERR ' "$dir/opensm.log")" 0
held "$dir" now
expect_line now.topo "\"H7\" lid [1-9]"
expect_equal 'pairs to the host without a route' "$(unreachable now)" 15
end_process "$opensm_pid"
stop_simulation "$dir"

# ---- the next engine of the list; with LMC ----
dir=$scratch/list
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" file,updn -U "$scratch/nothing.lft"
check grep -q 'ERR 6302' "$dir/opensm.log"
expect_equal 'engine of the list' "$(used_engine "$dir")" updn
end_process "$opensm_pid"
sweep_once "$dir" minhop -l 1
held "$dir" lmc
"$route_lft" -e pssp lmc.topo -o "$file" 2>/dev/null
start_opensm "$dir" file -U "$file" -l 1
expect_equal 'engine with LMC 1' "$(used_engine "$dir")" file
held "$dir" now
same_entries now.lft "$file"
expect_equal 'unreachable with LMC 1' "$(unreachable now)" 0
