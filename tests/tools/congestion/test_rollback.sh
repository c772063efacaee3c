#!/usr/bin/env bash
# The previous settings of a fabric are saved completely before anything is set. They are restored on request, without
# confirmation, and after an interruption.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without jq

make_tree 2 1 2 1 >"$scratch/tree.net"
dir=$scratch/tree
# The leaf L1 (0x200001) answers Set requests but keeps its settings.
bring_up "$dir" "$scratch/tree.net" H0 --timeout 50 --deaf 0x200001
topo=$dir/fabric.topo

# run OUT EXPECTED_STATUS COMMAND...: runs a tool in the fabric with output to OUT.
run() {
  local out=$scratch/$1 expected=$2
  shift 2
  expect_equal "status of ${*##*/}" "$(status_of "$dir" H0 "$out" "$@")" "$expected"
}
# The settings of all nodes but L1.
good=(--node L0 --node S0 --node H0 --node H1 --node H2 --node H3)
settings() { run "$1" 0 "$cc_query" "$topo" --json; }

# ---- an answer with other values than were sent ----
run apply 7 "$cc_apply" thesis-mesh "$topo" --save first
expect_line "$scratch/apply" 'SwitchCongestionSetting not set as requested: switch\.victim_mask: none, expected 1-2'
expect_line "$scratch/apply" '6 of 7 nodes set'
expect_line "$scratch/apply.err" 'earlier settings saved in first; to restore them: pssp cc apply --restore first'

# ---- saved before the first Set, under a new name; never overwrites a file ----
settings thesis
run apply 0 "$cc_apply" off "$topo" "${good[@]}"
saved=$(echo cc_apply-*.saved)
expect_equal 'default file' "$([[ -s $saved ]] && head -n 1 "$saved")" 'cc_apply: saved settings, version 1'
expect_line "$scratch/apply.err" "earlier settings saved in $saved"
sets=$(grep -c 'method 02' "$dir/requests")
run apply 8 "$cc_apply" off "$topo" --save "$saved"
expect_line "$scratch/apply.err" 'file exists and may hold'
run apply 8 "$cc_apply" off "$topo" --save /nonexistent/folder/file
expect_equal 'Sets without a file' "$(grep -c 'method 02' "$dir/requests")" "$sets"

# ---- rollback with the LIDs in the file, and with those of a topology ----
run restore 0 "$cc_apply" --restore "$saved"
expect_line "$scratch/restore" "^$saved: 6 of 6 nodes set"
settings restored
expect_same "$scratch/thesis" "$scratch/restored"
run apply 0 "$cc_apply" off "$topo" "${good[@]}" --save second
run restore 0 "$cc_apply" --restore second "$topo" --node H1 --json
expect_equal 'nodes restored' "$(jq -c '[.nodes[] | .description, .result]' "$scratch/restore")" '["H1","set"]'
run query 0 "$cc_query" "$topo" --profile thesis-mesh --node H1
run query 0 "$cc_query" "$topo" --profile off --node H2
head -n 5 second >cut.saved
run wrong 3 "$cc_apply" --restore cut.saved
expect_line "$scratch/wrong.err" 'cut.saved:5: .*the file is incomplete'
run wrong 3 "$cc_apply" --restore "$topo"
expect_line "$scratch/wrong.err" 'fabric.topo:1: .*not a file saved by pssp cc apply'
run wrong 2 "$cc_apply" --restore second --dry-run
run wrong 2 "$cc_apply" --restore second thesis-mesh "$topo"

# ---- with and without confirmation ----
settings before
run apply 7 "$cc_apply" thesis-start "$topo" "${good[@]}" --save third --confirm-within 1
expect_line "$scratch/apply.err" 'not confirmed; restoring the earlier settings'
expect_line "$scratch/apply" '^thesis-start: 6 of 6 nodes set'
expect_line "$scratch/apply" '^third: 6 of 6 nodes set'
settings after
expect_same "$scratch/before" "$scratch/after"
run wrong 2 "$cc_apply" --confirm third
expect_line "$scratch/wrong.err" 'no pssp cc apply waits for this confirmation'
(until "$cc_apply" --confirm fourth 2>/dev/null; do sleep 0.1; done) &
confirmer=$!
run apply 0 "$cc_apply" thesis-mesh "$topo" "${good[@]}" --save fourth --confirm-within 60
wait "$confirmer"
expect_line "$scratch/apply.err" 'confirmed'
run query 0 "$cc_query" "$topo" --profile thesis-mesh "${good[@]}"

# ---- an unread report or a full disk does not prevent the rollback ----
settings before
open_lost_pipe
status=0
in_fabric "$dir" H0 "$cc_apply" thesis-start "$topo" "${good[@]}" --save fifth --confirm-within 1 >&9 2>err || status=$?
expect_equal 'status without a reader' "$status" 8
expect_line err 'not confirmed; restoring the earlier settings'
settings after
expect_same "$scratch/before" "$scratch/after"
status=0
in_fabric "$dir" H0 "$cc_apply" thesis-start "$topo" "${good[@]}" --save sixth --confirm-within 1 >/dev/full 2>&9 || status=$?
expect_equal 'status without room' "$status" 8
settings after
expect_same "$scratch/before" "$scratch/after"
# The name of the file that records the pending confirmation is taken.
mkdir seventh.unconfirmed
run apply 7 "$cc_apply" thesis-start "$topo" "${good[@]}" --save seventh --confirm-within 60
expect_line "$scratch/apply.err" 'seventh.unconfirmed: it is a directory'
settings after
expect_same "$scratch/before" "$scratch/after"
exec 9>&-
rmdir seventh.unconfirmed
expect_equal 'files of confirmations left' "$(find . -name '*.unconfirmed')" ''
