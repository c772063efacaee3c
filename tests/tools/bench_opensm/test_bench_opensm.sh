#!/usr/bin/env bash
# bench_opensm with the real programs. The test parses the timestamps of opensm's log independently and compares the times.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"

[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip "this build has no plugin"
mesh 3 3 >"$scratch/mesh.net"
bench() { expect "$1" '' "$PSSP_BUILD_DIR/bin/bench_opensm" "${@:2}"; }
same() { [[ $2 == "$3" ]] || fail "$1: $2, expected $3"; }
bench 0 --engines ftree,pssp --sizes " xgft 4,2 1,2 ;$scratch/mesh.net" --out "$scratch/out" --json-file "$scratch/report.json"
for name in Subnet_Discovery_Time Subnet_LID-Configuration_Time Subnet_Routing_Time Subnet_Total_Time Subnet_Reconfigure_Time; do
  said stdout "^$name \\(ms\\)"
done
of() { jq -r --arg name "$1" --arg engine "$2" --arg event "$3" --argjson hosts "$4" \
  ".benchmarks[] | select(.name == \$name) | .results[]
    | select(.engine == \$engine and .event == \$event and .hosts == \$hosts) | $5" "$scratch/report.json"; }

# stamp LOG AFTER TEXT: prints the time in microseconds at which TEXT first occurs after line AFTER, from the log line above the
# banner.
stamp() {
  awk -v after="$2" -v what="$3" '
    NR <= after { next }
    /^[A-Z][a-z][a-z] / { split($3, t, ":"); now = ((t[1] * 60 + t[2]) * 60 + t[3]) * 1000000 + $4 }
    index($0, what) { printf "%.0f\n", now; exit }' "$1"
}
check_span() {
  local found=$4
  same "$1" "$(awk -v ms="$found" 'BEGIN { printf "%.0f", ms * 1000 }')" "$(($3 - $2))"
}
log=$scratch/out/trials/0/pssp/1/opensm.log
first=$(stamp "$log" 0 OpenSM)
sweep=$(stamp "$log" 0 'INITIATING HEAVY SWEEP')
discovered=$(stamp "$log" 0 'HEAVY SWEEP COMPLETE')
lids=$(stamp "$log" 0 'STARTING SWITCH TABLE CONFIG')
up=$(stamp "$log" 0 '* SUBNET UP *')
check_span binding "$first" "$sweep" "$(of Subnet_Discovery_Time pssp start 8 '.ms["binding SM to port"].mean')"
check_span discovery "$first" "$discovered" "$(of Subnet_Discovery_Time pssp start 8 .ms.total.mean)"
check_span LIDs "$discovered" "$lids" "$(of Subnet_LID-Configuration_Time pssp start 8 .ms.total.mean)"
check_span routing "$lids" "$up" "$(of Subnet_Routing_Time pssp start 8 .ms.total.mean)"
check_span total "$first" "$up" "$(of Subnet_Total_Time pssp start 8 .ms.total.mean)"
# The second sweep is the one after SIGHUP.
line=$(grep -n '\* SUBNET UP \*' "$log" | sed -n 1p | cut -d : -f 1)
check_span resweep "$(stamp "$log" "$line" 'INITIATING HEAVY SWEEP')" "$(stamp "$log" "$line" '* SUBNET UP *')" \
  "$(of Subnet_Reconfigure_Time pssp resweep 8 .ms.total.mean)"
same 'events' "$(jq -r '[.sweeps[] | select(.engine == "pssp" and .hosts == 8 and .series == "sizes").event] | join(" ")' \
  "$scratch/report.json")" 'start resweep failure repair'

# opensm noticed that the link failed and returned: the sweeps after it see other numbers of links.
same 'sweeps in the log' "$(grep -c '\* SUBNET UP \*' "$log" | awk '{ print ($1 >= 4) }')" 1
# ftree does not accept a tree without one of its links.
[[ $(of Subnet_Reconfigure_Time ftree repair 8 '.used[0]') == ftree ]] || fail 'ftree did not route the repaired tree'

# Known distributions of hops: a tree of two leaves with four hosts each has 24 ordered pairs on one leaf and 32 others; the
# distances of the 72 ordered pairs of a 3x3 mesh are counted by hand.
hops() { jq -r --arg size "$1" '[.hops[] | select(.engine == "pssp" and .size == $size) | "\(.hops):\(.pairs)"] | join(" ")' "$scratch/report.json"; }
same 'hops of the tree' "$(hops 'xgft 4,2 1,2')" '0:24 1:0 2:32'
same 'hops of the mesh' "$(hops "$scratch/mesh.net")" '0:0 1:24 2:28 3:16 4:4'

# ftree does not route a mesh. Eight hosts count as eight wherever they are.
jq -e --arg mesh "$scratch/mesh.net" 'any(.refusals[]; .size == $mesh and .engine == "ftree" and (.reason | test("ERR")))' "$scratch/report.json" >/dev/null ||
  fail "ftree and the mesh: $(jq -c .refusals "$scratch/report.json")"
same 'placements' "$(jq -r '[.hosts_per_switch[] | select(.engine == "pssp") | "\(.size): \(.hosts) hosts, \(.switches) switches"] | join("; ")' \
  "$scratch/report.json")" '8 on each of 1: 8 hosts, 12 switches; 1 on each of 8: 8 hosts, 12 switches'
for plot in phases-pssp phases-ftree routing route_calculation total hosts_per_switch hops reconfigure; do
  grep -q '</svg>' "$scratch/out/plots/$plot.svg" || fail "no plot $plot"
done
nothing_runs || fail 'something still runs'

# bench_opensm is ended in the middle of a run.
"$PSSP_BUILD_DIR/bin/bench_opensm" --engines minhop --iterations 50 --out "$scratch/ended" >/dev/null 2>&1 &
run=$!
something_runs() { ! nothing_runs; }
eventually something_runs
kill -TERM "$run"
status=0
wait "$run" || status=$?
same 'status after SIGTERM' "$status" 143
eventually nothing_runs

bench 5 --engines meshdor --sizes 'xgft 4,4 1,4' --out "$scratch/none"
said stderr 'no engine routes any of the fabrics'
bench 2 --no-such-option
bench 2 --engines minhop,minhop
bench 2 --iterations 0
bench 2 --sizes ' ; '
bench 2 --sizes 'no-such-kind 5' --out "$scratch/none"
bench 2 --format pdf
