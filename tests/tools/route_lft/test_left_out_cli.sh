#!/usr/bin/env bash
# route_lft -e cassp says where what it was asked for counts as nothing, since the fabric is too large for it, and only there.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
left_out='structured_weight counts as 0: to count the shifts of so large a fabric would take more than 1 GiB'
# routed SPEC OPTION...: without looks at merges, which would take minutes.
routed() {
  # shellcheck disable=SC2086  # words
  "$bin/make_topo" $1 --lids -o fabric.net 2>/dev/null
  expect 0 '' "$bin/route_lft" -e cassp fabric.net -o fabric.lft -s cassp.start=pssp -s cassp.passes=0 -s cassp.noisy_passes=0 "${@:2}"
}
# 20,000 hosts and 40,000 channels.
routed 'xgft 100,200 1,100' -s cassp.structured_weight=300
expect_line stderr "$left_out"
routed 'xgft 100,200 1,100' -s cassp.leaf_weight=0
if grep -q "$left_out" stderr; then fail 'warned of what was not asked for'; fi
routed 'xgft 10,20 1,10' -s cassp.structured_weight=300
if grep -q "$left_out" stderr; then fail 'warned of a fabric that is small enough'; fi
