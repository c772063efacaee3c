#!/usr/bin/env bash
# locate_slow: the documented commands find simulated faults, names affect only names, and bad input is refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" chic --lids 2>/dev/null | awk '/^Ca/ { sub(/# ".*"/, sprintf("# \"node%d HCA-1\"", ++n)) } { print }' >chic.net
"$bin/route_lft" -e pssp chic.net -o chic.lft 2>/dev/null
slow() { expect "$1" "$2" "$bin/locate_slow" "${@:3}"; }
plan() { "$bin/plan_pairs" chic.lft chic.net "$@" 2>/dev/null; }

# A cable between switches, an adapter, and a healthy fabric.
plan --simulate 'leaf 4[15]=0.25' -o cable.txt
slow 7 'SLOW: .*\(leaf 4\)\[15\].*, both directions, at about 25 % of its speed: [0-9]+ slow and 0 fast rates cross it' chic.lft chic.net cable.txt --next next.txt
check grep -qE '^[0-9]+ rates; full speed (9[5-9]|10[0-5])[.0-9]*; noise [3-7][.0-9]* %' stdout
plan --simulate node7=0.5 -o adapter.txt
slow 7 'SLOW: node7 - .*\[' chic.lft chic.net adapter.txt
check grep -q 'no other object explains the slow rates' stdout
plan --simulate none -o healthy.txt
slow 0 'nothing is slow' chic.lft chic.net healthy.txt
slow 7 '"evidence"' chic.lft chic.net cable.txt --json
check jq -e '(.slow | length) == 1 and .slow[0].speed == 0.25 and .slow[0].fast_rates == 0 and .slow[0].kind == "both directions"' stdout
# Another unit gives the same result.
awk '{ $4 *= 1000; print }' cable.txt >faster.txt
"$bin/locate_slow" chic.lft chic.net cable.txt | tail -n +2 | grep SLOW >one || true
"$bin/locate_slow" chic.lft chic.net faster.txt | tail -n +2 | grep SLOW >other || true
expect_same one other

# Other names of nodes change only the names in the report.
sed 's/"node\([0-9]*\) HCA-1"/"host\1x HCA-1"/' chic.net >renamed.net
sed 's/node\([0-9]*\)/host\1x/g' cable.txt >renamed.txt
"$bin/locate_slow" chic.lft chic.net cable.txt | sed 's/node\([0-9]*\)/host\1x/g' >one || true
"$bin/locate_slow" chic.lft renamed.net renamed.txt >other || true
expect_same one other

# A fault in one direction: the cable is named at least, and --next writes a plan of a round that distinguishes the directions.
plan --simulate 'leaf 4[15]->=0.25' --rounds 5 -o direction.txt
slow 7 'SLOW: .*\(leaf 4\)\[15\]' chic.lft chic.net direction.txt --next next.txt
check grep -q '^# round source destination' next.txt

head -n 3 cable.txt | sed '2s/[0-9.]*$/nan/' >cable.bad
slow 3 'cable.bad:2: invalid rate .*nan' chic.lft chic.net cable.bad
sed '2s/[0-9.]*$/-1/' cable.txt >cable.bad
slow 3 "cable.bad:2: invalid rate '-1'" chic.lft chic.net cable.bad
sed '2s/node/nodule/' cable.txt >cable.bad
slow 3 'cable.bad:2: .*not a node or adapter.*nearest names are' chic.lft chic.net cable.bad
slow 7 'SLOW' chic.lft chic.net cable.bad --skip-unknown
slow 3 'no rate found' chic.lft chic.net /dev/null
slow 3 'missing' chic.lft chic.net missing
slow 2 'RATES' chic.lft chic.net
slow 2 'full' chic.lft chic.net cable.txt --full 0
# 10^6 lines.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "%d node%d node%d 100\n", i / 500, i % 500 + 1, i % 500 + 2 }' >many.txt
slow 0 'nothing is slow' chic.lft chic.net many.txt

slow 2 'need --database' chic.lft chic.net cable.txt --since now
slow 2 'cannot be combined with' chic.lft chic.net cable.txt -d history.db --recording x --since now

# ---- beside the monitor's history ----
# Builds with sanitizers have neither of these programs.
[[ -x $PSSP_BUILD_DIR/tests/write_history && -x $bin/monitor_fabric ]] || exit 0
# A history with two bad ports and one good port of the same fabric.
"$PSSP_BUILD_DIR/tests/write_history" history.db 20 0 200000:5:symbol_errors 200007:3:link_downed
"$bin/monitor_fabric" export -d history.db --topology-at now -o small.net
"$bin/route_lft" -e pssp small.net -o small.lft 2>/dev/null
"$bin/plan_pairs" small.lft small.net --simulate 'leaf 1[5]=0.25' --rounds 4 -o small.txt 2>/dev/null
slow 7 'the monitor: S00000 \(leaf 1\)\[5\]: bad, symbol errors: 7 in 1 h, limit 3$' small.lft small.net small.txt -d history.db
expect_equal 'ports with a note of the monitor' "$(grep -c 'the monitor' stdout)" 1
slow 7 '' small.lft small.net small.txt -d history.db --json
check jq -e '.slow[0].ports | length == 2 and (.[0] | .port == "S00000 (leaf 1)[5]" and .guid == "0x0000000000200000" and .known and .verdicts[0].what == "symbol_errors") and
  (.[1] | .known and .verdicts == [] and .events == {})' stdout
"$bin/plan_pairs" small.lft small.net --simulate 'leaf 2[6]=0.25' --rounds 4 -o quiet.txt 2>/dev/null
slow 7 'the monitor counted no error at these ports' small.lft small.net quiet.txt -d history.db
# The history of another fabric does not know the ports.
slow 7 'the monitor has no data for these ports' chic.lft chic.net cable.txt -d history.db
# A recording is a named time range.
slow 2 "'other': not found in history.db; available: none" small.lft small.net small.txt -d history.db --recording other
slow 2 'not before --until' small.lft small.net small.txt -d history.db --since now --until -1h
slow 3 'small.net' small.lft small.net small.txt -d small.net
