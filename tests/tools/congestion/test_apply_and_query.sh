#!/usr/bin/env bash
# cc_apply sets a whole fabric, each switch with its own victim mask; cc_query and the stock ibccquery read the settings.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without jq ibccquery

# Leaves with two hosts at ports 1 and 2, spines without hosts. GUIDs are in file order: leaves 0x200000 .., H0 0x100001.
make_tree 3 2 2 1 >"$scratch/tree.net"
dir=$scratch/tree
bring_up "$dir" "$scratch/tree.net" H0 --lose-every 5 --timeout 20
topo=$dir/fabric.topo

# run OUT EXPECTED_STATUS COMMAND...: runs a tool in the fabric with output to OUT.
run() {
  local out=$scratch/$1 expected=$2
  shift 2
  expect_equal "status of ${*##*/}" "$(status_of "$dir" H0 "$out" "$@")" "$expected"
}

# ---- dry run: sends nothing, and prints what is later sent ----
run plan 0 "$cc_apply" --dry-run thesis-mesh "$topo"
expect_line "$scratch/plan" 'would send thesis-mesh to 5 switches and 6 adapter ports: 29 MADs'
expect_line "$scratch/plan" 'switch\.victim_mask = 1-2'
expect_line "$scratch/plan" 'switch\.victim_mask = none'
run plan.json 0 "$cc_apply" --dry-run --json thesis-mesh "$topo"
expect_equal 'requests of the dry run' "$(cat "$dir/requests")" ''
jq -r '.nodes[] | .guid[2:] as $guid | .requests[] | "\($guid) \(.attribute) \(.modifier) \(.data)"' "$scratch/plan.json" |
  sort >"$scratch/planned"

# ---- apply: although every fifth MAD is lost, all settings arrive ----
run apply 0 "$cc_apply" thesis-mesh "$topo" --mad-timeout 100 --retries 8
expect_line "$scratch/apply" '11 of 11 nodes set .*29 settings accepted'
run query 0 "$cc_query" "$topo" --profile thesis-mesh --mad-timeout 100 --retries 8
expect_line "$scratch/query" '11 read, 0 not read; 11 match thesis-mesh, 0 differ'
run query 7 "$cc_query" "$topo" --profile off --mad-timeout 100 --retries 8
expect_line "$scratch/query" 'switch\.threshold: 2, expected 0'
expect_line "$scratch/query" 'table\.ccti_limit: 128, expected 0'

# ---- the stock tool reads the same: table 5.1 of the thesis, and the masks of leaves (ports 1 and 2) and spines ----
end_agents "$dir"
stop_simulation "$dir"
awk '$1 == "node" { guid = $2 } $1 ~ /^001/ {
       name["0014"] = "SwitchCongestionSetting"; name["0016"] = "CACongestionSetting"; name["0017"] = "CongestionControlTable"
       print guid, name[$1], $2, $3 }' "$dir/settings" | sort >"$scratch/arrived"
expect_same "$scratch/planned" "$scratch/arrived"

dir=$scratch/stock
bring_up "$dir" "$scratch/tree.net" H0
topo=$dir/fabric.topo
run apply 0 "$cc_apply" thesis-mesh "$topo"
mask_of() { in_fabric "$dir" H0 ibccquery SwitchCongestionSetting "$(lid_of "$dir" "$1")" | sed -n 's/^Victim_Mask:\.*0*//p'; }
expect_equal 'victim mask of a leaf' "$(mask_of L1)" 6
expect_equal 'victim mask of a spine' "$(mask_of S1)" ''
in_fabric "$dir" H0 ibccquery CongestionControlTable "$(lid_of "$dir" H3)" | sed 's/:\.*/ /' >"$scratch/table"
expect_line "$scratch/table" '^CCTI_Limit 128$'
expect_equal 'entries of the table' "$(grep -c '^Entry' "$scratch/table")" 129
in_fabric "$dir" H0 ibccquery CACongestionSetting "$(lid_of "$dir" H3)" | sed 's/:\.*/ /' >"$scratch/adapter"
expect_equal 'timers' "$(grep -c '^CCTI_Timer 244$' "$scratch/adapter")" 16

# ---- a value that another tool has set is found; only the selected node is queried ----
in_fabric "$dir" H0 ibccconfig SwitchCongestionSetting "$(lid_of "$dir" L2)" 0x4 0 0 9 1 0 0:0 0
run query 7 "$cc_query" "$topo" --profile thesis-mesh
expect_line "$scratch/query" '10 match thesis-mesh, 1 differ'
expect_line "$scratch/query" 'switch .*\(L2\)'
expect_line "$scratch/query" 'switch\.threshold: 9, expected 2'
run query.json 7 "$cc_query" "$topo" --profile thesis-mesh --json --node L2
expect_equal 'JSON of the switch' "$(jq -c '[.nodes[] | .result, .description, .differences[0].found]' "$scratch/query.json")" \
  '["differs","L2","9"]'
run apply 0 "$cc_apply" thesis-mesh "$topo" --node 0x200002
run query 0 "$cc_query" "$topo" --profile thesis-mesh
run settings 0 "$cc_query" "$topo" --per-node
expect_equal 'nodes in the list' "$(grep -cE '^  (switch|adapter) ' "$scratch/settings")" 11

# ---- off ----
run apply 0 "$cc_apply" off "$topo"
run query 0 "$cc_query" "$topo" --profile off
