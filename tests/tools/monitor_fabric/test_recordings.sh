#!/usr/bin/env bash
# Recordings of the daemon: SIGUSR2 starts and ends one, `record` adds one to the database of the daemon, and the interface has the traffic of
# each channel in them.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

serve_here() { serve "$dir" H0 --interval 1 --listen 127.0.0.1:0 "$@"; }
status_of() { curl -s -o null -w '%{http_code}' "$url/api/v1/$1"; }
sweep_is_beyond() { (($(ask status | jq .sweep) > $1)); }
# Waits for two sweeps, because the first one may have begun before this call.
two_sweeps() { eventually sweep_is_beyond "$(($(ask status | jq .sweep) + 1))"; }

# ---- without a database ----
serve_here
kill -USR2 "$daemon"
eventually grep -q 'SIGUSR2: cannot record without a database' said
expect_equal 'recordings without a database' "$(status_of recordings)" 404
end_daemon

# ---- started and ended by a signal: the counts between the signals ----
serve_here --database history.sqlite
two_sweeps
expect_equal 'recordings before the first' "$(ask recordings | jq -c '[.total, .recordings]')" '[0,[]]'
kill -USR2 "$daemon"
eventually grep -q 'SIGUSR2: recording started' said
two_sweeps
# 100 MB out of L0[3] and 50 MB to the host at L1[1].
printf 'PerformanceSet "L0"[3] PortCountersExtended.PortXmitData=25000000\nPerformanceSet "L1"[1] PortCountersExtended.PortXmitData=12500000\n' >settings
set_counters "$dir" "$scratch/settings"
two_sweeps
kill -USR2 "$daemon"
eventually grep -qE "stored the recording '[^']+'" said
ask recordings >list
# shellcheck disable=SC2016  # a variable of jq
check jq -e '.total == 1 and (.recordings[0] | .command == "" and (.end - .start | . > 1000 and . < 60000) and
  ((.start / 1000 | floor | strftime("%Y-%m-%d %H:%M:%S")) as $start | .name | startswith($start + ".")))' list >null
signalled=$(jq -r '.recordings[0].id' list)
ask "recordings/$signalled" >first
bytes_of() { jq -r --arg port "$2" '(.item.end - .item.start) as $ms | .links[] | select("\(.name)[\(.port)]" == $port) | .use.bytes_per_s * $ms / 1e12' "$1"; }
# The recording may have one sweep more or less at each end, so the rate is compared roughly.
within() { awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > 0.3 * b && a < 1.7 * b) }' || fail "$1: $2 GB, expected about $3"; }
within 'out of L0[3]' "$(bytes_of first 'L0[3]')" 0.1
within 'out of L1[1]' "$(bytes_of first 'L1[1]')" 0.05
expect_equal 'busiest first' "$(jq -r '.links[0] | "\(.name)[\(.port)] \(.use_with)"' first)" 'L0[3] null'

# ---- a recording of a command in the same database ----
cat >moves <<'END'
PerformanceSet "L1"[1] PortCountersExtended.PortXmitData=122500000
END
cat >job.sh <<'END'
#!/usr/bin/env bash
sweep() { curl -sf "$URL/api/v1/status" | jq .sweep; }
# pass N: waits for N sweeps of the daemon.
pass() {
  local first
  first=$(sweep)
  until (($(sweep) >= first + $1)); do sleep .05; done
}
pass 2
printf '!moves\n' >&"$CONSOLE"
pass 3
END
chmod +x job.sh
# shellcheck disable=SC2154  # start_simulation_with_console opened it
URL=$url CONSOLE=$console expect 0 '' in_fabric "$dir" H1 "$monitor" record --interval 0.5 --database history.sqlite --name '<b>a job</b>' -- ./job.sh
ask recordings >list
expect_equal 'newest first' "$(jq -c '[.recordings[] | [.name == "<b>a job</b>", .command]]' list)" '[[true,"./job.sh"],[false,""]]'
ran=$(jq -r '.recordings[0].id' list)
# The sweep after the end of the recording may still be missing.
has_both() { ask "recordings/$signalled?with=$ran&sort=difference" >both && [[ $(jq -r '.links[0] | "\(.name)[\(.port)]"' both) == 'L1[1]' ]]; }
eventually has_both
# shellcheck disable=SC2016  # a variable of jq
check jq -e --arg ran "$ran" '.with.id == $ran and (.links[0] | .use_with.bytes_per_s > 2 * .use.bytes_per_s and .peer.name != null)' both >null
# The map and the links of that time come from the daemon's own database.
then=$(jq .item.end both)
for list in topology links; do
  ask "$list?at=$then" >past
  # shellcheck disable=SC2016  # a variable of jq
  check jq -e --argjson at "$then" '.level == "raw" and .since < $at and .until >= $at and (.links | length) > 0' past >null
done
expect_equal 'before the first sweep' "$(status_of "topology?at=$(($(ask status | jq .oldest) - 1))")" 404
expect_equal 'an unknown recording' "$(status_of recordings/4711)" 404
expect_equal 'compared with an unknown recording' "$(status_of "recordings/$ran?with=4711")" 404
expect_equal 'an unknown order' "$(status_of "recordings/$ran?sort=name")" 400
expect_equal 'another parameter' "$(status_of 'recordings?sort=bytes')" 400
expect_equal 'started by a request without a token' "$(curl -s -o null -w '%{http_code}' -X POST "$url/api/v1/recordings")" 405

# ---- a recording that runs when the daemon ends is stored ----
kill -USR2 "$daemon"
begun_twice() { [[ $(grep -c 'SIGUSR2: recording started' said) == 2 ]]; }
eventually begun_twice
end_daemon

# ---- with a token, requests start and end recordings, in addition to the signal ----
printf '%032d\n' 1 >token
chmod 600 token
bearer="Authorization: Bearer $(<token)"
allowed() { curl -sf -H "$bearer" "$url/api/v1/$1"; }
post() { curl -s -o posted -w '%{http_code}' -X POST -H "$bearer" "$url/api/v1/$1"; }
serve_here --database history.sqlite --token-file token
eventually allowed status >null
expect_equal 'recordings after the end' "$(allowed recordings | jq .total)" 3
kill -USR2 "$daemon"
runs() { allowed recordings | jq -e '.running.start > 0' >null; }
eventually runs
expect_equal 'a second recording at the same time' "$(post 'recordings?name=other')" 409
expect_equal 'the end of the recording that the signal started' "$(post recordings/end)" 200
expect_equal 'the longest name' "$(allowed recordings | jq .longest_name)" 100
expect_equal 'a name that is too long' "$(post "recordings?name=$(printf '%%C3%%A4%.0s' {1..51})")" 400
expect_line posted '102 bytes.*at most 100 are allowed'
expect_equal 'begun' "$(post 'recordings?name=run%2017')" 201
expect_equal 'ended' "$(post recordings/end)" 200
expect_equal 'by requests' "$(allowed recordings | jq -c '[.total, .recordings[0].name, .may_record]')" '[5,"run 17",true]'
end_daemon
