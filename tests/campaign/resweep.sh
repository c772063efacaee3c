# shellcheck shell=bash
# One opensm that does nothing but heavy sweeps, for memory.sh and sanitize.sh. Sourced; the caller has `set -euo
# pipefail`, and gets $campaign_dir.

campaign_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=ibsim_harness/simulation.sh
. "$campaign_dir/../../ibsim_harness/simulation.sh"
# shellcheck source=tests/campaign/managers.sh
. "$campaign_dir/managers.sh"

broken() { die 1 "$1"; }

# begin_sweeping TOPOLOGY SECONDS: the first sweep with $engine, in the folder $out; SECONDS is how long a sweep of a
# small fabric may take.
begin_sweeping() {
  local topology=$1 host
  base_conf=$out/base.conf
  : >"$base_conf"
  host=$("$(find_built bin/ibsim_files)" playable "$topology" "$out/playable.net" | sed -n 2p)
  start_fabric "$topology" "$host"
  settle_limit=$(($2 + $(<"$out/simulation/state/size") / 10))
  start_manager 1
  until_true "$settle_limit" "the subnet does not come up" has_swept 1
}

has_swept() { ((subnet_ups[1] >= $1)); }

# Asks for one more heavy sweep and waits for its end.
sweep_again() {
  local wanted=$((subnet_ups[1] + 1))
  begin_sweep
  until_true "$settle_limit" "a sweep does not end" has_swept "$wanted"
}

end_sweeping() {
  stop_manager 1 TERM
  stop_simulation "$out/simulation"
}
