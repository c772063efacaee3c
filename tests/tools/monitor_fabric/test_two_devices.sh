#!/usr/bin/env bash
# Subnet management over one port of libibumad and counters over another one, as XDR adapters require, in a simulated fabric: commands and
# daemon find the same as over one port. ibsim has one device, whose port is opened twice if it is named for one of the two.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

make_tree 3 2 3 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
printf '%s\n' 'PerformanceSet "L0"[4] PortCounters.LinkDownedCounter=9' 'PerformanceSet "H3"[1] PortCounters.SymbolErrorCounter=70' >settings
set_counters "$dir" "$scratch/settings"
printf 'LinkDownedCounter=1\nSymbolErrorCounter=1\n' >thresholds

# checked OPTION...: prints the output of check, which discovers the fabric by directed routes; its status is 7, because two ports are bad.
checked() {
  local status=0
  in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --json "$@" >"$scratch/checked" 2>err || status=$?
  expect_equal "status of check $*" "$status" 7
  cat "$scratch/checked"
}
checked >one
expect_equal 'bad ports' "$(jq -r '[.verdicts[] | select(.level == "bad") | .name] | sort | join(" ")' one)" 'H3 L0'
for options in '--smi-device ibsim0' '--gsi-device ibsim0' '-C ibsim0 -P 1 --smi-device ibsim0 --gsi-device ibsim0'; do
  # shellcheck disable=SC2086  # words
  checked $options >two
  expect_same one two
done
# Both ports are opened.
for device in smi gsi; do
  expect 9 "cannot open an active port of 'ibsim1'" in_fabric "$dir" H0 "$monitor" check --"$device"-device ibsim1
done

# The daemon, whose configuration names the devices, waits for both at once.
printf '%s\n' '[sweep]' 'interval_s = 1' '[server]' 'listen = 127.0.0.1:0' '[fabric]' 'smi_device = ibsim0' >serve.conf
serve "$dir" H0 --config serve.conf
swept() { (($(ask status | jq .sweep) >= 3)); }
eventually swept
check jq -e '.sweep_figures | .asked > 20 and .answered == .asked and .timed_out == 0' <(ask status)
expect_equal 'counter of a port' "$(ask ports | jq '.ports[] | select(.name == "L0" and .port == 4) | .counters.link_downed')" 9
end_daemon
