#!/usr/bin/env bash
# A relay between ibsim and the monitor writes down every MAD: only Get is sent, and only of classes that are read. It also loses and
# garbles answers: what is said of a counter then is right or unknown, never wrong.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
watcher=$PSSP_BUILD_DIR/tests/fabric_watcher recorder=$PSSP_BUILD_DIR/tests/mad_recorder
[[ -x $watcher && -x $recorder ]] || skip 'fabric_watcher or mad_recorder is not built'

make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
ibsim_name=$(<"$dir/state/socket")

# record LOG [options of mad_recorder]: from here on clients meet the relay.
record() {
  local log=$1 own=$ibsim_name-${1##*/}
  shift
  start_child "$recorder" --log "$log" "$@" "$ibsim_name" "$own" 2>"$log.err"
  recorder_pid=$child_pid
  eventually has_socket "$own"
  printf '%s\n' "$own" >"$dir/state/socket"
}

# ---- sweeps, discovery, tables and manager ----
record "$scratch/quiet" --timeout 100
mkdir watched
in_fabric "$dir" H1 "$watcher" watched 6 1
end_process "$recorder_pid"
check test "$(wc -l <quiet)" -gt 200
expect_equal 'MADs that are no Get' "$(awk '$2 != "01"' quiet | head -n 3)" ''
expect_equal 'classes' "$(cut -d ' ' -f 1 quiet | sort -u | paste -sd ' ')" '01 04 81'
expect_equal 'ports that answered' "$(tail -n 1 watched/sweeps | cut -d ' ' -f 2,3)" '16 16'

# ---- every 7th request lost, every 9th answer with counters garbled ----
record "$scratch/noisy" --timeout 30 --lose-every 7 --garble-every 9
mkdir noisy_watched
in_fabric "$dir" H1 "$watcher" noisy_watched 8 1 30
end_process "$recorder_pid"
check test "$(wc -l <noisy)" -gt 200
expect_equal 'MADs that are no Get' "$(awk '$2 != "01"' noisy | head -n 3)" ''
# What really goes over these links is a few MADs.
check test "$(awk '{ n += $6 } END { print n }' noisy_watched/sweeps)" -gt 0
awk '$8 > 1000000 { exit 1 }' noisy_watched/sweeps || fail "a garbled reading made a rate: $(<noisy_watched/sweeps)"
awk '$8 > 0 { n++ } END { exit n < 2 }' noisy_watched/sweeps || fail "no rates at all: $(<noisy_watched/sweeps)"
