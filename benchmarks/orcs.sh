# shellcheck shell=bash
# What the benchmarks that run ORCS share. Sourced. Says "skipped" and ends where PSSP_ORCS does not name the program.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/dry_runs.sh"

require_orcs() {
  if [[ -z ${PSSP_ORCS:-} ]]; then
    echo 'skipped: PSSP_ORCS does not name the program orcs'
    exit 0
  fi
  # ORCS is an MPI program, and Open MPI warns off root.
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  eval_lft=$PSSP_BUILD_DIR/bin/eval_lft
}

# prepare WORD...: a fabric as make_topo makes it, with pssp's tables, as $scratch/topo.net, topo.lft and as the graph topo.dot, which both programs
# read. Sets hosts.
prepare() {
  make_fabric "$scratch/topo.net" "$@"
  "$PSSP_BUILD_DIR/bin/route_lft" --engine pssp "$scratch/topo.net" -o "$scratch/topo.lft" 2>/dev/null
  # shellcheck disable=SC2034 # for the scripts that source this
  hosts=$("$eval_lft" --json --num-runs 1 --metric get_cable_cong --ptrn ring --cable-graph "$scratch/cables.dot" \
    "$scratch/topo.lft" "$scratch/topo.net" | jq .hosts)
  # ORCS parses the text beyond its end unless there is a NUL.
  { cat "$scratch/cables.dot" && printf '\0'; } >"$scratch/topo.dot"
}
