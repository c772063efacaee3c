#!/usr/bin/env bash
# deploy_tables with a stock opensm with the file engine: setup, plan, apply with and without confirm, back-out, guard, and files
# that must not be deployed.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables route_lft=$PSSP_BUILD_DIR/bin/route_lft eval_lft=$PSSP_BUILD_DIR/bin/eval_lft
[[ -x $deploy ]] || skip 'deploy_tables is not built'

make_tree 5 3 4 1 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
host=$(<"$dir/state/host")
state=$scratch/state

has_ended() { ! is_running "$1"; }

# ---- setup: opensm with minhop and a configuration of its own; two lines, a copy, a restart that changes nothing ----
printf '# ours\nrouting_engine minhop\nlog_flags 0x07\n' >extra
extra_conf=$scratch/extra
# prepare_opensm passes an engine on the command line, which would override the file.
start_by_conf() {
  : >"$dir/opensm.log"
  attach_to "$dir"
  start_child "${in_simulation[@]}" opensm -F "$dir/opensm.conf" -f "$dir/opensm.log" -D 0x07 -t 2000 >"$dir/opensm.out" 2>&1
  # ibsim-run is a script: opensm is its child or replaces it.
  opensm_pid=$child_pid
  wait_for_sweeps "$dir" 1
  pid=(--opensm-pid "$opensm_pid")
}
write_opensm_conf "$dir" minhop '' "$extra_conf"
start_by_conf
check test "$(basename "$(readlink "/proc/$opensm_pid/exe")")" = opensm
held "$dir" minhop
run 7 'routing_engine file,minhop' check-setup "${pid[@]}"
check test ! -e "$state"
run 7 'TO DO .*opensm routes with minhop' check-setup --write "${pid[@]}"
said stdout 'restart opensm'
expect_line "$dir/opensm.conf" '^routing_engine file,minhop$'
expect_line "$dir/opensm.conf" "^lfts_file $state/active.lft\$"
expect_line "$dir/opensm.conf" '^log_flags 0x07$'
expect_equal 'copies of the configuration' "$(cat "$dir"/opensm.conf.before_deploy_tables-* | grep -c routing_engine)" 1
same_entries "$state/active.lft" minhop.lft
"$route_lft" -e pssp minhop.topo -o new.lft 2>/dev/null
run 4 'opensm routes with minhop: it was started before .*opensm.conf was written; restart it' apply new.lft minhop.topo --confirm-within 5s "${pid[@]}"
end_process "$opensm_pid"
start_by_conf
expect_equal 'engine after setup' "$(used_engine "$dir")" file
run 0 'ok +opensm routes with the file' check-setup "${pid[@]}"
held "$dir" now
same_entries now.lft minhop.lft
cp "$dir/opensm.conf" twice.conf
printf 'routing_engine updn\n' >>twice.conf
run 3 'twice.conf:[0-9]+: routing_engine is set in line' check-setup "${pid[@]}" --opensm-conf "$scratch/twice.conf"

# ---- plan: figures of eval_lft and reroute_impact; writes nothing ----
touch before_plan
run 0 '' plan new.lft minhop.topo --json
cp stdout plan.json
expect_equal 'files written by plan' "$(find "$state" -newer before_plan)" ''
"$eval_lft" minhop.lft minhop.topo --compare new.lft --json >compare.json 2>/dev/null
expect_equal 'bandwidths' "$(jq -c '[.scores[].bandwidth]' plan.json)" "$(jq -c '[.tables[].mean]' compare.json)"
expect_equal 'indices' "$(jq -c '[.scores[].edge_forwarding_index]' plan.json)" "$(jq -c '[.tables[].edge_forwarding_index]' compare.json)"
"$PSSP_BUILD_DIR/bin/reroute_impact" minhop.lft new.lft minhop.topo --json >impact.json
expect_equal 'tables' "$(jq -c .tables plan.json)" "$(jq -c .tables impact.json)"
expect_equal 'moved' "$(jq -c .flows.moved plan.json)" "$(jq -c .flows.moved impact.json)"
expect_equal 'entries by switch' "$(jq '[.switches[].entries] | add' plan.json)" "$(jq .tables.entries plan.json)"
run 0 'minhop.lft -> new.lft: apply writes [0-9]+ entries' plan new.lft minhop.topo --against minhop.lft
run 7 'max-moved allows 1' plan new.lft minhop.topo --max-moved 1

