#!/usr/bin/env bash
# Slurm's HealthCheckProgram with the monitor on a simulated fabric. A node whose cable counts errors at the switch is drained
# with our reason. A node whose cable is disconnected and reconnected is drained and resumed. A node that an operator has drained
# remains drained. A monitor that hangs causes neither.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/../tools/monitor_fabric/common.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
skip_without curl

stop_all() {
  if [[ -v daemon ]]; then builtin kill -CONT "$daemon" 2>null || true; fi
  end_slurm
  end_all
}
trap stop_all EXIT

# Slurm nodes, and names with special characters for shells, scontrol and web pages, which must have no effect.
# shellcheck disable=SC2016
make_tree 2 1 2 1 | sed -e 's/"H\([0-9]*\)"/"n\1"/g' -e 's/"L1"/"<b>$(touch owned)'"'"' Reason=x; L1"/g' >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
printf '%s\n' '[sweep]' 'interval_s = 1' 'discovery_interval_s = 1' '[server]' 'listen = 127.0.0.1:0' >serve.conf
serve "$dir" n0 --config serve.conf --database history.sqlite

# Slurm runs the program with its own environment. Each call adds a line to `calls`.
cat >health <<END
#!/bin/sh
export SLURM_CONF='$SLURM_CONF' PSSP_NODE_FIT_DEFAULTS='$scratch/defaults'
cd '$scratch' || exit
'$PSSP_SOURCE_DIR/monitor/slurm/pssp_node_fit'
echo "\$SLURMD_NODENAME done" >>calls
END
chmod +x health
printf 'PSSP_MONITOR=%s\n' "$url" >defaults
: >calls
# shellcheck disable=SC2034  # cluster.sh writes them
slurm_lines="HealthCheckProgram=$scratch/health
HealthCheckInterval=2
HealthCheckNodeState=ANY"
start_slurm

state_of() { scontrol show node "$1" --oneliner | sed -n 's/.* State=\([^ ]*\) .*/\1/p'; }
reason_of() { scontrol show node "$1" --oneliner | sed -n 's/.* Reason=\(.*\)/\1/p'; }
is_drained() { [[ $(state_of "$1") == *DRAIN* ]]; }
is_free() { [[ $(state_of "$1") != *DRAIN* ]]; }
# asked_twice: succeeds if each node was checked twice more. All actions are complete by then.
calls_of() { grep -cx "$1 done" calls; }
asked_twice() {
  local node
  for node in n1 n2 n3; do (($(calls_of "$node") >= ${before[$node]} + 2)) || return 1; done
}
let_slurm_ask() {
  local node
  declare -gA before
  for node in n1 n2 n3; do before[$node]=$(calls_of "$node"); done
  wait_until asked_twice
}
let_slurm_ask
for node in n1 n2 n3; do is_free "$node" || fail "$node is $(state_of "$node"): $(reason_of "$node")"; done

# ---- errors only at the switch, whose name has special characters for shells ----
printf 'PerformanceSet "%s"[2] PortCounters.SymbolErrorCounter=9000\n' "<b>\$(touch owned)' Reason=x; L1" >errors
set_counters "$dir" errors
wait_until is_drained n3
grep -q '^pssp: .*L1 port 2: symbol_errors: ' < <(reason_of n3) || fail "n3 is drained because: $(reason_of n3)"
check test ! -e owned
is_free n1 || fail "n1 is drained: $(reason_of n1)"

# ---- a cable is disconnected; an operator has drained the node before ----
scontrol update NodeName=n2 State=DRAIN Reason='new memory, says pssp: replace it'
printf 'Unlink "n1"[1]\nUnlink "n2"[1]\n' >&"$console"
wait_until is_drained n1
grep -q '^pssp: L0 port 2: the node is no longer in the fabric' < <(reason_of n1) || fail "n1 is drained because: $(reason_of n1)"
let_slurm_ask
grep -q '^new memory' < <(reason_of n2) || fail "n2 of an operator is drained because: $(reason_of n2)"

# ---- the cables and a subnet manager are back ----
printf 'ReLink "n1"[1]\nReLink "n2"[1]\n' >&"$console"
sweep_once "$dir" minhop
wait_until is_free n1
let_slurm_ask
is_drained n2 || fail 'a node that an operator drained was resumed'
grep -q '^new memory' < <(reason_of n2) || fail "n2 is drained because: $(reason_of n2)"
is_drained n3 || fail 'n3 is free, and its errors are there'

# ---- the monitor hangs: no node is drained or resumed ----
scontrol update NodeName=n2 State=UNDRAIN
kill -STOP "$daemon"
printf 'Unlink "n2"[1]\n' >&"$console"
let_slurm_ask
is_free n1 || fail 'a monitor that hangs has drained n1'
is_free n2 || fail 'a monitor that hangs has drained n2'
is_drained n3 || fail 'a monitor that hangs has freed n3'
kill -CONT "$daemon"
wait_until is_drained n2

# ---- the monitor has ended ----
scontrol update NodeName=n1 State=DRAIN Reason='pssp: an old reason'
wait_until is_free n1
end_daemon
scontrol update NodeName=n1 State=DRAIN Reason='pssp: an old reason'
let_slurm_ask
is_drained n1 || fail 'without a monitor n1 was freed'
