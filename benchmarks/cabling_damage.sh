#!/usr/bin/env bash
# Does compare_fabric report each injected fault with one statement, and how long does it take? Prints one row per fabric.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: cabling_damage.sh [--bin DIR]

Exchanges and takes out cables of made-up and saved real fabrics, forgets the names of all switches, and prints how many faults are named by how
many statements, and milliseconds of processor time a comparison. Then compares the moves with the fewest of all sequences of moves, for each of the
140,152 ways to cable twelve ports against six planned cables (half a minute). DIR has test_operations (default: build-dev/bin beside this script's folder).
Saved fabrics are those of the folder PSSP_FABRICS_DIR, or shared/fabrics beside the repository; they are left out where there are none.

Exit codes: 0 all faults are named and nothing else, 1 not, 2 usage.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build-dev/bin
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=${2:?--bin needs a folder} && shift 2 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ -x $bin/test_operations ]] || { usage >&2 && exit 2; }
"$bin/test_operations" '[.table],[.slow]' || exit 1