# ---- files that must not be deployed: the codes of docs/reference/exit-codes.md, no sweep ----
heading=$(grep -n '^Unicast' new.lft | sed -n '4s/:.*//p')
head -n "$((heading - 1))" new.lft >cut_between.lft
head -n "$((heading + 5))" new.lft >cut_within.lft
sed 's/ #.*//' new.lft >no_guids.lft
awk '!done && /^0x0005/ { sub(/ [0-9]+/, " 008"); done = 1 } { print }' new.lft >broken.lft
grep -v "'H7'" new.lft >no_host.lft
: >empty.lft
# Another fabric has other GUIDs; in net files they are generated and therefore equal, so change them.
make_ring 6 2 >ring.net
"$route_lft" -e updown ring.net -o ring.made_up 2>/dev/null
sed 's/0x00000000002/0x00000000b02/; s/portguid 0x00000000001/portguid 0x00000000b01/; s/portguid 0x00000000002/portguid 0x00000000b02/' ring.made_up >ring.lft
"$route_lft" -e pssp --lmc 1 tree.net -o two_lids.lft 2>/dev/null
mark "$dir"
for file in 'cut_between 7' 'cut_within 3' 'no_guids 7' 'broken 7' 'no_host 7' 'empty 3' 'ring 4' 'two_lids 4'; do
  read -r name status <<<"$file"
  run "$status" "$name.lft" apply "$name.lft" minhop.topo --confirm-within 5s "${pid[@]}"
done
run 4 'do not belong together' apply new.lft ring.net --confirm-within 5s "${pid[@]}"
run 2 'expected a time' apply new.lft minhop.topo --confirm-within soon "${pid[@]}"
run 9 'runs .* and not opensm' apply new.lft minhop.topo --confirm-within 5s --opensm-pid $$
if ((EUID == 0)); then
  chown 65534 "$state"
  run 8 'it belongs to user 65534' apply new.lft minhop.topo --confirm-within 5s "${pid[@]}"
  chown 0 "$state"
fi
check not_logged "$dir" 'SUBNET UP'
check test ! -e "$state/pending"
expect_equal 'history of refused files' "$(ls "$state/history")" ''

# ---- apply without confirm: rolled back ----
run 0 'all switches hold the new tables' apply new.lft minhop.topo --confirm-within 20s "${pid[@]}"
held "$dir" now
same_entries now.lft new.lft
run 0 'is not confirmed; it is reverted at' status
run 2 'awaits confirmation until' apply new.lft minhop.topo --confirm-within 3s "${pid[@]}"
eventually test ! -e "$state/pending"
held "$dir" now
same_entries now.lft minhop.lft
run 2 'no change awaits' confirm
expect_line "$state/log" 'was not confirmed in time; returning to the previous tables'

# ---- with confirm: the tables stay; back-out restores the previous tables ----
run 0 'all switches hold' apply new.lft minhop.topo --confirm-within 60s "${pid[@]}"
timer=$(in_fabric "$dir" "$host" "$deploy" status --state "$state" --json | jq -r '.pending.timer | split(" ")[1]')
check is_running "$timer"
run 0 'is confirmed' confirm
eventually has_ended "$timer"
held "$dir" now
same_entries now.lft new.lft
run 0 'the previous tables are in force' back-out "${pid[@]}"
held "$dir" now
same_entries now.lft minhop.lft
run 2 'no previous tables' back-out "${pid[@]}"

# ---- the switches hold other tables than the file: immediate rollback, whatever opensm's log says ----
cat >other_tables.sh <<'EOF'
cp "$1/active.lft" kept.lft
cp minhop.lft "$1/active.lft"
lines=$(wc -l <"$2")
kill -HUP "$3"
tries=0
until tail -n "+$((lines + 1))" "$2" | grep 'SUBNET UP' >/dev/null || [ $((tries += 1)) -gt 1000 ]; do sleep .1; done
cp kept.lft "$1/active.lft"
EOF
run 7 'was reverted: the switches hold other tables than the file: [1-9][0-9]* entries of [1-9][0-9]* switches' apply new.lft minhop.topo --confirm-within 60s --patience 2 \
  --reload "sh other_tables.sh $state $dir/opensm.log $opensm_pid" --opensm-log "$dir/opensm.log"
check test ! -e "$state/pending"
same_entries "$state/active.lft" minhop.lft
held "$dir" now
same_entries now.lft minhop.lft

