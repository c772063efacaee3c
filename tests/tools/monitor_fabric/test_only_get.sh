#!/usr/bin/env bash
# A relay between ibsim and the monitor records every MAD: the monitor sends only Gets, and only of classes that it needs. The relay also loses
# and garbles answers: counters are then right or unknown, never wrong. The daemon is watched for PSSP_SERVED_SWEEPS sweeps of one second (4;
# 3600 for nightly tests).
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
watcher=$PSSP_BUILD_DIR/tests/fabric_watcher
[[ -x $watcher && -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'fabric_watcher or mad_recorder is not built'

make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

# ---- sweeps, discovery, tables and manager ----
record "$scratch/quiet" --timeout 2000
mkdir watched
in_fabric "$dir" H1 "$watcher" watched 6 1
end_process "$recorder_pid"
check test "$(wc -l <quiet)" -gt 200
expect_equal 'MADs that are not a Get' "$(awk '$2 != "01"' quiet | sed -n 1,3p)" ''
expect_equal 'classes' "$(cut -d ' ' -f 1 quiet | sort -u | paste -sd ' ')" '01 04 81'
expect_equal 'ports that answered' "$(tail -n 1 watched/sweeps | cut -d ' ' -f 2,3)" '16 16'

# ---- the daemon; the log of the relay is in JSON Lines, which jq reads ----
skip_without curl
record "$scratch/served" --json --timeout 100
attach_to "$dir"
"${in_simulation[@]/#SIM_HOST=*/SIM_HOST=H1}" "$monitor" serve --listen 127.0.0.1:0 --interval 1 --database history.sqlite 2>said &
daemon=$! waiter=$!
children+=("$waiter")
while below=$(pgrep -P "$daemon"); do daemon=$below; done
eventually grep -q 'listening on http://' said
url=$(sed -n 's/.*listening on \(http:[^ ]*\)\/$/\1/p' said)
swept=0
until ((swept >= ${PSSP_SERVED_SWEEPS:-4})); do
  sleep .5
  is_running "$daemon" || fail "the daemon ended: $(tail_of said)"
  swept=$(curl -sf "$url/api/v1/status" | jq .sweep) || swept=0
done
kill "$daemon"
wait "$waiter" || fail "the daemon ended with status $?: $(<said)"
end_process "$recorder_pid"
printf '%s sweeps, %s MADs\n' "$swept" "$(wc -l <served)"
check test "$(wc -l <served)" -gt $((swept * 16))
expect_equal 'MADs of the daemon that are not a Get' "$(jq -n 'reduce inputs as $mad (0; if $mad.method != 1 then . + 1 else . end)' served)" 0

# ---- every 7th request lost, every 9th answer with counters garbled ----
record "$scratch/noisy" --timeout 30 --lose-every 7 --garble-every 9
mkdir noisy_watched
in_fabric "$dir" H1 "$watcher" noisy_watched 8 1 30
end_process "$recorder_pid"
check test "$(wc -l <noisy)" -gt 200
expect_equal 'MADs that are not a Get' "$(awk '$2 != "01"' noisy | sed -n 1,3p)" ''
# Only a few MADs really use these links.
check test "$(awk '{ n += $6 } END { print n }' noisy_watched/sweeps)" -gt 0
awk '$8 > 1000000 { exit 1 }' noisy_watched/sweeps || fail "a garbled reading made a rate: $(<noisy_watched/sweeps)"
awk '$8 > 0 { n++ } END { exit n < 2 }' noisy_watched/sweeps || fail "no rates at all: $(<noisy_watched/sweeps)"
