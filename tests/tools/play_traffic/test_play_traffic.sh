#!/usr/bin/env bash
# The counters that perfquery reads at each port agree with truth.json, the sums are consistent, and all processes end with the
# command or after Ctrl-C.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"
skip_without opensm ibsim ibsim-run perfquery jq
simulate=$PSSP_BUILD_DIR/bin/play_traffic
[[ -x $simulate ]] || skip "this build has no monitor"
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip "this build has no plugin"
cd "$scratch"
make_tree 4 2 3 2 >tree.net

# ---- refused ----
expect 2 'TOPO' "$simulate"
expect 2 'scatter' "$simulate" tree.net --jobs some.jsonl --scatter 3
expect 3 'no-such-file' "$simulate" no-such-file --out refused
echo '{"hosts": 40}' >many
expect 4 'needs 40 hosts, but only 11 are left' "$simulate" tree.net --jobs many --out refused

# ---- the counters after the traffic has ended ----
cat >some.jsonl <<'EOF'
{"id": "cfd", "hosts": 6, "pattern": "all_to_all", "activity": "constant", "rate": 0.8}
{"id": "md", "hosts": 4, "pattern": "shift:1", "activity": "constant", "rate": 0.5}
EOF
cat >look.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
for ((tries = 0; tries < 1200; tries++)); do [[ -s out/truth.json ]] && break || sleep 0.1; done
jq -r '.ports[] | select(.name | startswith("L")) | "\(.guid) \(.port) \(.PortXmitData) \(.PortRcvData) \(.PortXmitPkts) \(.PortXmitWait)"' out/truth.json |
  while read -r guid port rest; do
    [[ $port -gt 3 || ${#done} -lt 8 ]] || continue
    done+=x
    perfquery -x -G "$guid" "$port" >extended
    perfquery -G "$guid" "$port" >narrow
    printf '%s %s %s' "$guid" "$port" "$rest"
    sed -nE 's/^(PortXmitData|PortRcvData|PortXmitPkts):\.*/ /p' extended | tr -d '\n'
    sed -nE 's/^PortXmitWait:\.*/ /p' narrow
  done >compared
exit 42
EOF
chmod +x look.sh
expect 42 '2 jobs on 12 hosts' "$simulate" tree.net --jobs some.jsonl --for 2 --interval 0.5 --errors 2 --out out -- ./look.sh
# Columns: GUID, port; true data out, data in, packets and waiting time; then the values of perfquery, which include its own
# packets.
awk 'NF != 10 { print "not read:", $0; exit 1 }
  function near(truth, read, slack) { return read >= truth && read - truth < slack }
  !near($3, $7, 100000) || !near($4, $8, 100000) || !near($5, $9, 2000) || $6 != $10 { print "differs:", $0; wrong = 1 }
  $3 > 1000000 { busy++ }
  END { print NR " ports, " busy " busy"; exit wrong || NR < 10 || busy < 5 }' compared || fail "perfquery and the truth differ: $(<compared)"
expect_equal 'bytes of the jobs, and what hosts sent' \
  "$(jq '[.jobs[].bytes] | add' out/truth.json)" \
  "$(jq '[.ports[] | select(.name | startswith("H")) | .transmit_bytes] | add' out/truth.json)"
expect_equal 'ports whose shares do not add up' \
  "$(jq '[.ports[] | select(.transmit_bytes != ([.jobs[]] | add // 0))] | length' out/truth.json)" 0
expect_equal 'jobs for the monitor' "$(jq -s -c 'map(.id)' out/jobs.jsonl)" '["cfd","md"]'
expect_equal 'cables with errors' "$(jq '[.ports[] | select(.SymbolErrorCounter or .PortXmitDiscards)] | length' out/truth.json)" 2

# ---- the fabric also counts errors and waiting time ----
echo '{"id": "many", "hosts": 11, "pattern": "gather", "activity": "constant", "rate": 0.9}' >crowd.jsonl
cat >errors.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
for ((tries = 0; tries < 1200; tries++)); do [[ -s counted/truth.json ]] && break || sleep 0.1; done
jq -r '.ports[] | select(.name | startswith("L")) | . as $port | to_entries[] |
  select((.key | test("^(SymbolErrorCounter|PortXmitDiscards|PortXmitWait)$")) and .value > 0) | "\($port.guid) \($port.port) \(.key) \(.value)"' counted/truth.json |
  while read -r guid port counter value; do
    printf '%s %s %s %s\n' "$guid" "$counter" "$value" "$(perfquery -G "$guid" "$port" | sed -nE "s/^$counter:\.*//p")"
  done >errors
EOF
chmod +x errors.sh
expect 0 '' "$simulate" tree.net --jobs crowd.jsonl --for 6 --interval 0.5 --errors 4 --out counted -- ./errors.sh
awk '$3 != $4 { print "differs:", $0; wrong = 1 } { seen[$2] = 1 } END { exit wrong || !(seen["SymbolErrorCounter"] || seen["PortXmitDiscards"]) || !seen["PortXmitWait"] }' errors ||
  fail "errors or waits of the truth, and what perfquery read: $(<errors)"

# ---- the same seed gives the same truth ----
cp out/truth.json first.json
expect 0 '' "$simulate" tree.net --jobs some.jsonl --for 2 --interval 0.5 --errors 2 --out out
expect_same first.json out/truth.json 'the truth of the same seed'

# ---- interrupted: the truth so far, and no process remains ----
"$simulate" tree.net --scatter 2 --out stopped 2>said &
playing=$!
eventually grep -q 'jobs on 12 hosts' said
name=$(sed -nE "s/^IBSIM_SOCKNAME='([^']*)'.*/\\1/p" stopped/attach.sh)
grep -q "@$name" /proc/net/unix || fail "no ibsim at $name"
kill -TERM "$playing"
status=0
wait "$playing" || status=$?
expect_equal 'status after SIGTERM' "$status" 143
[[ -s stopped/truth.json ]] || fail 'no truth after SIGTERM'
! grep -q "@$name" /proc/net/unix || fail 'ibsim is still there'
