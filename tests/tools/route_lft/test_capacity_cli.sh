#!/usr/bin/env bash
# route_lft --capacity and eval_lft --capacity: a link to be avoided carries no routes, and a slow link counts as slow.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
"$bin/make_topo" mesh 4x4 --lids -o mesh.net 2>/dev/null
"$bin/route_lft" -e pssp mesh.net -o nominal.lft 2>/dev/null
# The link of an inner switch at its first port to another switch.
guid=$(sed -n 's/^Unicast lids .* guid \(0x[0-9a-f]*\) .*/\1/p' nominal.lft | sed -n 6p)
uses() { awk -v guid="$2" '/^Unicast/ { at = index($0, guid) } /^0x/ && at && $2 == "002" { ++n } END { print n + 0 }' "$1"; }
(($(uses nominal.lft "$guid") > 0)) || fail 'the link is not used'

printf '# pssp capacity 1\n%s 2 0\n' "$guid" >zero
expect 0 '1 of 24 links between switches have less capacity, 1 of them are avoided' \
  "$bin/route_lft" -e pssp mesh.net --capacity zero -o zero.lft
expect_equal 'entries over the link' "$(uses zero.lft "$guid")" 0
expect 0 '' "$bin/eval_lft" zero.lft mesh.net --capacity zero -n 20 --json
check jq -e '.unreachable_pairs == 0' stdout
expect 0 'less capacity' "$bin/route_lft" --stable nominal.lft mesh.net --capacity zero -o stable.lft
expect_equal 'entries over the link' "$(uses stable.lft "$guid")" 0

# At a hundredth of the rate the link is by far the busiest.
printf '# pssp capacity 1\n%s 2 1\n' "$guid" >slow
index() { "$bin/eval_lft" nominal.lft mesh.net -n 20 --json "$@" | jq .edge_forwarding_index.max; }
awk -v all="$(index)" -v slow="$(index --capacity slow)" 'BEGIN { exit !(slow > 10 * all) }' || fail "index $(index), slow $(index --capacity slow)"

printf '# pssp capacity 1\n%s 1 101\n' "$guid" >wrong
expect 3 'wrong:2: ' "$bin/route_lft" -e pssp mesh.net --capacity wrong -o x.lft
printf '# pssp capacity 1\n0x1 1 50\n' >wrong
expect 4 'wrong:2: the fabric has no node' "$bin/route_lft" -e pssp mesh.net --capacity wrong -o x.lft
expect 4 'wrong:2: ' "$bin/eval_lft" nominal.lft mesh.net --capacity wrong
expect 3 'missing' "$bin/eval_lft" nominal.lft mesh.net --capacity missing
expect 2 'exclude each other' "$bin/route_lft" -e pssp mesh.net --capacity zero -o x.lft --write-topology x.net
expect 2 'capacity_file concerns only opensm' "$bin/route_lft" -e pssp mesh.net -s capacity_file=/x -o x.lft
# The same for dimension-ordered routes, which avoid the link.
expect 0 'are avoided' "$bin/route_lft" -e meshdor mesh.net --capacity zero -o meshdor.lft
expect_equal 'entries over the link' "$(uses meshdor.lft "$guid")" 0
