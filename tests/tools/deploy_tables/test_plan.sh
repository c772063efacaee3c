#!/usr/bin/env bash
# deploy_tables plan without a fabric: its figures are those of eval_lft and reroute_impact, and unsuitable files are refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/kit/fabric.sh
. "$PSSP_SOURCE_DIR/tests/kit/fabric.sh"
skip_without jq
bin=$PSSP_BUILD_DIR/bin
[[ -x $bin/deploy_tables ]] || skip 'deploy_tables is not built'
cd "$scratch"
plan() { expect "$1" "$2" "$bin/deploy_tables" plan "${@:3}"; }

# ---- figures are those of the separate programs; writes nothing ----
"$bin/make_topo" chic --lids -o chic.net 2>/dev/null
"$bin/route_lft" -e dmodk chic.net -o old.lft 2>/dev/null
"$bin/route_lft" -e pssp chic.net -o new.lft 2>/dev/null
touch before_plan
mkdir empty_folder
plan 0 '' new.lft chic.net --against old.lft --state empty_folder/state -n 200 --seed 3 --orders 2 --json
mv stdout plan.json
expect_equal 'files written by plan' "$(find . -newer before_plan -type f ! -name plan.json ! -name stderr)" ''
expect_equal 'folders made by plan' "$(ls empty_folder)" ''
"$bin/eval_lft" old.lft chic.net --compare new.lft -n 200 --seed 3 --json >compare.json 2>/dev/null
expect_equal 'bandwidths' "$(jq -c '[.scores[] | [.bandwidth, .stderr]]' plan.json)" "$(jq -c '[.tables[] | [.mean, .stderr]]' compare.json)"
expect_equal 'indices' "$(jq -c '[.scores[].edge_forwarding_index]' plan.json)" "$(jq -c '[.tables[].edge_forwarding_index]' compare.json)"
for which in old new; do
  "$bin/eval_lft" $which.lft chic.net --structured-suite -n 1 --json 2>/dev/null | jq .structured_suite.S
done >S
expect_equal 'S' "$(jq '.scores[].S' plan.json)" "$(<S)"
# as_reroute_impact OLD.lft NEW.lft TOPOLOGY: plan.json must have the figures of reroute_impact for this change.
as_reroute_impact() {
  "$bin/reroute_impact" "$1" "$2" "$3" --orders 2 --seed 3 --json >impact.json
  local key
  for key in .tables .flows.all .flows.same .flows.moved .flows.longer .flows.lost .flows.gained; do
    expect_equal "$key" "$(jq -c "$key" plan.json)" "$(jq -c "$key" impact.json)"
  done
  expect_equal 'transient states' "$(jq -c '[.in_between[] | .loop, .no_route]' plan.json)" "$(jq -c '[.in_between[] | .loop.flows, .no_route.flows]' impact.json)"
}
as_reroute_impact old.lft new.lft chic.net
expect_equal 'entries by switch' "$(jq -c '[([.switches[].entries] | add), ([.switches[].blocks] | add)]' plan.json)" "$(jq -c '[.tables.entries, .tables.blocks]' plan.json)"
expect_equal 'the other way round' "$("$bin/deploy_tables" plan old.lft chic.net --against new.lft -n 200 --seed 3 --json 2>/dev/null | jq -c '[.tables, .flows.moved, .flows.gained]')" \
  "$(jq -c '[.tables, .flows.moved, .flows.lost]' plan.json)"

