#!/usr/bin/env bash
# `check --nagios` never reports OK for unknown states: full counters, ports that do not answer, no fabric at all. It reports them on standard
# output with the exit code of a plugin.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
# plugin WANTED REGEX [OPTION...]: checks the status, and that standard output is one line that matches.
plugin() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  in_fabric "$dir" H0 "$monitor" check --nagios --interval 0.1 --mad-timeout 1000 --retries 0 "$@" >line 2>err || status=$?
  expect_equal "lines from: $*" "$(wc -l <line)" 1
  expect_line line "$pattern"
  expect_equal "status from: $*: $(<line)" "$status" "$wanted"
}
plugin 0 '^FABRIC OK - 0 bad, 0 to watch, 0 counters full, 0 ports unknown; 16 of 16 ports answered$'

# ---- an OK that cannot be written is UNKNOWN ----
status=0
in_fabric "$dir" H0 "$monitor" check --nagios --interval 0.1 >/dev/full 2>err || status=$?
expect_equal 'status without room for the line' "$status" 3
expect_line err '^monitor_fabric: cannot write standard output: '

# ---- every error counter is full ----
for port in '"L0"[1]' '"L0"[3]' '"H2"[1]'; do
  printf 'PerformanceSet %s PortCounters.SymbolErrorCounter=65535\n' "$port"
done >settings
set_counters "$dir" "$scratch/settings"
lid=$(in_fabric "$dir" H0 "$monitor" once --interval 0.1 --json | jq -r 'first(.ports[] | select(.name == "H2")) | .lid')
plugin 1 '^FABRIC WARNING - 0 bad, 0 to watch, 3 counters full, 0 ports unknown; 16 of 16 ports answered; .*SymbolErrorCounter'
in_fabric "$dir" H0 "$monitor" check --interval 0.1 >all
expect_line all "^unknown +H2 port 1 .*symbol_errors: SymbolErrorCounter is at its largest value: .*: perfquery -R $lid 1 0x1\$"
# The reported command clears only this counter.
if command -v perfquery >null; then
  echo 'PerformanceSet "H2"[1] PortCounters.LinkDownedCounter=3' >others
  set_counters "$dir" "$scratch/others"
  in_fabric "$dir" H0 perfquery -R "$lid" 1 0x1
  in_fabric "$dir" H0 perfquery "$lid" 1 >counters
  expect_line counters '^SymbolErrorCounter:\.*0$'
  expect_line counters '^LinkDownedCounter:\.*3$'
fi
sed -i 's/=65535/=0/' settings
set_counters "$dir" "$scratch/settings"
plugin 0 '^FABRIC OK'

# ---- ports that do not answer: those of a switch ----
silence() {
  local percent=$1 node
  shift
  for node; do printf 'Error "%s" %d 0x12\n' "$node" "$percent"; done >"$scratch/settings"
  set_counters "$dir" "$scratch/settings"
}
silence 100 S0
plugin 1 '^FABRIC WARNING - .* 2 ports unknown; 14 of 16 ports answered; S0 port 1: readings: the node does not respond'
plugin 0 '^FABRIC OK' --warning 2
plugin 2 '^FABRIC CRITICAL' -w 1 -c 1
silence 0 S0

# ---- no data at all ----
plugin 3 '^FABRIC UNKNOWN - .*nonsense' -C nonsense
plugin 3 '^FABRIC UNKNOWN - .*/nonexistent' --topology /nonexistent
plugin 3 '^FABRIC UNKNOWN - .*/nonexistent' --config /nonexistent
silence 100 S0 S1 L0 L1 H0 H1 H2 H3
plugin 3 '^FABRIC UNKNOWN - none of 16 ports answered$'
