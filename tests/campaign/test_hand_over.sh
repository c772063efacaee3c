#!/usr/bin/env bash
# Changes of the master: both managers start together, and the master is killed, restarted, and given the lower priority, with
# stable=on and QoS. Nothing may be lost, and the restart must not change any entry. docs/explanation/campaign.md describes the
# long form.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover saquery ibtracert dump_fts jq
campaign=$(dirname "$(readlink -f "$0")")/campaign.sh
cd "$scratch"
make_mesh 3 3 1 >mesh.net
"$campaign" --topo mesh.net --engine pssp --set stable=on --opensm -Q --about managers --events 5 --seed 196 --samples 1 --out short \
  >short.txt 2>&1 || fail "the campaign:"$'\n'"$(tail_of short.txt 20)"
expect_equal 'events by kind' "$(jq -rc '.by_kind' short/summary.json)" \
  '{"cut":1,"handover":1,"restart":1,"start-together":1,"takeover":1}'
expect_equal 'numbers of events and losses' "$(jq -r '"\(.events) \(.lost)"' short/summary.json)" '5 0'
cat short/manager?/opensm.log* >logs
expect_line logs 'state file: [a-z0-9]+: restored the tables.* of [0-9]+ switches from '
