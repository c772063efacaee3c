#!/usr/bin/env bash
# A short run of the monitor demo: its pages show the simulated fabric and traffic, and no process or file remains.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"
skip_without opensm ibsim ibsim-run curl jq setpriv
demo=$PSSP_SOURCE_DIR/scripts/demo_monitor.sh
for file in bin/monitor_fabric bin/play_traffic lib/libosmpssp.so; do
  [[ -e $PSSP_BUILD_DIR/$file ]] || skip "this build has no $file"
done
cd "$scratch"

expect 0 'Ctrl-C stops all programs' "$demo" --help
expect 2 'unknown option' "$demo" --nonsense
expect 2 'not a port number' "$demo" --port x
expect 2 'not a number of seconds' "$demo" --cut 0

make_tree 3 2 3 2 >tree.net
: >said
port=$(free_ports 1)
"$demo" --port "$port" --out kept --cut 8 tree.net >said 2>&1 &
demo_process=$!
eventually grep -q "The pages of the monitor: http://127.0.0.1:$port/" said
ask() { curl -sf "http://127.0.0.1:$port/api/v1/$1"; }
expect_equal 'switches' "$(ask 'nodes?kind=switch' | jq .total)" 5
there_is_traffic() { (($(ask 'links?sort=bytes&limit=1' | jq '.links[0].bytes_per_s // 0 | floor') > 1000000)); }
eventually there_is_traffic

# ---- a cable is disconnected for a while: the pages Health, Reroutes, Subnet manager and Record show this ----
has() { ask "$1" | jq -e "$2" >null; }
eventually has verdicts 'any(.verdicts[]; .what == "state" and .level == "bad" and (.reason | test("^the link to .* is down")))'
curl -sf "http://127.0.0.1:$port/metrics" >metrics
expect_line metrics '^pssp_fault[{]guid="0x[0-9a-f]*",port="[0-9]*",node="[^"]*",what="state",level="bad"[}] 1$'
eventually has reroutes '.total >= 1 and .reroutes[-1].moved > 0'
eventually grep -q 'reconnecting the cable' said
eventually has verdicts 'all(.verdicts[]; .what != "state")'
eventually has events 'any(.events[]; .kind == "tables_changed")'
eventually has recordings '.total == 2 and .running == null'

# ---- the log of ibsim stays small ----
(($(stat -c %s kept/play/ibsim.log) <= 1048576)) || fail "ibsim.log has $(stat -c %s kept/play/ibsim.log) bytes"
name=$(sed -nE "s/^IBSIM_SOCKNAME='([^']*)'.*/\\1/p" kept/play/attach.sh)
grep -q "@$name" /proc/net/unix || fail "no ibsim at $name"
kill -TERM "$demo_process"
status=0
wait "$demo_process" || status=$?
expect_equal 'status after SIGTERM' "$status" 143
! grep -q "@$name" /proc/net/unix || fail 'ibsim is still there'
! curl -s -o answer "http://127.0.0.1:$port/healthz" || fail 'the monitor is still there'
[[ -s kept/play/truth.json && -s kept/fabric.sqlite ]] || fail 'no truth or no history is kept'
[[ ! -e kept/fabric.sqlite-wal ]] || fail 'the history was not closed'
