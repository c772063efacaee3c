#!/usr/bin/env bash
# The daemon with a cabling plan: two swapped cables, and a cable that is pulled while it runs, give verdicts at their ports, events, a list
# and a metric. compare_fabric reports the same for the same fabric.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl ibnetdiscover

make_tree 4 2 3 2 >plan.net
# The cables of the first two hosts are swapped at the leaf, at both of their ends in the file.
sed -e '/^Hca.*"H0"/,/^$/s/"L0"\[1\]/"L0"[2]/' -e '/^Hca.*"H1"/,/^$/s/"L0"\[2\]/"L0"[1]/' \
  -e '/^Switch.*"L0"/,/^$/{s/^\[1\]\t"H0"/[9]\t"H0"/;s/^\[2\]\t"H1"/[1]\t"H1"/;s/^\[9\]\t"H0"/[2]\t"H0"/}' plan.net >cabled.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/cabled.net"
host=$(<"$dir/state/host")
cat >serve.conf <<END
[server]
listen = 127.0.0.1:0
[sweep]
interval_s = 1
discovery_interval_s = 1
[cabling]
plan_file = $scratch/plan.net
END
serve "$dir" "$host" --config serve.conf --database history.sqlite

faults() { ask cabling | jq -r '[.statements[] | "\(.fault): \(.text)"] | join("; ")'; }
swapped='swapped: L0 port 1 and L0 port 2: exchange the two cables there'
expect_equal 'statements' "$(faults)" "$swapped"
expect_equal 'cables in place' "$(ask cabling | jq -c '[.planned_cables, .found_cables, .cables_in_place]')" '[28,28,26]'
verdicts() { ask verdicts | jq -r '[.verdicts[] | select(.what == "cabling") | "\(.name)[\(.port)] \(.level)"] | sort | join(" ")'; }
verdicts_are() { [[ $(verdicts) == "$1" ]]; }
eventually verdicts_are 'H0[1] watch H1[1] watch L0[1] watch L0[2] watch'
metric() { curl -s "$url/metrics" | sed -n "s/^pssp_cabling_statements{kind=\"$1\"} //p"; }
expect_equal 'metric of swapped' "$(metric swapped)" 1
expect_equal 'metric of missing' "$(metric missing)" 0
in_fabric "$dir" "$host" ibnetdiscover >now.topo 2>/dev/null
expect 7 '' "$PSSP_BUILD_DIR/bin/compare_fabric" plan.net now.topo
expect_equal 'compare_fabric' "$(head -n 1 stdout)" "$swapped"

# ---- a cable is pulled and plugged in again ----
whole=$(date +%s%3N)
printf 'Unlink "L1"[4]\n' >&"$console"
missing_is() { [[ $(metric missing) == "$1" ]]; }
eventually missing_is 1
expect_equal 'statements without a cable' "$(faults)" "$swapped; missing: L1 port 4 - S0 port 3"
pulled=$(date +%s%3N)
printf 'ReLink "L1"[4]\n' >&"$console"
eventually missing_is 0
ask 'events?kind=cabling_repaired' | jq -e '.events[0].text == "missing: L1 port 4 - S0 port 3"' >/dev/null || fail "no event: $(ask events)"
expect_line said 'cabling_wrong: swapped: L0 port 1 and L0 port 2'

# ---- the plan is changed to match the fabric: no statement is left ----
cp now.topo plan.net
verdicts_gone() { verdicts_are '' && [[ -z $(faults) ]]; }
eventually verdicts_gone
echo 'no plan' >plan.net
problem_is_said() { ask status | jq -e '.problems | any(contains("the last valid plan stays in use"))' >/dev/null; }
eventually problem_is_said
end_daemon

# ---- fabrics of two times in the history are compared, and one with a plan or with its peers ----
compare() { expect "$1" "$2" "$PSSP_BUILD_DIR/bin/compare_fabric" "${@:3}"; }
compare 7 '^missing: L1 port 4 - S0 port 3$' -d history.sqlite --at "$whole" --at "$pulled"
compare 7 '1 statement$' -d history.sqlite --at "$whole" --at "$pulled"
compare 7 '^extra: ' -d history.sqlite --at "$pulled" --at "$whole"
compare 0 ', 0 statements' -d history.sqlite --at "$whole" --at now
compare 7 '' -d history.sqlite --at "$whole" --at "$pulled" --json
begin=$(date -u -d "@$((whole / 1000))" +%Y-%m-%dT%H:%M:%SZ)
expect_equal 'name of the earlier fabric' "$(jq -r .plan stdout)" "history.sqlite at $begin"
compare 7 '' cabled.net -d history.sqlite --at "$pulled"
expect_equal 'missing cables of a plan and a time' "$(grep -c '^missing: .*L1' stdout)" 1
compare 7 'uneven uplinks: L1 has 3 links' --rules -d history.sqlite --at "$pulled"
compare 0 'history begins later; using its first topology' -d history.sqlite --at 2020-01-01 --at now
compare 2 'go together: -d DATABASE --at TIME' -d history.sqlite cabled.net
compare 2 'go together: -d DATABASE --at TIME' --at now cabled.net
compare 2 'expected a plan and a fabric' -d history.sqlite --at now
compare 2 'expected a plan and a fabric' -d history.sqlite --at now --at now --at now
compare 2 'yesterday' -d history.sqlite --at yesterday --at now
compare 3 'cabled.net' -d cabled.net --at -1h --at now
compare 3 'no such database' -d nowhere.sqlite --at -1h --at now
