#!/usr/bin/env bash
# opensm's memory does not grow with the number of faults and repairs. This is a short form of the run in
# docs/explanation/campaign.md.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without opensm ibsim ibsim-run jq
campaign=$PSSP_SOURCE_DIR/tests/campaign

"$PSSP_BUILD_DIR/bin/make_topo" xgft 2,2,2 1,2,2 -o "$scratch/tree.net" 2>/dev/null
expect 0 'pssp .*growth' "$campaign/memory.sh" --topo "$scratch/tree.net" --engine pssp --sweeps 40 --faults 2 --growth 10 --out "$scratch/out"
expect_equal 'sizes' "$(jq '.[0].rss_kib | length' "$scratch/out/memory.json")" 11
# Verify that links failed and were restored.
[[ $(grep -c 'routing: .* reason=repaired ' "$scratch/out/pssp/manager1/opensm.log") -gt 20 ]] || fail 'at most 20 routings with reason=repaired: links did not fail'
