#!/usr/bin/env bash
# Demonstrates the main purpose in one command: the stock opensm routes a simulated fabric with several engines, and pssp dry-run
# compares the tables. Uses installed packages or packages in dist/, or builds the programs and the plugin.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/demo_parts.sh
. "$here/scripts/demo_parts.sh"

usage() {
  cat <<'EOT'
usage: demo.sh [--small] [options of pssp dry-run]

Routes a simulated fabric of 528 hosts in the stock opensm with five engines,
and compares the tables. Uses the installed packages of this version, or
installs the packages in dist/ (from scripts/make_packages.sh), or installs the build
dependencies and builds the programs that the comparison needs. Prints which
of these it uses. To build everything: cmake --preset default &&
cmake --build --preset default.

  --small       use a tree of 16 hosts
  -h, --help    print this text; for the other options see pssp dry-run --help

PSSP_BUILD_DIR  existing build to use, without installing or building anything

Exit codes: those of pssp dry-run; 1 installation or build failed.
EOT
}

small=0
case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  --small)
    small=1
    shift
    ;;
esac
provide 'pssp-tools opensm-plugin-pssp' '' 'pssp dry_run eval_lft make_topo osmpssp'
((small)) || exec env PSSP_BUILD_DIR="$build" "$build/bin/pssp" dry-run "$@"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/pssp" make-topo k-ary-n-tree 4 2 -o "$work/tree.net" 2>"$work/said" || {
  cat "$work/said" >&2
  exit 1
}
PSSP_BUILD_DIR=$build "$build/bin/pssp" dry-run "$work/tree.net" "$@"
