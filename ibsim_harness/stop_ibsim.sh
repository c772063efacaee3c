#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: stop_ibsim.sh

Ends the instance that start_ibsim.sh started: its ibsim, and an opensm that
start_osm.sh --stay left running. Nothing to end is no error. The logs stay
until the instance is started again.

PSSP_INSTANCE   name of the instance (default: default)

Exit codes: 0 done, 2 usage, 8 no place for the instance.
EOF
}

take_no_arguments "$@"

stop_simulation "$(instance_dir)"
