#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: start_ibsim.sh TOPO
       start_ibsim.sh --stop

Starts ibsim in the background with the fabric in TOPO (output of ibnetdiscover
or an ibsim net file), and returns when clients can attach. Then route the fabric
with start_osm.sh, and print its tables with dump_routes.sh.

  --stop        stop ibsim and opensm of the instance, as stop_ibsim.sh does
  -h, --help    print this text
  --version     print the version

PSSP_INSTANCE   name of the instance (default: default); instances with different
                names can run at the same time
SIM_HOST        identifier of the adapter that clients attach to (default: the
                first of the largest island)

Exit codes: 0 success, 2 usage, 3 unreadable topology, 8 the folder of the
instance cannot be created, 20 a program is missing, 21 ibsim failed.
EOF
}

# Starts a command that survives this script and its shell. It ignores Ctrl-C, as all background commands of a bash script do.
start_detached() {
  nohup "$@" </dev/null &
  child_pid=$!
}

topology=
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
    --stop) exec "$harness_dir/stop_ibsim.sh" ;;
    --)
      topology=$(as_operand "${2:-}")
      break
      ;;
    -*) die "$exit_usage" "unknown option '$1'; see --help" ;;
    *)
      [[ -z $topology ]] || die "$exit_usage" "expected one topology, got '$topology' and '$1'"
      topology=$1
      ;;
  esac
  shift
done
[[ -n $topology ]] || die "$exit_usage" "expected a topology: start_ibsim.sh TOPO; see --help"

dir=$(instance_dir)
if instance_is_up "$dir"; then
  die "$exit_usage" "instance '${PSSP_INSTANCE:-default}' is already running;" \
    "stop it with stop_ibsim.sh, or start another with PSSP_INSTANCE=name"
fi
stop_simulation "$dir"
rm -rf "${dir:?}"/*
trap 'stop_simulation "$dir"' EXIT
start_simulation "$dir" "$topology" start_detached
trap - EXIT
print_line "ibsim simulates $topology ($(<"$dir/state/size") nodes); clients attach at $(<"$dir/state/host");" \
  "instance ${PSSP_INSTANCE:-default} in $dir"
