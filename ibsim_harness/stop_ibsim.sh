#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: stop_ibsim.sh

Stops the instance that start_ibsim.sh started: its ibsim, and an opensm that
start_osm.sh --stay left running. Succeeds if neither is running. The logs are
kept until the instance is started again.

PSSP_INSTANCE   name of the instance (default: default)

Exit codes: 0 success, 2 usage, 8 the folder of the instance cannot be created.
EOF
}

take_no_arguments "$@"

stop_simulation "$(instance_dir)"
