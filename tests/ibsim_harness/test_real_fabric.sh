#!/usr/bin/env bash
# A saved fabric of 5007 nodes in 666 switches works, including its tables. Skipped if the file is absent.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

fabric=${PSSP_FABRICS_DIR:-$PSSP_SOURCE_DIR/../shared/fabrics}/hdr-666-switches.ibnetdiscover
[[ -r $fabric ]] || skip "$fabric is not here (PSSP_FABRICS_DIR says where saved fabrics are)"
expect 0 '' "$harness/start_ibsim.sh" "$fabric"
expect 0 '' "$harness/start_osm.sh" minhop
expect 0 '' "$harness/dump_routes.sh"
[[ $(grep -c '^Unicast lids' "$scratch/stdout") == 666 ]] || fail "not 666 tables"
# Every LID of the file is in every table: 5007 nodes with one LID each.
[[ $(grep -c '^5007 valid lids dumped' "$scratch/stdout") == 666 ]] || fail "not 5007 LIDs in each table"
expect 0 '' "$harness/stop_ibsim.sh"
