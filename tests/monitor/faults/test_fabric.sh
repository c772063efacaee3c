#!/usr/bin/env bash
# A switch disappears and returns, the subnet manager is down for some time, and so is the monitor's own port: the reports are right, and no
# rate is negative or above the link rate.
# shellcheck source=tests/monitor/faults/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

make_tree 3 2 2 2 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
printf '[fabric]\ntimeout_ms = 100\n[sweep]\ndiscovery_interval_s = 2\n' >serve.conf
serve "$dir" H1 --listen 127.0.0.1:0 --interval 1 --config serve.conf --database "$database"
switches_are() { [[ $(ask 'nodes?kind=switch' | jq .total) == "$1" ]]; }
all_answer() { [[ $(ask status | jq '.sweep_figures | .answered == .asked') == true ]]; }
# at_console LINE...: sends commands to ibsim.
# shellcheck disable=SC2154  # start_simulation_with_console opened it
at_console() { printf '%s\n' "$@" >&"$console"; }
eventually switches_are 5
guid=$(ask 'nodes?name=S1' | jq -r '.nodes[0].guid')
sweeps_pass 2

# ---- a switch disappears ----
for ((port = 1; port <= 6; port++)); do at_console "Unlink \"S1\"[$port]"; done
before=$(ask status | jq .sweep)
eventually switches_are 4
after=$(ask status | jq .sweep)
# One sweep finds the switch silent, one runs during the walk, and one had already begun; on a busy machine, the walk takes more sweeps.
((after - before <= 20)) || fail "S1 was in the map for $((after - before)) sweeps after it had gone"
kill -HUP "$opensm_pid"
sweeps_pass 2
eventually all_answer

# ---- the switch returns, with counters that restart at 0 ----
for ((port = 1; port <= 6; port++)); do
  at_console "PerformanceSet \"S1\"[$port] PortCountersExtended.PortXmitData=0" "ReLink \"S1\"[$port]"
done
kill -HUP "$opensm_pid"
eventually switches_are 5
ports_are_read() { [[ $(ask "ports?node=$guid&limit=100" | jq '[.ports[] | select(.rates.transmit_bytes != null)] | length') == 6 ]]; }
eventually ports_are_read

# ---- no subnet manager: counters are still read ----
end_process "$opensm_pid"
sweeps_pass 2
eventually all_answer
eventually has_event manager_silent
eventually all_answer
start_opensm "$dir" minhop
is_master() { [[ $(ask manager | jq -r '[.managers[].state] | index("master")') != null ]]; }
eventually is_master

# ---- a host is gone: one fault ----
# faults: prints kind, id and beginning of each fault.
faults() { ask incidents | jq -r '[.faults[] | select(.kind != "errors") | "\(.kind) \(.id) \(.since)"] | sort | join("; ")'; }
kinds_are() { [[ $(faults | sed -E 's/ [0-9a-z-]+ [0-9]+//g') == "$1" ]]; }
at_console 'Unlink "H3"[1]'
kill -HUP "$opensm_pid"
eventually kinds_are node_down
gone=$(faults)

# ---- the monitor's own port is down: one more fault, not one per node ----
at_console 'Unlink "H1"[1]'
eventually has_event port_lost
is_ill() { [[ $(curl -s -o "$scratch/health" -w '%{http_code}' "$url/healthz") == 503 ]]; }
eventually is_ill
eventually kinds_are 'node_down; unreachable'
before=$(ask status | jq .sweep)
eventually sweep_is_behind "$((before + 8))"
check kinds_are 'node_down; unreachable'
at_console 'ReLink "H1"[1]'
kill -HUP "$opensm_pid"
eventually has_event port_back
eventually curl -sf -o "$scratch/health" "$url/healthz"
faults_are() { [[ $(faults) == "$1" ]]; }
eventually faults_are "$gone"
end_daemon

# ---- restart: the same fault, until the host is back ----
serve "$dir" H1 --listen 127.0.0.1:0 --interval 1 --config serve.conf --database "$database"
eventually faults_are "$gone"
sweeps_pass 4
check faults_are "$gone"
at_console 'ReLink "H3"[1]'
kill -HUP "$opensm_pid"
eventually faults_are ''
end_daemon

# ---- the history continues under the same GUID ----
export_rows rows --node "$guid"
check jq -se 'group_by(.port) | length == 6 and all(map(select(.counters.transmit_bytes != null)) | length >= 2)' rows >null
no_impossible_rates
