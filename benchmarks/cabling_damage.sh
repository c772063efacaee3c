#!/usr/bin/env bash
# Tests whether compare_fabric reports each injected fault with one statement, and measures its time. Prints one row per fabric.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: cabling_damage.sh [--bin DIR]

Swaps and removes cables of generated and saved real fabrics, and removes the names of all switches. Prints the number of injected faults, the number
of statements that report them, and the processor time of a comparison in milliseconds. Then compares the proposed moves with the shortest possible
sequence of moves, for each of the 140,152 ways to cable twelve ports against six planned cables (half a minute).
DIR contains test_operations (default: build-dev/bin beside this script's folder). Saved fabrics are in the folder PSSP_FABRICS_DIR, or in shared/fabrics
beside the repository; if there are none, they are skipped.

Exit codes: 0 all faults are reported and nothing else, 1 otherwise, 2 usage.
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
