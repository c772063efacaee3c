# shellcheck shell=bash
# Functions that the benchmarks with opensm share. Sourced.
set -euo pipefail

benchmarks_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=ibsim_harness/simulation.sh
. "$benchmarks_dir/../ibsim_harness/simulation.sh"
export PSSP_BUILD_DIR=${PSSP_BUILD_DIR:-$benchmarks_dir/../build}
[[ -x $PSSP_BUILD_DIR/bin/make_topo ]] || {
  echo "${0##*/}: bin/make_topo is not built (searched in $PSSP_BUILD_DIR): run \`cmake --preset default && cmake --build --preset default\`, or set PSSP_BUILD_DIR to your build" >&2
  exit 2
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# make_fabric FILE WORD...: writes the topology that make_topo generates from the words.
make_fabric() {
  "$PSSP_BUILD_DIR/bin/make_topo" "${@:2}" -o "$1" 2>"$scratch/make_topo.err" && return
  cat "$scratch/make_topo.err" >&2
  return 1
}

# take_fabric SPEC: sets topology to the file SPEC, or to the topology that make_topo generates from SPEC.
take_fabric() {
  local words
  topology=$1
  [[ ! -f $1 ]] || return 0
  topology=$scratch/fabric.net
  read -ra words <<<"$1"
  make_fabric "$topology" "${words[@]}"
}

# dry_run ENGINE TOPOLOGY PATTERNS OUT [OPTION...]: writes the report to $scratch/report.json.
dry_run() {
  "$PSSP_BUILD_DIR/bin/dry_run" --json --engine "$1" "$2" --patterns "$3" --out "$4" "${@:5}" \
    >"$scratch/report.json" 2>"$scratch/dry_run.err"
}

# Prints why the last dry run failed: the first error of opensm, or else the last message of dry_run.
reason() {
  { sed -n 's/^    //p' "$scratch/dry_run.err" | grep . || sed -n '$s/^dry_run: //p' "$scratch/dry_run.err"; } | sed -n 1p
}
