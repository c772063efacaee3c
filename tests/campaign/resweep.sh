# shellcheck shell=bash disable=SC2154  # variables are shared with what sources it
# One opensm that sweeps repeatedly, for memory.sh, endurance.sh and sanitize.sh. Scripts source this file after `set -euo
# pipefail`. Sets campaign_dir.

campaign_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=ibsim_harness/simulation.sh
. "$campaign_dir/../../ibsim_harness/simulation.sh"
# shellcheck source=tests/campaign/managers.sh
. "$campaign_dir/managers.sh"

broken() { die 1 "$1"; }

# begin_sweeping TOPOLOGY SECONDS: starts opensm with $engine in the folder $out and waits for its first sweep. SECONDS is the
# time limit for a sweep of a small fabric.
begin_sweeping() {
  local topology=$1 host
  base_conf=$out/base.conf
  : >"$base_conf"
  host=$("$(find_built bin/ibsim_files)" playable "$topology" "$out/playable.net" | sed -n 2p)
  start_fabric "$topology" "$host"
  settle_limit=$(($2 + $(<"$out/simulation/state/size") / 10))
  start_manager 1
  until_true "$settle_limit" "the subnet did not come up" has_swept 1
}

has_swept() { ((subnet_ups[1] >= $1)); }

# Triggers a heavy sweep and waits until it has ended.
sweep_again() {
  local wanted=$((subnet_ups[1] + 1))
  begin_sweep
  until_true "$settle_limit" "a sweep did not end" has_swept "$wanted"
}

end_sweeping() {
  stop_manager 1 TERM
  stop_simulation "$out/simulation"
}

# Prints the links between switches of the playable fabric, one per line, in the notation of ibsim's console.
links_between_switches() {
  awk -F'"' '$1 ~ /^Switch/ { of = $2; is_switch[of] = 1; next }
    $1 !~ /^\[/ { of = "" }
    of != "" && of < $2 { link[++n] = "\"" of "\"" substr($1, 1, index($1, "]")); to[n] = $2 }
    END { for (i = 1; i <= n; i++) if (to[i] in is_switch) print link[i] }' "$1"
}

# change_a_link: restores a link that is down, or disconnects another one. `links` has all links, and the indices of `down` are
# the links that are down, at most `faults`.
change_a_link() {
  local link=$((RANDOM % ${#links[@]}))
  if ((${#down[@]} == faults)) || [[ -n ${down[link]:-} ]]; then
    if [[ -z ${down[link]:-} ]]; then
      local -a positions=("${!down[@]}")
      link=${positions[0]}
    fi
    unset "down[$link]"
    send "ReLink ${links[link]}"
  else
    down[link]=1
    send "Unlink ${links[link]}"
  fi
  sync_console
}
