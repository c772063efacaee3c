#!/usr/bin/env bash
# monitor.sh: attributes and counters that monitor_fabric reads from the ports of a fabric of 128 hosts in ibsim, and the cost of reading them.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need opensm ibsim ibsim-run monitor_fabric

export PSSP_BUILD_DIR=$BIN/.. PSSP_INSTANCE=reproduction-$$ TMPDIR=$work
end_ibsim() {
  "$top/ibsim_harness/stop_ibsim.sh" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end_ibsim EXIT
cd "$work"
net=$(fabric odin)
"$top/ibsim_harness/start_ibsim.sh" "$net" >"$work/started"
"$top/ibsim_harness/start_osm.sh" minhop >"$work/swept"
instance=$work/pssp-ibsim-$(id -u)/$PSSP_INSTANCE
attached=(env "IBSIM_SOCKNAME=$(<"$instance/state/socket")" "SIM_HOST=$(<"$instance/state/host")" ibsim-run)
"${attached[@]}" monitor_fabric once --interval 1 --json -o "$work/ports.json"
value 'ports asked' "$(jq .sweep.asked ports.json)"
value 'ports that answered' "$(jq .sweep.answered ports.json)"
value 'ports without an answer' "$(jq '.sweep.asked - .sweep.answered' ports.json)"
value 'counters of a port' "$(jq '.ports[0].counters | length' ports.json)"
value 'attributes of a port' "$(jq '.ports[0] | length' ports.json)"
value 'attributes missing' "$(jq '.ports[0] as $port | ["lid", "port", "name", "counters"] | map(select($port[.] == null)) | length' ports.json)"
value 'MADs of a sweep' "$(jq '.sweep.mads' ports.json)"
# A request and its response have 256 bytes each; a 4xSDR link carries 1 GByte/s.
value 'of a link at a sweep each 5 s' "$(jq '(.sweep.mads // 0) * 2 * 256 / 5 / 1e9 * 100' ports.json)" '' %
