#!/usr/bin/env bash
# compare_fabric with files: topologies, cabling lists from spreadsheets, and errors in both.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
compare() { expect "$1" "$2" "$bin/compare_fabric" "${@:3}"; }

"$bin/make_topo" chic -o plan.net 2>/dev/null
"$bin/make_topo" chic --shuffle-guids --seed 3 -o shuffled.net 2>/dev/null
"$bin/make_topo" chic --kill-links 3 -o killed.net 2>/dev/null

# As planned: compared with itself, with other GUIDs, with a generator, through a pipe.
compare 0 '^1632 of 1632 planned cables are in place, 1632 cables in the fabric, 0 statements$' plan.net plan.net
compare 0 ', 0 statements' plan.net shuffled.net
compare 0 ', 0 statements' make:chic shuffled.net
compare 0 ', 0 statements' <(cat plan.net) plan.net

# Cables that are missing in one direction are extra in the other.
compare 7 '3 statements' plan.net killed.net
expect_equal 'missing cables' "$(grep -c '^missing: ' stdout)" 3
sed -n 's/^missing: //p' stdout >missing
compare 7 '3 statements' killed.net plan.net
sed -n 's/^extra: \(.*\): this cable is not in the plan/\1/p' stdout >extra
expect_same missing extra
compare 7 '"fault": "missing"' plan.net killed.net --json
check jq -e '.planned_cables == 1632 and .cables_in_place == 1629 and (.statements | length) == 3 and
  (.statements | all(.moves == [{move: "connect", from: .ports[0], to: .ports[1]}]))' stdout

# Two cables exchanged in the file.
sed -e 's,^\[1\]\t"H00000"\[1\](100001),[2]\t"H00000"[1](100001),;t' -e 's,^\[2\]\t"H00001"\[1\](100003),[1]\t"H00001"[1](100003),;t' \
  -e '/^Ca.*"H00000"/,/^$/s/"S00000"\[1\]/"S00000"[2]/' -e '/^Ca.*"H00001"/,/^$/s/"S00000"\[2\]/"S00000"[1]/' plan.net >swapped.net
compare 7 '^swapped: leaf 1 port 1 and leaf 1 port 2: exchange the two cables there$' plan.net swapped.net --map who
expect_line who '^"leaf 1 host 2" "leaf 1 host 2" guid$'

# Cabling lists: as written, with reordered rows and columns, other columns, quotes, from both ends, UNIX line ends, a byte order
# mark.
expect 0 '' "$bin/convert_fabric" plan.net -o plan.csv
compare 0 ', 0 statements' plan.csv plan.net
compare 0 ', 0 statements' plan.csv shuffled.net
{
  printf '\xef\xbb\xbfNote,#EndPort,EndDevice,Note,"StartPort",StartDevice,Rack\n' | sed 's/#//'
  tail -n +2 plan.csv | tr -d '\r' | shuf --random-source=plan.net |
    awk -F, 'NR % 2 { print "\"row 1, \"\"left\"\"\"," $2 "," $1 ",," $4 ",\"" $3 "\"," } { print "," $4 "," toupper($3) ",x," $2 "," $1 ",r" }'
} >untidy.csv
compare 0 '^1632 of 1632 planned' untidy.csv plan.net
compare 7 '3 statements' untidy.csv killed.net
# Switches in one list and hosts in another; hosts that are in no list are not compared.
grep -v ' host ' plan.csv >switches.csv
{ head -n 1 plan.csv; grep ' host ' plan.csv; } >hosts.csv
compare 0 '^1632 of 1632 planned' --plan switches.csv --plan hosts.csv plan.net
compare 0 '528 cables of hosts are not compared' switches.csv plan.net

