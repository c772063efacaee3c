#!/usr/bin/env bash
# `record`: the traffic of links during a command equals the counts of that time; the command's status is passed on; a recording is a named
# period of a database.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

expect 2 'either --for S or a command' "$monitor" record
expect 2 'either --for S or a command' "$monitor" record --for 1 -- true
expect 2 '' "$monitor" record --for 1 --map picture.txt

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
expect 20 'nosuchprogram' in_fabric "$dir" H0 "$monitor" record -- nosuchprogram

# ---- a command that raises counters: 400 MB and 100 MB, and waiting for a fifth of the time ----
cat >moves <<'EOF'
PerformanceSet "L0"[3] PortCountersExtended.PortXmitData=100000000
PerformanceSet "L0"[3] PortCounters.PortXmitWait=25000000
PerformanceSet "L1"[1] PortCountersExtended.PortXmitData=25000000
EOF
cat >job.sh <<'EOF'
#!/usr/bin/env bash
printf '!moves\n#moved \n' >&"$CONSOLE"
until grep -q '#moved ' "$LOG"; do sleep .05; done
# In a shorter time, no link could carry as much, and the counts would be implausible.
sleep 1
exit 7
EOF
chmod +x job.sh
# shellcheck disable=SC2154  # start_simulation_with_console opened it
LOG=$dir/ibsim.log CONSOLE=$console expect 7 '' in_fabric "$dir" H0 "$monitor" record --interval 0.5 --json -o used.json --map used.dot -- ./job.sh
of() { jq -r ".channels[] | select(.from == \"$1\") | $2" used.json; }
near() { awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > b - 0.01 && a < b + 0.01) }' || fail "$1: $2, expected $3"; }
near 'gigabytes of L0 port 3' "$(of 'L0 port 3' .gigabytes)" 0.4
near 'gigabytes of L1 port 1' "$(of 'L1 port 1' .gigabytes)" 0.1
expect_equal 'waiting of L0 port 3' "$(of 'L0 port 3' '.wait_percent | round')" 20
expect_equal 'busiest first' "$(jq -r '.channels[0].from' used.json)" 'L0 port 3'
expect_equal 'status and command' "$(jq -r '"\(.status) \(.command)"' used.json)" '7 ./job.sh'
expect_line used.dot 'graph'

# ---- stored in a database ----
expect 0 'sweeps, [0-9]+ channels were used' in_fabric "$dir" H0 "$monitor" record --for 1 --interval 0.5 --database kept.sqlite --name quiet
if command -v sqlite3 >/dev/null; then
  expect_equal 'recordings' "$(sqlite3 kept.sqlite 'SELECT name, end_ms - start_ms BETWEEN 900 AND 20000 FROM recording')" 'quiet|1'
fi

# ---- a signal ends a recording without a command; the report is printed ----
in_fabric "$dir" H0 "$monitor" record --for 100 --interval 0.5 --database ended.sqlite --json -o ended.json 2>said &
waiter=$!
innermost() {
  inner=$waiter
  while below=$(pgrep -P "$inner"); do inner=$below; done
  [[ $(ps -o comm= -p "$inner") == monitor_fabric ]]
}
eventually innermost
has_swept() { (($("$monitor" export -d ended.sqlite 2>null | wc -l) > 1)); }
eventually has_swept
kill -TERM "$inner"
status=0
wait "$waiter" || status=$?
expect_equal 'status after SIGTERM' "$status" 143
expect_equal 'command' "$(jq .command ended.json)" null
