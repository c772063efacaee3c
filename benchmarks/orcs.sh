# shellcheck shell=bash
# Functions that the benchmarks with ORCS share. Sourced. Prints "skipped" and ends the script if PSSP_ORCS is not set.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/dry_runs.sh"

require_orcs() {
  if [[ -z ${PSSP_ORCS:-} ]]; then
    echo 'skipped: PSSP_ORCS is not set to the path of the program orcs'
    exit 0
  fi
  # ORCS is an MPI program, and Open MPI refuses to run as root by default.
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  eval_lft=$PSSP_BUILD_DIR/bin/eval_lft
}

# prepare WORD...: generates a fabric with make_topo and routes it with pssp. Writes $scratch/topo.net, topo.lft and the graph
# topo.dot, which both programs read. Sets hosts.
prepare() {
  make_fabric "$scratch/topo.net" "$@"
  "$PSSP_BUILD_DIR/bin/route_lft" --engine pssp "$scratch/topo.net" -o "$scratch/topo.lft" 2>/dev/null
  # shellcheck disable=SC2034 # for the scripts that source this
  hosts=$("$eval_lft" --json --num-runs 1 --metric get_cable_cong --ptrn ring --cable-graph "$scratch/cables.dot" \
    "$scratch/topo.lft" "$scratch/topo.net" | jq .hosts)
  # ORCS reads beyond the end of the text unless it ends in a NUL byte.
  { cat "$scratch/cables.dot" && printf '\0'; } >"$scratch/topo.dot"
}
