#!/usr/bin/env bash
# LIDs in a saved topology may be outdated: a node that is not the expected one at its LID is not set, and is reported.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

make_tree 2 2 2 1 >"$scratch/tree.net"
dir=$scratch/tree
bring_up "$dir" "$scratch/tree.net" H0
l0=$(lid_of "$dir" L0) l1=$(lid_of "$dir" L1) s0=$(lid_of "$dir" S0)

# The leaves have exchanged their LIDs, and no node has the LID of the spine S0.
sed -E "s/\\blid $l0\\b/lid X/; s/\\blid $l1\\b/lid $l0/; s/\\blid X\\b/lid $l1/; s/\\blid $s0\\b/lid 4711/" \
  "$dir/fabric.topo" >"$dir/stale.topo"

expect_equal 'status of cc_apply' 7 "$(status_of "$dir" H0 "$scratch/apply" "$cc_apply" thesis-mesh "$dir/stale.topo" \
  --save "$scratch/saved" --per-node --mad-timeout 400 --retries 0)"
expect_line "$scratch/apply" '^thesis-mesh: 5 of 8 nodes set'
expect_line "$scratch/apply" "switch .*\\(L0\\), LID $l1"
expect_line "$scratch/apply" "LID $l1 belongs to GUID 0x0000000000200001, not 0x0000000000200000: the LIDs are outdated"
expect_line "$scratch/apply" "LID $l0 belongs to GUID 0x0000000000200000, not 0x0000000000200001"
expect_line "$scratch/apply" 'switch .*\(S0\), LID 4711'
expect_line "$scratch/apply" 'NodeInfo could not be read, so nothing else was sent: no reply to 1 requests'
expect_equal 'requests to the three switches' "$(grep -cE '^00000000002000(00|01|02) ' "$dir/requests")" 0

expect_equal 'status of cc_query' 7 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$dir/stale.topo" \
  --profile thesis-mesh --mad-timeout 400 --retries 0)"
expect_line "$scratch/query" '5 read, 3 not read; 5 match thesis-mesh, 0 differ'
expect_line "$scratch/query" "LID $l1 belongs to GUID 0x0000000000200001"

# The same without saving, when nothing is read first, and when settings are restored.
expect_equal 'status without saving' 7 "$(status_of "$dir" H0 "$scratch/apply" "$cc_apply" thesis-mesh "$dir/stale.topo" \
  --save none --mad-timeout 400 --retries 0)"
expect_line "$scratch/apply" '^thesis-mesh: 5 of 8 nodes set'
expect_equal 'status of a good topology' 0 "$(status_of "$dir" H0 "$scratch/apply" "$cc_apply" thesis-mesh "$dir/fabric.topo" \
  --save "$scratch/all")"
expect_equal 'status of a restore with old LIDs' 7 "$(status_of "$dir" H0 "$scratch/restore" "$cc_apply" \
  --restore "$scratch/all" "$dir/stale.topo" --mad-timeout 400 --retries 0)"
expect_line "$scratch/restore" '5 of 8 nodes set'