# The costs are the same as those of route_lft and eval_lft.
compare 7 'as it is    bandwidth 0\.[0-9]*, S [0-9.]*, 528 hosts' plan.net killed.net --engine pssp --patterns 50
compare 7 '"engine": "pssp"' plan.net killed.net --engine pssp --patterns 50 --json
"$bin/route_lft" -e pssp killed.net -o killed.lft --write-topology killed.lids.net >/dev/null 2>&1
expect_equal 'bandwidth as it is' "$(jq .costs.real.ebb stdout)" "$("$bin/eval_lft" killed.lft killed.lids.net -n 50 --json | jq .ebb.mean)"
check jq -e '.costs.planned.ebb > .costs.real.ebb and .costs.planned.hosts == 528 and .costs.repaired == .costs.planned and .costs.in_force == null' stdout
# The tables in force have their own row; tables of the same engine have the same costs.
compare 7 '^  in force    bandwidth' plan.net killed.lids.net --engine pssp --patterns 50 --tables killed.lft
compare 7 '' plan.net killed.lids.net --engine pssp --patterns 50 --tables killed.lft --json
check jq -e '.costs.in_force == .costs.real and .costs.repaired == .costs.planned' stdout
compare 2 'engine' plan.net killed.net --tables killed.lft
# Nodes on one side only: without a switch of the plan, the repaired fabric is the rest of the plan.
sed '/^Switch.*"S00000"/,/^$/d; /"S00000"/d' killed.net >without.net
sed '/^Switch.*"S00000"/,/^$/d; /"S00000"/d' plan.net >plan_without.net
compare 7 '' plan.net without.net --engine pssp --patterns 50 --json
repaired=$(jq -c '.costs.repaired | [.ebb, .S, .hosts]' stdout)
compare 0 '' plan_without.net plan_without.net --engine pssp --patterns 50 --json
expect_equal 'repaired without a switch' "$repaired" "$(jq -c '.costs.planned | [.ebb, .S, .hosts]' stdout)"
compare 2 'a cabling list cannot be routed' plan.csv plan.net --engine pssp
compare 2 'nonsense' plan.net plan.net --engine nonsense
compare 2 'needs|requires|Requires' plan.net plan.net --patterns 5

# Without a plan: one link fewer than the peers, at the port where they have a link.
compare 0 '^116 switches and 528 end ports were compared with their peers: 0 statements$' --rules plan.net
awk '/^Switch/ { leaf = /"leaf 1"/; board = /"director 1 line 1"/ }
  leaf && /^\[13\]/ || board && /^\[1\]/ { next } { print }' plan.net >fewer.net
compare 7 '^uneven uplinks: leaf 1 has 11 links to other switches, its peers have 12; no link at port 13$' --rules fewer.net
compare 7 '"fault": "uneven_uplinks"' --rules fewer.net --json
compare 2 'without a plan' --rules plan.net fewer.net
compare 2 'is for --rules' --node-names '(n[0-9]*)' plan.net plan.net
compare 2 'has 0 groups' --rules --node-names 'n[0-9]*' plan.net

# Errors name file and line.
printf 'StartDevice,StartPort,EndDevice,EndPort\na,Port 1,b,Port 2\na,Port 1,c,Port 2\n' >twice.csv
compare 3 "twice.csv:3: 'a' 'Port 1' has a cable to 'c' 'Port 2' here and one to 'b' 'Port 2' in twice.csv:2" twice.csv plan.net
head -n 2 twice.csv >first.csv
printf 'StartDevice,StartPort,EndDevice,EndPort\na,Port 1,c,Port 2\n' >second.csv
compare 3 'second.csv:2: .* in first.csv:2' --plan first.csv --plan second.csv plan.net
printf 'StartDevice,StartPort,EndDevice\na,Port 1,b\n' >short.csv
compare 3 'short.csv:1: the header lacks endport' short.csv plan.net
compare 4 'none of the 2 nodes of the plan' first.csv plan.net
compare 3 'this is a cabling list' plan.net plan.csv
expect 3 'this is a cabling list' "$bin/route_lft" -e pssp plan.csv -o out.lft
compare 2 'is a topology, but a plan of several parts' --plan plan.csv --plan plan.net plan.net
compare 2 'expected a plan and a fabric' plan.net
compare 2 'make-topo|unknown|expected' make:nothing plan.net
compare 3 'No such file' plan.net nowhere.net
