#!/usr/bin/env bash
# After SIGTERM cc_apply ends in order, and reports for each node whether it is set, not set or unknown. After SIGKILL the file of
# the previous settings is complete and restores them.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without jq

make_tree 2 1 2 1 >"$scratch/tree.net"
dir=$scratch/tree
# H1 (0x100003) has another key: it answers Get requests but no Set requests.
bring_up "$dir" "$scratch/tree.net" H0 --timeout 300 --key 0x100003=0xabcd
topo=$dir/fabric.topo

# begin OUT ARGUMENT...: starts cc_apply in the background, one node at a time.
begin() {
  local out=$1
  shift
  attach_to "$dir"
  start_child timeout 60 "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=H0}" "$cc_apply" thesis-mesh "$topo" \
    --window 1 --retries 100 "$@" >"$out" 2>"$out.err"
}
# end_with SIGNAL: ends cc_apply and sets `status`.
end_with() {
  kill "-$1" "$child_pid"
  status=0
  wait "$child_pid" || status=$?
  forget_child "$child_pid"
}

# ---- in the middle of the Sets: switches and H0 are set, H1 is unknown, H2 and H3 are not set ----
begin "$scratch/apply" --json --save saved
eventually grep -q '^0000000000100003 method 02' "$dir/requests"
end_with TERM
expect_equal 'status after SIGTERM' "$status" 7
expect_equal 'interrupted' "$(jq .interrupted "$scratch/apply")" true
expect_equal 'what became of the nodes' \
  "$(jq -c '[.nodes[] | {(.description): .result}] | add' "$scratch/apply")" \
  '{"L0":"set","L1":"set","S0":"set","H0":"set","H1":"unknown","H2":"not set","H3":"not set"}'
expect_equal 'Sets to H2' "$(grep -c '^0000000000100005 method 02' "$dir/requests")" 0
expect_equal 'status of the way back' 0 \
  "$(status_of "$dir" H0 "$scratch/restore" "$cc_apply" --restore saved --cc-key 0xabcd)"
expect_equal 'off again' 0 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$topo" --profile off)"

# ---- killed between two settings: the saved file restores all of them ----
earlier=$(wc -l <"$dir/requests")
sets_h1() { tail -n "+$((earlier + 1))" "$dir/requests" | grep '^0000000000100003 method 02' >/dev/null; }
begin "$scratch/killed" --save killed-saved
eventually sets_h1
kill -KILL "$(pgrep -P "$child_pid")"
{ wait "$child_pid" || true; } 2>/dev/null # the shell reports a killed child
forget_child "$child_pid"
expect_equal 'set before the end' 0 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$topo" --profile thesis-mesh --node H0 --node S0)"
expect_equal 'not set before the end' 0 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$topo" --profile off --node H2 --node H3)"
expect_equal 'status of the way back from SIGKILL' 0 \
  "$(status_of "$dir" H0 "$scratch/restore" "$cc_apply" --restore killed-saved --cc-key 0xabcd)"
expect_equal 'off after SIGKILL' 0 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$topo" --profile off)"

# ---- while the settings are read: nothing is set or saved ----
end_agents "$dir"
stop_simulation "$dir"
dir=$scratch/slow
bring_up "$dir" "$scratch/tree.net" H0 --timeout 300 --silent 0x100003
topo=$dir/fabric.topo
begin "$scratch/early" --save early-saved
eventually grep -q '^0000000000100003 method 01' "$dir/requests"
end_with TERM
expect_equal 'status after an early SIGTERM' "$status" 7
expect_line "$scratch/early" '^Interrupted: 0 set, 7 not set, 0 unknown$'
expect_line "$scratch/early" 'interrupted before anything was set'
expect_equal 'Sets' "$(grep -c 'method 02' "$dir/requests")" 0
[[ ! -e early-saved ]] || fail 'settings were saved although none were going to change'

# ---- while the confirmation is awaited: rolled back at once ----
end_agents "$dir"
stop_simulation "$dir"
dir=$scratch/waiting
bring_up "$dir" "$scratch/tree.net" H0
topo=$dir/fabric.topo
begin "$scratch/waiting.out" --save waiting-saved --confirm-within 60
eventually grep -q 'restoring the earlier settings in 60 s' "$scratch/waiting.out.err"
end_with TERM
expect_equal 'status of an unconfirmed set' "$status" 7
expect_equal 'off once more' 0 "$(status_of "$dir" H0 "$scratch/query" "$cc_query" "$topo" --profile off)"
