#!/usr/bin/env bash
# route_lft -e cassp reports options that it ignores because the fabric is too large, and only then.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
left_out='structured_weight is ignored: counting the shifts of a fabric of this size would need more than 1 GiB'
# routed TOPOLOGY OPTION...: routes without the local search, which would take minutes.
routed() {
  expect 0 '' "$bin/route_lft" -e cassp "$1" -o fabric.lft -s cassp.start=pssp -s cassp.passes=0 -s cassp.noisy_passes=0 "${@:2}"
}
# 20,000 hosts and 40,000 channels.
"$bin/make_topo" xgft 100,200 1,100 --lids -o large.net 2>/dev/null
"$bin/make_topo" xgft 10,20 1,10 --lids -o small.net 2>/dev/null
routed large.net -s cassp.structured_weight=300
expect_line stderr "$left_out"
routed large.net -s cassp.leaf_weight=0
if grep -q "$left_out" stderr; then fail 'a warning about an option that was not given'; fi
routed small.net -s cassp.structured_weight=300
if grep -q "$left_out" stderr; then fail 'a warning for a fabric that is small enough'; fi
