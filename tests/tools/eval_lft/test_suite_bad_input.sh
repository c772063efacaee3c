#!/usr/bin/env bash
# Engines and reports on structured traffic with irregular fabrics: names, few hosts, islands, LIDs, missing links, broken tables.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"

# suite CODE PATTERN NAME OPTION...: routes NAME.net with pssp and best, and evaluates pssp's tables.
suite() {
  "$bin/route_lft" -e pssp "$3.net" -o "$3.lft" 2>route.txt || fail "$3: $(<route.txt)"
  "$bin/route_lft" -e best "$3.net" -o best.lft 2>route.txt || fail "$3, best: $(<route.txt)"
  expect "$1" "$2" "$bin/eval_lft" "$3.lft" "$3.net" -n 20 --structured-suite "${@:4}"
}

# ---- descriptions: they only determine the order of hosts ----
"$bin/make_topo" k-ary-n-tree 4 2 --lids -o tree.net 2>/dev/null
long=$(printf 'x%.0s' {1..10000})
digits=123456789012345678901234567890
# Host names follow the # in the lines of adapters.
describe() { sed -E "/^(Ca|Hca)/s/# \"leaf ([0-9]+) host ([0-9]+)\"/# \"$2\"/" tree.net >"$1.net"; }
describe empty ''
describe equal 'all the same'
describe tabs 'leaf\t\1\thost\2'
describe quotes "leaf \\\\\"\\1' \$(touch PWNED) \\2"
describe long "$long \\1 \\2"
describe digits "n$digits\\1 m$digits\\2 x"
for name in empty equal tabs quotes long digits; do
  suite 0 'host_order": "name"' "$name" --json
  check jq -e '.structured_suite.S >= 1' stdout
done
[[ ! -e PWNED ]] || fail 'a description was run'
# Numbers sort by value, whatever their length, so the order is that of the generated tree.
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
"$bin/eval_lft" tree.lft tree.net -n 20 --structured-suite --json | jq .structured_suite.patterns >ordered.json
"$bin/eval_lft" digits.lft digits.net -n 20 --structured-suite --json | jq .structured_suite.patterns >digits.json
expect_same ordered.json digits.json

# ---- few hosts, and hosts that are all at one switch ----
for hosts in 1 2 3; do
  "$bin/make_topo" mesh 1 --hosts "$hosts" --lids -o few.net 2>/dev/null
  suite 0 '"S": 1[,.]' few --json
done
"$bin/make_topo" mesh 3 --hosts 1 --lids -o none.net 2>/dev/null
sed -i -E '/^(Ca|Hca)/,/^$/d; /"H0/d' none.net
suite 0 '' none
"$bin/make_topo" mesh 1 --hosts 30 --lids -o one.net 2>/dev/null
suite 0 '' one --json
check jq -e '[.structured_suite.patterns[] | select(.name != "bisections") | .bound == .time] | all' stdout
check jq -e '[.structured_suite.patterns[] | select(.name | test("bisections|servers") | not) | .time] | all(. == 1)' stdout

# ---- islands, hosts without a LID, LMC that differs ----
"$bin/make_topo" mesh 1x2 --hosts 4 --lids --kill-links 1 --allow-islands -o islands.net 2>/dev/null
suite 0 '4 on other islands left out' islands
"$bin/make_topo" k-ary-n-tree 3 2 --lmc 1 --lids -o lmc.net 2>/dev/null
# The first adapter has one LID, the others two.
awk '/^Ca/ { n++ } n == 1 { sub(/lmc 1/, "lmc 0") } { print }' lmc.net >mixed.net
for name in lmc mixed; do
  suite 0 '"S_without_rails"' "$name" --lids 3 --json
  check jq -e '.lids_scored == 2 and .structured_suite.S >= 1' stdout
done
expect 2 '' "$bin/eval_lft" lmc.lft lmc.net -n 20 --lids 9999

# ---- missing links: one, and about half of all ----
"$bin/make_topo" chic --kill-links 1 --lids -o hole.net 2>/dev/null
expect 0 '' "$bin/route_lft" -e heal hole.net -o hole.lft --json
check jq -e '[.inferred[] | select(.[0].switch == .[1].switch)] | length == 0' stdout
"$bin/make_topo" xgft 2,12,12 1,6,6 --kill-links 500 --allow-islands --lids -o half.net 2>/dev/null
expect 0 '' "$bin/route_lft" -e heal half.net -o half.lft --json
check jq -e '.inferred | length > 400 and length <= 500' stdout

# ---- weights, and broken tables ----
expect 2 'structured_weight=10001.*0 .. 10000' "$bin/route_lft" -e cassp --set cassp.structured_weight=10001 tree.net -o no.lft
expect 2 "option heal.structured_weight=1: unknown" "$bin/route_lft" -e heal --set heal.structured_weight=1 tree.net -o no.lft
sed '0,/^0x0001 /s/^0x0001 [0-9]*/0x0001 255/' tree.lft >broken.lft
expect_different tree.lft broken.lft 'tables of which one entry was broken'
expect 7 'unreachable|not usable|broken' "$bin/fault_impact" broken.lft tree.net --links 1
