#!/usr/bin/env bash
# To the main job in one command: the stock opensm routes a simulated fabric with each engine, and the tables are compared. Programs and
# plugin are those of installed packages, or of packages in dist/, or are built.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=demo_parts.sh
. "$here/demo_parts.sh"

usage() {
  cat <<'EOT'
usage: demo.sh [--small] [options of dry_run]

Lets the stock opensm route a simulated fabric of 528 hosts with five engines,
and compares the tables. Programs and plugin are those of the installed
packages of this version; else packages in dist/ (make_packages.sh makes them)
are installed; else what is missing for building is installed, and what the
comparison needs is built (cmake --preset default && cmake --build --preset
default builds the rest, and lists what it leaves out for a missing library).
What is used is said.

  --small       a tree of 16 hosts
  -h, --help    this text; dry_run --help has the other options

PSSP_BUILD_DIR  a build to use as it is; nothing is installed or built then

Exit codes: those of dry_run; 1 something could not be installed or built.
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
provide 'pssp-tools opensm-plugin-pssp' '' 'dry_run eval_lft make_topo osmpssp'
((small)) || exec env PSSP_BUILD_DIR="$build" "$build/bin/dry_run" "$@"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/make_topo" k-ary-n-tree 4 2 -o "$work/tree.net" 2>"$work/said" || {
  cat "$work/said" >&2
  exit 1
}
PSSP_BUILD_DIR=$build "$build/bin/dry_run" --topo "$work/tree.net" "$@"
