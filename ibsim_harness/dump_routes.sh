#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: dump_routes.sh > routing.lft

Prints the forwarding tables that the switches of the instance hold, in the form
of dump_fts. dump_fts 44.0 leaves out the last LID when it is a multiple of 64;
that one is then asked for by block and put in, and a note on standard error
says so.

  -h, --help    this text
  --version     the version

PSSP_INSTANCE   name of the instance (default: default)

Exit codes: 0 done, 2 usage, 20 a tool is missing, 21 no instance, or a switch
did not answer.
EOF
}

take_no_arguments "$@"

dir=$(instance_dir)
require_instance "$dir"
own_children
dump_tables "$dir" "$dir/routing.lft"
cat "$dir/routing.lft"
