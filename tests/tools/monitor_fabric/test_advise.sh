#!/usr/bin/env bash
# Advice from a database: tables that are better by a known factor are recommended, and no others. The proposed changes can be carried out
# and have the predicted effect.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without jq
monitor=$bin/monitor_fabric
[[ -x $monitor ]] || skip 'monitor_fabric is not built'
cd "$scratch"
mkdir crowded scattered
"$PSSP_BUILD_DIR/tests/write_traffic" crowded phases 30 congested
"$PSSP_BUILD_DIR/tests/write_traffic" scattered phases 30

# ---- all traffic over one of four spines ----
cp crowded/history.db before.db
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp,cassp --bisections 100
said stdout '^pssp is better than the tables in force: the busiest channel takes '
said stdout '^no change: the tables of stable '
said stdout '^recommended: (pssp|cassp); '
said stdout 'opensm.conf: routing_engine (pssp|cassp)$'
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp --bisections 100 --json -o advice.json
check jq -e '.recommended == "pssp" and (.proposals[0].busiest_channel | .lower > 0.4 and .upper < 0.8 and .gain < .upper) and
  .proposals[0].lanes == 1 and .proposals[0].pairs == 4032 and .sweeps == 30' advice.json >null
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp --bisections 100 --json --threads 2 -o two.json
expect_same advice.json two.json
# The entries that would change are those that differ in the tables of route_lft.
expect 0 '' "$monitor" export -d crowded/history.db --topology-at 2023-11-14T23:00:00Z -o fabric.net
expect 0 '' "$bin/route_lft" --engine pssp fabric.net -o new.lft
# The traffic of the window as a file: its flows carry the bytes that hosts sent, and the flows that other tables move match the advice.
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp --bisections 30 --json -o again.json --write-traffic window.pattern
# shellcheck disable=SC2016  # awk's
check awk -v bytes="$(jq .bytes again.json)" '/->/ { sum += $5; flows++ } END { exit !(flows == 4032 && sum / bytes > 0.999999 && sum / bytes < 1.000001) }' window.pattern
expect 0 '' "$bin/route_lft" --engine updown fabric.net -o old.lft
expect 0 '' "$bin/reroute_impact" old.lft new.lft fabric.net --traffic window.pattern --json
check jq -e '.flows.all | .flows == 4032 and .bytes > 1e12' stdout >null
expect 0 '' "$bin/eval_lft" old.lft fabric.net --ptrn file:window.pattern --commsize 64 --subset guid_asc --no-shuffle
# One channel: the flows that use it, and those that would avoid it.
channel=$(jq -r '.busiest.channel | sub(" -> .*"; "")' advice.json)
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp --bisections 30 --channel "$channel" --json
check jq -e '.channel | .flows == 448 and (.pairs | length) == 7 and all(.pairs[]; .job == "100" and .flows == 64) and
  .avoiding[0].tables == "pssp" and .avoiding[0].flows == 336 and .avoiding[0].busy < 0.4' stdout >null
# Cables that bypass the congested spine help its traffic; a cable parallel to the channel only moves the queue.
check jq -e '.channel | .cables_without_ports == 0 and (.cables | length) == 5 and ([.cables[].gain] | . == (sort | reverse)) and
  all(.cables[]; .parallel == false and .free_ports == [1, 1] and .busy < 0.9 and .gain > 0.05 and .flows <= 64 and .entries <= 8)' stdout >null
expect 0 '' "$monitor" advise -d crowded/history.db --engines pssp --bisections 30 --channel "$channel"
said stdout '^with pssp: 336 of the flows [(]'
said stdout '^  leaf [1-8] - leaf [1-8]: takes over 64 flows [(]14[.][0-9] % of the bytes[)] with 8 changed entries; busy time .*: channel 86 %, '
if grep -q $'\x1b' stdout; then fail 'escape sequences in the report'; fi
expect_same before.db crowded/history.db

# ---- the tables in force are those of the engine ----
expect 0 '' "$monitor" advise -d scattered/history.db --engines pssp,best --bisections 100 --json
check jq -e '.recommended == null and all(.proposals[]; .recommended == false and (.reason | startswith("no change: ")))' stdout >null

# ---- invalid requests ----
expect 2 "unknown engine 'nonsense'; expected one of" "$monitor" advise -d crowded/history.db --engines nonsense
expect 2 'minhop.* is an engine of opensm.*compare-engines' "$monitor" advise -d crowded/history.db --engines pssp,minhop
expect 2 'no channel between switches' "$monitor" advise -d crowded/history.db --channel 'n0 HCA-1[1]'
expect 2 'no such node' "$monitor" advise -d crowded/history.db --channel 'nowhere[1]'
expect 2 'expected a port' "$monitor" advise -d crowded/history.db --channel 'leaf 1'
expect 3 'no two consecutive sweeps' "$monitor" advise -d crowded/history.db --since 2020-01-01 --until 2020-01-02
printf '[analysis]\nbisections = 29\n' >wrong.conf
expect 3 'wrong.conf:2' "$monitor" advise -d crowded/history.db --config wrong.conf