# ---- reboot before the confirmation: the unit at boot rolls back, with a command instead of SIGHUP ----
run 0 'all switches hold' apply new.lft minhop.topo --confirm-within 60s --reload "kill -HUP $opensm_pid" --opensm-log "$dir/opensm.log"
timer=$(sed -n 's/^timer process \([0-9]*\) .*/\1/p' "$state/pending")
kill -KILL "$timer"
eventually has_ended "$timer"
run 7 'is NOT confirmed, the time for confirmation has not ended, and nothing will revert it' status
run 0 '' back-out --unconfirmed any
same_entries "$state/active.lft" new.lft
sed -i 's/^boot .*/boot another/' "$state/pending"
run 7 'NOT confirmed, the time for confirmation has ended' status
run 7 'too late' confirm
run 7 'give it again with --reload' back-out --unconfirmed any
run 7 'is being reverted' status
run 0 'the previous tables are in force' back-out --unconfirmed any --reload "kill -HUP $opensm_pid"
held "$dir" now
same_entries now.lft minhop.lft

# watch OPTION...: starts a guard in the background and sets guard to its process id.
watch() {
  rm -f guard.err
  in_fabric "$dir" "$host" "$deploy" guard --state "$state" --interval 1 "$@" "${pid[@]}" 2>guard.err &
  guard=$!
  eventually grep -q 'watching the fabric for the tables' guard.err
}
end_watch() {
  kill "$(pgrep -P "$guard" -f deploy_tables || echo "$guard")" 2>/dev/null || true
  wait "$guard" || true
}

# ---- guard: a link fails; alarm, --once, and removal of the file ----
run 0 'all switches hold' apply new.lft minhop.topo --confirm-within 60s "${pid[@]}"
run 0 '' confirm
run 0 'TABLES OK' guard --once
watch --on-change alarm
printf 'Unlink "L0"[5]\n' >&"$console"
eventually grep -q 'the fabric has changed: link L0\[5\] - S0\[1\] is gone' guard.err
run 2 '^TABLES CRITICAL - link L0\[5\] - S0\[1\] is gone$' guard --once
check test -e "$state/active.lft"
end_watch
printf 'ReLink "L0"[5]\n' >&"$console"
eventually in_fabric "$dir" "$host" "$deploy" guard --once --state "$state" >/dev/null
watch --on-change fallback
printf 'Unlink "L0"[5]\n' >&"$console"
wait "$guard" || fail "guard: status $?: $(cat guard.err)"
expect_line "$state/log" 'link L0\[5\] - S0\[1\] is gone: the tables were moved to .*routes with minhop'
held "$dir" now
expect_equal 'unreachable after the fall-back' "$(unreachable now)" 0
run 7 'TO DO .*opensm routes with minhop: .* opensm reads the file of the next apply' check-setup "${pid[@]}"

run 4 'minhop.topo: the fabric has changed: link L0\[5\] - S0\[1\] is gone' apply new.lft minhop.topo --confirm-within 5s "${pid[@]}"

run 0 '[0-9]+ unreachable pairs' back-out "${pid[@]}"

# ---- guard: the tables are repaired ----
"$route_lft" -e pssp now.topo -o mended.lft 2>/dev/null
run 0 'all switches hold' apply mended.lft now.topo --confirm-within 60s "${pid[@]}"
run 0 '' confirm
watch --on-change reroute
printf 'Unlink "L1"[6]\n' >&"$console"
eventually grep -q ' [1-9][0-9]* flows have a route again, .* % of the other flows moved to another path' guard.err
held "$dir" now
same_entries now.lft "$state/active.lft"
expect_equal 'unreachable after the repair' "$(unreachable now)" 0
end_watch

# Run this last, because ibsim may hang when a second manager ends.
# ---- two managers: refused, with the names of both ----
attach_to "$dir"
mkdir -p second
start_child env OSM_CACHE_DIR="$scratch/second" OSM_TMP_DIR="$scratch/second" "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=H19}" opensm -F "$dir/opensm.conf" -f "$scratch/second/opensm.log" -p 0 -t 2000 >second/out 2>&1
second_pid=$child_pid
eventually grep -qs 'STANDBY' second/opensm.log
run 7 '2 subnet managers respond: port 0x.*\(H0\).*port 0x.*\(H19\)' apply mended.lft now.topo --confirm-within 5s "${pid[@]}"
end_process "$second_pid"