# ---- files that must not be deployed ----
make_tree 5 3 4 1 >tree.net
"$bin/route_lft" -e pssp tree.net -o good.lft --write-topology tree.lids.net 2>/dev/null
refused() {
  plan "$1" "$2" "$3" tree.lids.net --against good.lft -n 10
  said_nothing stdout
}
heading=$(grep -n '^Unicast' good.lft | sed -n '4s/:.*//p')
head -n "$((heading - 1))" good.lft >cut_between.lft
refused 7 'cut_between.lft: .* switches have no table' cut_between.lft
head -n "$((heading + 5))" good.lft >cut_within.lft
refused 3 'cut_within.lft' cut_within.lft
sed 's/ #.*//' good.lft >no_guids.lft
refused 7 'no_guids.lft: .* have no port GUID' no_guids.lft
grep -v "'H7'" good.lft >no_host.lft
refused 7 'no_host.lft: 1 of .* have no entry: .*H7' no_host.lft
# The second switch's entry for a host of the first switch leads to another host.
awk '/^Unicast/ { tables++ } tables == 2 && !done && /H0.$/ { sub(/ [0-9]+/, " 001"); done = 1 } { print }' good.lft >wrong_host.lft
refused 7 'wrong_host.lft: not deployable: [1-9][0-9]* unreachable pairs' wrong_host.lft
awk '!done && /^0x0005/ { sub(/ [0-9]+/, " 008"); done = 1 } { print }' good.lft >dead_port.lft
refused 7 'dead_port.lft: .* [1-9][0-9]* entries to dead ports' dead_port.lft
: >empty.lft
refused 3 'empty.lft' empty.lft
"$bin/route_lft" -e pssp --lmc 1 tree.net -o two_lids.lft 2>/dev/null
refused 4 'two_lids.lft: .* has 2 LIDs .* and 1 in the fabric' two_lids.lft
plan 7 'max-moved allows 1' new.lft chic.net --against old.lft -n 10 --max-moved 1

# A loop: two switches of a ring send traffic for a third one to each other. Ports 1 and 2 lead forward and back.
make_ring 6 1 >ring.net
"$bin/route_lft" -e updown ring.net -o ring.lft --write-topology ring.lids.net 2>/dev/null
awk '/^Unicast/ { at = $0 } /H3_1/ && at ~ /R0/ { sub(/ [0-9]+/, " 001") } /H3_1/ && at ~ /R1/ { sub(/ [0-9]+/, " 002") } { print }' ring.lft >loop.lft
plan 7 'loop.lft: .* [1-9][0-9]* forwarding loops' loop.lft ring.lids.net --against ring.lft -n 10

# Minimal paths of a ring need a second lane, which the file engine does not support.
"$bin/route_lft" -e pssp ring.lids.net -o shortest.lft 2>/dev/null
plan 5 'shortest.lft: the routes have a credit loop' shortest.lft ring.lids.net --against ring.lft -n 10
plan 0 ' YES ' shortest.lft ring.lids.net --against ring.lft -n 10 --accept-credit-loop
plan 0 '' shortest.lft ring.lids.net --against ring.lft -n 10 --orders 2 --seed 3 --accept-credit-loop --json
mv stdout plan.json
as_reroute_impact ring.lft shortest.lft ring.lids.net

# Tables of another fabric, on either side of the change. Another fabric has other GUIDs; in net files they are generated and
# therefore equal, so change them.
sed 's/0x00000000002/0x00000000b02/; s/portguid 0x00000000001/portguid 0x00000000b01/; s/portguid 0x00000000002/portguid 0x00000000b02/' ring.lft >other.lft
refused 4 'other.lft: of its 6 switches, 0 are in the fabric' other.lft
plan 4 'other.lft: of its 6 switches, 0 are in the fabric' good.lft tree.lids.net --against other.lft
sed '/portguid 0x00000000001/s/portguid 0x00000000001/portguid 0x00000000b01/' good.lft >other_hosts.lft
plan 4 'other_hosts.lft: of its .* ports, .* are in the fabric' good.lft tree.lids.net --against other_hosts.lft
# The previous tables need not have routes to a new host.
plan 0 '"gained": 19' good.lft tree.lids.net --against no_host.lft -n 10 --json
plan 2 'this is a topology' tree.lids.net good.lft --against good.lft
plan 2 'these are forwarding tables' good.lft good.lft --against good.lft
plan 3 'nothing.lft' good.lft tree.lids.net --against nothing.lft
