#!/usr/bin/env bash
# Paths that eval_lft shows are those that ibtracert finds on the same fabric, played by ibsim and routed by opensm: the
# same ports and LIDs, link by link.
# usage: ibtracert_test.sh SOURCE_FOLDER FOLDER_OF_THE_TOOLS
set -euo pipefail
harness=$2/ibsim_harness
bin=$1/bin
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
for tool in ibsim ibsim-run ibtracert ibnetdiscover opensm dump_fts; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed"
    exit 77
  fi
done

scratch=$(mktemp -d)
export TMPDIR=$scratch PSSP_INSTANCE=ibtracert
cleanup() {
  "$harness/stop_ibsim.sh" >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap cleanup EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

"$bin/make_topo" chic --kill-links 20 --seed 7 -o "$scratch/topo.net" 2>/dev/null
"$harness/start_ibsim.sh" "$scratch/topo.net" >/dev/null
"$harness/start_osm.sh" updn >/dev/null
"$harness/dump_routes.sh" >"$scratch/routing.lft"

instance=$scratch/pssp-ibsim-$(id -u)/$PSSP_INSTANCE
in_simulation=(env -u LD_PRELOAD "IBSIM_SOCKNAME=$(<"$instance/state/socket")" "SIM_HOST=$(<"$instance/state/host")" ibsim-run)
"${in_simulation[@]}" ibnetdiscover >"$scratch/topo.ibnetdiscover" 2>/dev/null

# LIDs of hosts, far apart from each other.
mapfile -t lids < <(sed -n 's/^\[1\](.*# lid \([0-9]*\) .*/\1/p' "$scratch/topo.ibnetdiscover" | awk 'NR % 37 == 0')
((${#lids[@]} >= 10)) || fail "found ${#lids[@]} LIDs of hosts only"

# Out port, in port and LID of each link.
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
  cmp -s "$scratch/theirs.links" "$scratch/ours.links" ||
    fail "ibtracert and eval_lft differ from lid $from to lid $to:"$'\n'"$(<"$scratch/theirs.txt")"$'\n'"$(<"$scratch/ours.txt")"
done
echo "$((${#lids[@]} - 1)) paths are those of ibtracert"
