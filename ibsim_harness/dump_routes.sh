#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "$0")")/simulation.sh"

usage() {
  cat <<'EOF'
usage: dump_routes.sh > routing.lft

Prints the forwarding tables of all switches of the instance in the format of
dump_fts. dump_fts 44.0 omits the last LID if it is a multiple of 64; the script
then reads the entries of this LID from the switches, adds them, and prints a
note on standard error.

  -h, --help    print this text
  --version     print the version

PSSP_INSTANCE   name of the instance (default: default)

Exit codes: 0 success, 2 usage, 20 a program is missing, 21 no instance, or a
switch did not answer.
EOF
}

take_no_arguments "$@"

dir=$(instance_dir)
require_instance "$dir"
own_children
dump_tables "$dir" "$dir/routing.lft"
cat "$dir/routing.lft"
