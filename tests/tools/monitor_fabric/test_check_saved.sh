#!/usr/bin/env bash
# `check --from` judges counters that ibdiagnet saved, without an adapter: differences if their time is known, else totals.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
monitor=$bin/monitor_fabric
[[ -x $monitor ]] || skip 'monitor_fabric is not built'
cp "$PSSP_SOURCE_DIR/tests/fabric/formats/golden/lmc2.ibdiagnet2.db_csv" saved

# ---- the two readings of one file, 60 s apart according to its command line ----
expect 7 '^1 bad, 1 to watch, 1 unknown; 14 of 14 ports answered$' "$monitor" check --from saved
said stdout '^bad      MF0;leaf-1:MQM8700/U1 port 7 - MF0;leaf-2:MQM8700/U1 port 7: receive_errors: 40 in 60 seconds, limit 10: '
said stdout '^watch    host b port 1 - .*: transmit_wait: waited 75 % of the time in 60 seconds, limit 30 %'
said stdout '^unknown  MF0;leaf-2:MQM8700/U1 port 7 - .*: link_downed: LinkDownedCounter is at its largest value: '
expect 7 '"what": "receive_errors"' "$monitor" check --from saved --json
expect 2 '^FABRIC CRITICAL - 1 bad, 1 to watch, 1 counters full, 0 ports unknown; 14 of 14 ports answered; ' "$monitor" check --from saved --nagios
expect 7 'receive_errors: 40 in 10 minutes' "$monitor" check --from saved --interval 600
printf '0x0002c90300000101 "the leaf"\n' >names
expect 7 '^bad      the leaf port 7 - ' "$monitor" check --from saved --node-name-map names
printf '0x0002c90300000101 7  2999-01-01  cable ordered\n' >maintained
printf '[verdicts]\nignore_file = %s\n' "$scratch/maintained" >configuration
expect 0 '^0 bad, 1 to watch, 0 unknown' "$monitor" check --from saved --config configuration

# ---- totals ----
expect 7 '^4 bad, 0 to watch, 0 unknown' "$monitor" check --from saved --totals
said stdout ': receive_errors: 52 in total, threshold 0$'
printf '%s\n' PortRcvErrors=52 PortXmitWait=999000000 SymbolErrorCounter=3 LinkDownedCounter=255 >thresholds
expect 0 '^0 bad, 0 to watch, 0 unknown' "$monitor" check --from saved --totals --thresholds thresholds
sed '/pm_pause_time/d' saved >no_time
expect 7 'no_time: rates are unknown, so totals are compared with thresholds: specify the seconds of section PM_DELTA with --interval S' \
  "$monitor" check --from no_time
said stdout '^4 bad, '
expect 7 '^1 bad, 1 to watch' "$monitor" check --from no_time --interval 60
sed '/^START_PM_DELTA/,/^END_PM_DELTA/d' saved >totals
expect 7 'totals: rates are unknown, .*there is no section PM_DELTA; ibdiagnet --pm_pause_time 60 ' "$monitor" check --from totals --interval 60

# ---- two files ----
sed 's/,52,/,60,/g; s/,255,/,0,/' totals >later
expect 2 '^monitor_fabric: --from with two files needs --interval S' "$monitor" check --from totals later
expect 0 '8 in 2 minutes, limit 1: ' "$monitor" check --from totals later --interval 120
said stdout '^0 bad, 1 to watch, 1 unknown'
expect 2 '^monitor_fabric: --totals reads one file' "$monitor" check --totals --from totals later

# ---- refused input ----
sed '/^START_PM/,/^END_PM/d' saved >without
expect 3 "^monitor_fabric: without: there are no counters \(section PM_INFO\); run ibdiagnet without '--skip pm'" "$monitor" check --from without
expect 3 '^FABRIC UNKNOWN - without: there are no counters' "$monitor" check --from without --nagios
head -c 6000 saved >"cut"
expect 3 '^monitor_fabric: cut:[0-9]*: .* cut off' "$monitor" check --from cut
: >empty
head -c 3000 /dev/urandom >garbled
mkdir folder
for file in missing folder empty garbled; do expect 3 "^monitor_fabric: .*$file" "$monitor" check --from "$file"; done
expect 2 '^monitor_fabric: --from reads files, and --topology is for a fabric' "$monitor" check --from saved --topology saved
expect 2 '' "$monitor" check --from saved saved saved --interval 60
expect 2 '^monitor_fabric: --from reads files, and --window is for a fabric' "$monitor" check --from saved --window 2
