#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: start_ibsim.sh TOPO
       start_ibsim.sh --stop

Starts ibsim on the fabric in TOPO (ibnetdiscover output or an ibsim net file),
in the background, with limits as large as the fabric needs, and returns when
clients can attach. start_osm.sh then routes it and dump_routes.sh prints the
tables.

  --stop        end the instance: its ibsim, and an opensm that was told to stay (so does stop_ibsim.sh)
  -h, --help    this text
  --version     the version

PSSP_INSTANCE   name of the instance (default: default); several names run side by side
SIM_HOST        identifier of the adapter at which clients attach (default: the first of the largest island)

Exit codes: 0 done, 2 usage, 3 unreadable topology, 8 no place for the instance,
20 a tool is missing, 21 ibsim failed.
EOF
}

# Survives the shell that ran this script; bash makes it deaf to Ctrl-C as it does with every background command of a
# script.
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
    -*) die "$exit_usage" "unknown option '$1'; --help lists what there is" ;;
    *)
      [[ -z $topology ]] || die "$exit_usage" "one topology at a time: '$topology' and '$1' were given"
      topology=$1
      ;;
  esac
  shift
done
[[ -n $topology ]] || die "$exit_usage" "which fabric? start_ibsim.sh TOPO (--help says more)"

dir=$(instance_dir)
if instance_is_up "$dir"; then
  die "$exit_usage" "instance '${PSSP_INSTANCE:-default}' is running already;" \
    "stop_ibsim.sh ends it, PSSP_INSTANCE=name starts another"
fi
stop_simulation "$dir"
rm -rf "${dir:?}"/*
trap 'stop_simulation "$dir"' EXIT
start_simulation "$dir" "$topology" start_detached
trap - EXIT
say "ibsim plays $topology ($(<"$dir/state/size") nodes); clients attach at $(<"$dir/state/host");" \
  "instance ${PSSP_INSTANCE:-default} in $dir"
