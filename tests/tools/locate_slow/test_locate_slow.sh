#!/usr/bin/env bash
# locate_slow: played faults are found by the page's own commands, names change nothing but names, and bad input is refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" chic --lids 2>/dev/null | awk '/^Ca/ { sub(/# ".*"/, sprintf("# \"node%d HCA-1\"", ++n)) } { print }' >chic.net
"$bin/route_lft" -e pssp chic.net -o chic.lft 2>/dev/null
slow() { expect "$1" "$2" "$bin/locate_slow" "${@:3}"; }
play() { "$bin/plan_pairs" chic.lft chic.net "$@" 2>/dev/null; }

# A cable between switches, an adapter, and a healthy fabric.
play --play 'leaf 4[15]=0.25' -o cable.txt
slow 7 'SLOW: .*\(leaf 4\)\[15\].*, both directions, at about 25 % of its speed: [0-9]+ slow rates cross it, 0 that' chic.lft chic.net cable.txt --next next.txt
check grep -qE '^[0-9]+ rates; full speed (9[5-9]|10[0-5])[.0-9]*; noise [3-7][.0-9]* %' stdout
play --play node7=0.5 -o adapter.txt
slow 7 'SLOW: node7 - .*\[' chic.lft chic.net adapter.txt
check grep -q 'nothing else explains them' stdout
play --play none -o healthy.txt
slow 0 'nothing is slow' chic.lft chic.net healthy.txt
slow 7 '"evidence"' chic.lft chic.net cable.txt --json
check jq -e '(.slow | length) == 1 and .slow[0].speed == 0.25 and .slow[0].fast_rates == 0 and .slow[0].kind == "both directions"' stdout
# Twice as fast a unit, and the same answer.
awk '{ $4 *= 1000; print }' cable.txt >faster.txt
"$bin/locate_slow" chic.lft chic.net cable.txt | tail -n +2 | grep SLOW >one || true
"$bin/locate_slow" chic.lft chic.net faster.txt | tail -n +2 | grep SLOW >other || true
expect_same one other

# Other names of nodes change nothing but names.
sed 's/"node\([0-9]*\) HCA-1"/"host\1x HCA-1"/' chic.net >renamed.net
sed 's/node\([0-9]*\)/host\1x/g' cable.txt >renamed.txt
"$bin/locate_slow" chic.lft chic.net cable.txt | sed 's/node\([0-9]*\)/host\1x/g' >one || true
"$bin/locate_slow" chic.lft renamed.net renamed.txt >other || true
expect_same one other

# One direction: after a round that tells apart, at least the cable is named, and the round is a plan that can be played.
play --play 'leaf 4[15]->=0.25' --rounds 5 -o direction.txt
slow 7 'SLOW: .*\(leaf 4\)\[15\]' chic.lft chic.net direction.txt --next next.txt
check grep -q '^# round source destination' next.txt

head -n 3 cable.txt | sed '2s/[0-9.]*$/nan/' >cable.bad
slow 3 'cable.bad:2: .*nan.* is no rate' chic.lft chic.net cable.bad
sed '2s/[0-9.]*$/-1/' cable.txt >cable.bad
slow 3 'cable.bad:2: .*is no rate' chic.lft chic.net cable.bad
sed '2s/node/nodule/' cable.txt >cable.bad
slow 3 'cable.bad:2: .*no node or adapter.*nearest names are' chic.lft chic.net cable.bad
slow 7 'SLOW' chic.lft chic.net cable.bad --skip-unknown
slow 3 'no rate in it' chic.lft chic.net /dev/null
slow 3 'missing' chic.lft chic.net missing
slow 2 'rates' chic.lft chic.net
slow 2 'full' chic.lft chic.net cable.txt --full 0
# 10^6 lines.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "%d node%d node%d 100\n", i / 500, i % 500 + 1, i % 500 + 2 }' >many.txt
slow 0 'nothing is slow' chic.lft chic.net many.txt
