#!/usr/bin/env bash
# The stock opensm routes with our plugin if its configuration has only the lines of osm_plugin/opensm.conf.pssp, both unchanged
# and with the commented lines enabled.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../osm_plugin/common.sh"
skip_without opensm ibsim
lines=$PSSP_SOURCE_DIR/osm_plugin/opensm.conf.pssp
cd "$scratch"
make_tree 4 2 3 2 >tree.net

# route_with NAME LINES: runs one sweep of opensm without -R, in NAME.
route_with() {
  local dir=$scratch/$1 command=() word skipped=0
  simulate "$dir" tree.net
  write_opensm_conf "$dir" minhop '' "$2"
  prepare_opensm "$dir" best once
  for word in "${opensm_command[@]}"; do
    # -R would override the engine of the file.
    if [[ $word == -R ]]; then
      skipped=1
    elif ((skipped == 1)); then
      skipped=2
    else
      command+=("$word")
    fi
  done
  run_child 120 "${command[@]}" >"$dir/opensm.out" 2>&1 || fail "opensm ended with status $?: $(tail_of "$dir/opensm.out")"
  stop_simulation "$dir"
  subnet_is_up "$dir" || fail "no subnet: $(tail_of "$dir/opensm.log")"
  grep -q '^routing: engine=best ' < <(plugin_lines "$dir") || fail "best did not route: $(tail_of "$dir/opensm.log")"
  if grep -iE 'unrecognized|invalid option|unknown option' "$dir/opensm.out" "$dir/opensm.log"; then fail "opensm does not know a line"; fi
}

route_with plain "$lines"
sed 's/^#\([a-z]\)/\1/' "$lines" >all_lines
check_differ() { expect_different "$1" "$2" "$1 has nothing commented out"; }
check_differ "$lines" all_lines
route_with whole all_lines
