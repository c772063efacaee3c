#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: start_osm.sh [options] ENGINE [-- opensm options]

Routes the fabric of the instance that start_ibsim.sh started with the stock
opensm, waits until the subnet is up, and prints the engine that was used. ENGINE
is a name, or a list as for option -R of opensm (meshdor,pssp). Engines that
opensm does not have are loaded from libosmpssp.so of the build or installation.
lash, dfsssp, torus-2QoS and nue run with -Q, nue also with --nue_max_num_vls 8.

  --set NAME=VALUE    option for engines of the plugin (event_plugin_options); repeatable
  --conf FILE         lines to add to opensm.conf
  --stay              leave opensm running as subnet manager; stop it with stop_ibsim.sh
  --timeout SECONDS   give up after SECONDS (default: 120, plus 1 for every 4 nodes)
  -h, --help          print this text
  --version           print the version

PSSP_INSTANCE         name of the instance (default: default)
PSSP_BUILD_DIR        build to load the plugin from (default: the build next to these scripts)

Exit codes: 0 the subnet is up with the requested engine, 2 usage, 3 unreadable
FILE, 5 opensm used another engine (its reason is printed), 20 a program or the
plugin is missing, or opensm did not load the plugin, 21 no instance, or opensm
failed or exceeded the timeout.
EOF
}

engine='' plugin_options='' extra_conf='' mode=once timeout=''
while (($# > 0)); do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --version)
      print_version
      exit 0
      ;;
    --set)
      setting=$(option_value "$1" $# "${2:-}")
      require_setting "$1" "$setting"
      plugin_options+="${plugin_options:+ }$setting"
      shift
      ;;
    --conf)
      extra_conf=$(option_value "$1" $# "${2:-}")
      [[ -f $extra_conf && -r $extra_conf ]] || die "$exit_input" "--conf: cannot read '$extra_conf'"
      shift
      ;;
    --timeout)
      timeout=$(option_value "$1" $# "${2:-}")
      require_number "$1" "$timeout"
      shift
      ;;
    --stay) mode=stay ;;
    --)
      shift
      break
      ;;
    -*) die "$exit_usage" "unknown option '$1'; see --help (put options of opensm after --)" ;;
    *)
      [[ -z $engine ]] || die "$exit_usage" "expected one engine, or a list separated by commas, got '$engine' and '$1'"
      engine=$1
      ;;
  esac
  shift
done
[[ -n $engine ]] || die "$exit_usage" "expected an engine: start_osm.sh ENGINE; see --help"
# Unless it stays, opensm ends after one sweep, which must already use the engine's tables.
[[ $mode == stay || " $plugin_options" == *' background='* ]] || plugin_options+="${plugin_options:+ }background=off"

# Waits until the subnet is up, opensm has ended, or the timeout has expired.
wait_for_subnet() {
  local waited=0
  until subnet_is_up "$dir" || ! is_running "$child_pid" || ((waited++ >= timeout * 10)); do
    sleep 0.1
  done
}

dir=$(instance_dir)
require_instance "$dir"
if recorded_process "$dir/state/opensm.pid" >/dev/null; then
  die "$exit_usage" "opensm is already running in this instance; stop it with stop_ibsim.sh"
fi
timeout=${timeout:-$(default_timeout "$dir")}
write_opensm_conf "$dir" "$engine" "$plugin_options" "$extra_conf"
prepare_opensm "$dir" "$engine" "$mode" "$@"
own_children
if [[ $mode == stay ]]; then
  nohup "${opensm_command[@]}" </dev/null >"$dir/opensm.out" 2>&1 &
  child_pid=$!
  children+=("$child_pid")
  wait_for_subnet
  require_engine "$dir" "$engine"
  forget_child "$child_pid"
  record_process "$child_pid" "$dir/state/opensm.pid"
else
  status=0
  run_child "$timeout" "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 || status=$?
  ((status != 124)) || die "$exit_simulation" \
    "opensm did not finish within $timeout s (see --timeout):"$'\n'"$(reasons_in_log "$dir")"
  ((status == 0)) || die "$exit_simulation" "opensm ended with status $status:"$'\n'"$(tail_of "$dir/opensm.out")"
  require_engine "$dir" "$engine"
fi
plugin_errors "$dir" >&2
plugin_lines "$dir"
printf 'subnet up, engine %s, routing %s ms\n' "$(used_engine "$dir")" "$(routing_milliseconds "$dir")"
