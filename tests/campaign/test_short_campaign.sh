#!/usr/bin/env bash
# Runs a short campaign of faults on a small mesh, in which nothing may be lost. A fabric that differs from the plan is detected.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover saquery ibtracert dump_fts jq
campaign=$(dirname "$(readlink -f "$0")")/campaign.sh
cd "$scratch"
make_mesh 3 3 1 >mesh.net
"$campaign" --topo mesh.net --engine meshdor,pssp --events 4 --seed 4 --samples 1 --out short >short.txt 2>&1 ||
  fail "the campaign:"$'\n'"$(tail_of short.txt 20)"
expect_line short.txt 'meshdor,pssp, seed 4: 4 events, all checks passed'
expect_equal 'numbers of events and losses' "$(jq -r '"\(.events) \(.lost)"' short/summary.json)" '4 0'

# At the end the discovered fabric was complete, while a link is cut after the fourth event of the plan.
status=0
"$PSSP_BUILD_DIR/tests/campaign/draw_faults" mesh.net --manager H0_0_1 --managers 2 --seed 4 --events 4 \
  --found short/found.topo >differences || status=$?
expect_equal 'status of draw_faults' "$status" 7
expect_line differences '^surplus: '
