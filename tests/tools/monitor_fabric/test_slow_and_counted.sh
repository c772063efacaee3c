#!/usr/bin/env bash
# Errors that the monitor counted during the measurement of rates are reported with the slow cable; the recording is selected by name.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

make_tree 3 2 4 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
cat >errors <<'END'
PerformanceSet "L1"[2] PortCounters.SymbolErrorCounter=6
PerformanceSet "L0"[1] PortCounters.LinkDownedCounter=1
END
cat >job.sh <<'END'
#!/usr/bin/env bash
printf '!errors\n#counted \n' >&"$CONSOLE"
until grep -q '#counted ' "$LOG"; do sleep .05; done
# In a shorter time, so many errors would be implausible.
sleep 1
END
chmod +x job.sh
# shellcheck disable=SC2154  # start_simulation_with_console opened it
LOG=$dir/ibsim.log CONSOLE=$console expect 0 '' in_fabric "$dir" H0 "$monitor" record --interval 0.5 --database kept.sqlite --name measured -- ./job.sh
expect 0 '' in_fabric "$dir" H0 "$monitor" record --for 1 --interval 0.5 --database kept.sqlite --name later

check "$monitor" export -d kept.sqlite --topology-at now -o now.net
expect 0 '' "$bin/route_lft" -e pssp now.net -o now.lft
expect 0 '' "$bin/plan_pairs" now.lft now.net --simulate 'L1[2]=0.25' --rounds 4 -o rates.txt
slow() { expect 7 "$1" "$bin/locate_slow" now.lft now.net rates.txt -d kept.sqlite "${@:2}"; }
slow 'the monitor: .*L1\)?\[2\]: 6 symbol errors$' --recording measured
# Only errors at ports of the slow cable are reported.
if grep -q 'link downed' stdout; then fail "another port's errors: $(<stdout)"; fi
slow '' --recording measured --json
check jq -e '[.slow[0].ports[] | select(.events != {})] | length == 1 and .[0].events.symbol_errors == 6' stdout
# There are no errors at another time.
slow 'the monitor counted no error at these ports' --recording later
