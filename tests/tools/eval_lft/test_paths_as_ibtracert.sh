#!/usr/bin/env bash
# eval_lft prints the same paths as ibtracert on a fabric that ibsim simulates and opensm routes: the same ports and LIDs on each
# link.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
harness=$PSSP_SOURCE_DIR/ibsim_harness
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
skip_without ibsim ibsim-run ibtracert ibnetdiscover opensm dump_fts

export TMPDIR=$scratch PSSP_INSTANCE=ibtracert
cleanup() {
  "$harness/stop_ibsim.sh" >/dev/null 2>&1 || true
  clean_up
}
trap cleanup EXIT

"$bin/make_topo" chic --kill-links 20 --seed 7 -o "$scratch/topo.net" 2>/dev/null
"$harness/start_ibsim.sh" "$scratch/topo.net" >/dev/null
"$harness/start_osm.sh" updn >/dev/null
"$harness/dump_routes.sh" >"$scratch/routing.lft"

instance=$scratch/pssp-ibsim-$(id -u)/$PSSP_INSTANCE
in_simulation=(env -u LD_PRELOAD "IBSIM_SOCKNAME=$(<"$instance/state/socket")" "SIM_HOST=$(<"$instance/state/host")" ibsim-run)
"${in_simulation[@]}" ibnetdiscover >"$scratch/topo.ibnetdiscover" 2>/dev/null

# LIDs of hosts that are far apart.
mapfile -t lids < <(sed -n 's/^\[1\](.*# lid \([0-9]*\) .*/\1/p' "$scratch/topo.ibnetdiscover" | awk 'NR % 37 == 0')
((${#lids[@]} >= 10)) || fail "found ${#lids[@]} LIDs of hosts only"

# Print output port, input port and LID of each link.
links_of_ibtracert() { sed -n 's/^\[\([0-9]*\)\] -> .*}\[\([0-9]*\)\] lid \([0-9]*\)-.*/\1 \2 \3/p' "$1"; }
links_of_eval_lft() { sed -n 's/^  .*\[\([0-9]*\)\] *-> .*\[\([0-9]*\)\] *\([0-9]\{1,5\}\) .*/\1 \2 \3/p' "$1"; }

for ((i = 0; i + 1 < ${#lids[@]}; i++)); do
  from=${lids[i]} to=${lids[i + 1]}
  "${in_simulation[@]}" ibtracert "$from" "$to" >"$scratch/theirs.txt" 2>/dev/null || fail "ibtracert $from $to"
  "$bin/eval_lft" "$scratch/routing.lft" "$scratch/topo.ibnetdiscover" --path "lid:$from" "lid:$to" >"$scratch/ours.txt" ||
    fail "eval_lft --path lid:$from lid:$to"
  links_of_ibtracert "$scratch/theirs.txt" >"$scratch/theirs.links"
  links_of_eval_lft "$scratch/ours.txt" >"$scratch/ours.links"
  [[ -s $scratch/theirs.links ]] || fail "ibtracert $from $to shows no link: $(<"$scratch/theirs.txt")"
  same_bytes "$scratch/theirs.links" "$scratch/ours.links" ||
    fail "ibtracert and eval_lft differ from lid $from to lid $to:"$'\n'"$(<"$scratch/theirs.txt")"$'\n'"$(<"$scratch/ours.txt")"
done
echo "$((${#lids[@]} - 1)) paths are those of ibtracert"
