#!/usr/bin/env bash
# reroute_impact: a small tree loses a link, then a switch; refused input.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
impact() { expect "$1" "$2" "$bin/reroute_impact" "${@:3}"; }
"$bin/make_topo" k-ary-n-tree 3 2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null

# No change.
impact 0 '^tree.lft -> tree.lft: 0 entries in 0 blocks of 0 switches' tree.lft tree.lft tree.net
impact 0 '' tree.lft tree.lft tree.net --json
check jq -e '.flows.all == 72 and .flows.same == 72 and .channels.changed == []' stdout

# A link of the first leaf fails: both its ends are removed from the file, and the tables are repaired.
leaf=$(awk '/^Switch/ { name = $3 } /^\[/ && /"H/ { gsub(/"/, "", name); print name; exit }' tree.net)
port=$(awk -v leaf="\"$leaf\"" '/^(Switch|Hca|Ca)/ { at = $3 } at == leaf && /^\[/ && /"S/ { split($1, part, /[][]/); print part[2]; exit }' tree.net)
awk -v own="\"$leaf\"" -v far="\"$leaf\"[$port]" -v port="[$port]" '
  /^(Switch|Hca|Ca)/ { at = $3 } (at == own && $1 == port) || index($2, far) == 1 { next } { print }' tree.net >damaged.net
check [ "$(wc -l <damaged.net)" = "$(($(wc -l <tree.net) - 2))" ]
"$bin/route_lft" --stable tree.lft damaged.net -o damaged.lft 2>/dev/null
impact 0 '' tree.lft damaged.lft tree.net --after-topology damaged.net --json
check jq -e '.flows.lost == 0 and .flows.moved > 0 and .flows.same + .flows.moved == 72 and .tables.switches >= 2' stdout
check jq -e '[.channels.changed[] | select(.after == null)] | length == 2' stdout
moved=$(jq .flows.moved stdout)
# The tables after the fault use no failed link, so they also work in the fabric before it.
impact 0 '' tree.lft damaged.lft tree.net --json
check [ "$(jq .flows.moved stdout)" = "$moved" ]
# In the opposite direction the same number of flows moves back.
impact 0 '' damaged.lft tree.lft damaged.net --after-topology tree.net --json
check [ "$(jq .flows.moved stdout)" = "$moved" ]

# While the blocks are written: the flows that the fault has broken, for any order and number of threads.
impact 0 'worst of 5 random orders' tree.lft damaged.lft tree.net --after-topology damaged.net --orders 5
impact 0 '' tree.lft damaged.lft tree.net --after-topology damaged.net --orders 5 --json -j 1
cp stdout one.json
impact 0 '' tree.lft damaged.lft tree.net --after-topology damaged.net --orders 5 --json -j 3
expect_same one.json stdout
check jq -e '(.in_between | length) == 6 and .in_between[0].order == "opensm'\''s order"' stdout
check jq -e '[.in_between[].no_route.at_first] | min == max and min > 0' stdout
awk '/^Unicast lids/ { for (i = 1; i < NF; i++) if ($i == "guid") print $(i + 1), 0 }' damaged.lft | tac >order.txt
impact 0 '^  order.txt ' tree.lft damaged.lft tree.net --after-topology damaged.net --order order.txt
impact 0 '' tree.lft damaged.lft tree.net --after-topology damaged.net --order order.txt --json
check jq -e '.in_between[0].no_route | has("longest_ms") | not' stdout
# With times: flows without a route have none from the fault until the write that repairs them.
awk '{ print $0, 1000 * (NR + 4), "us" }' order.txt >timed.txt
impact 0 'first write [0-9.]+ ms after the fault, last [0-9.]+ ms; a flow had no route for [0-9.]+ ms' \
  tree.lft damaged.lft tree.net --after-topology damaged.net --order timed.txt
impact 0 '' tree.lft damaged.lft tree.net --after-topology damaged.net --order timed.txt --json
check jq -e '.in_between[0] | .first_ms >= 5 and .last_ms > .first_ms and .no_route.longest_ms >= .first_ms and
  .no_route.longest_ms <= .last_ms and .loop.longest_ms <= .last_ms' stdout
head -1 order.txt >short.txt
impact 4 'short.txt: the file does not write .* blocks that differ' tree.lft damaged.lft tree.net --order short.txt
echo 'nonsense' >short.txt
impact 3 'short.txt:1' tree.lft damaged.lft tree.net --order short.txt
impact 2 '--orders' tree.lft tree.lft tree.net --orders -1

# Traffic and service levels.
printf '0 -> 1 | 4096 bytes\n0 8\n' >flows.txt
impact 0 'same: the same path +' tree.lft tree.lft tree.net --traffic flows.txt
impact 0 '' tree.lft tree.lft tree.net --traffic flows.txt --json
check jq -e '.flows.same == {"flows": 2, "bytes": 4097}' stdout
"$bin/route_lft" -e pssp --lanes 1 --service-levels one.sl tree.net -o one.lft 2>/dev/null
sed '/^0x/s/ \(.\)0/ \11/' one.sl >other.sl
impact 0 'lane: another service level +[1-9]' one.lft one.lft tree.net --service-levels one.sl other.sl

# Tables of another fabric, and files without tables.
"$bin/make_topo" mesh 3x3 --lids -o mesh.net 2>/dev/null
"$bin/route_lft" -e pssp mesh.net -o mesh.lft 2>/dev/null
impact 4 'do not belong together' tree.lft mesh.lft tree.net
impact 4 'two fabrics' tree.lft mesh.lft tree.net --after-topology mesh.net
impact 2 'without forwarding tables' tree.net tree.lft tree.net
impact 2 'these are forwarding tables' tree.lft tree.lft tree.lft
printf '0 99\n' >flows.txt
impact 3 'flows.txt:1' tree.lft tree.lft tree.net --traffic flows.txt
head -c 300 tree.lft >half.lft
impact 3 'half.lft' half.lft tree.lft tree.net
impact 3 'missing' missing tree.lft tree.net
impact 2 'expected three files' tree.lft tree.lft

# --live without a fabric is refused, also in a build without access to fabrics.
impact 2 '--order is for tables in files' --live --order order.txt
impact 2 '--for needs --live' tree.lft tree.lft tree.net --for 3
status=0
"$bin/reroute_impact" --live --for 0.1 --Ca no_such_adapter >stdout 2>stderr || status=$?
[[ $status == 9 ]] || { [[ $status == 2 ]] && grep -q 'without access to fabrics' stderr; } || fail "--live ended with $status: $(<stderr)"
