#!/usr/bin/env bash
# eval_lft on 1, 2 and 16 threads: the same bytes, whatever is asked. And what is asked in vain.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 3 3 --lmc 1 --kill-links 3 --lids -o t.net 2>/dev/null
for engine in best heal; do "$bin/route_lft" -e "$engine" t.net -o "$engine.lft" 2>/dev/null; done

# same_on_all NAME ARGUMENT...
same_on_all() {
  local threads
  for threads in 1 2 16; do
    "$bin/eval_lft" -j "$threads" "${@:2}" >"$threads.txt" 2>&1 || fail "$1, $threads threads: $(cat "$threads.txt")"
    expect_same 1.txt "$threads.txt"
  done
}
same_on_all report best.lft t.net -n 101 --portfolio --lids all
same_on_all JSON best.lft t.net -n 101 --portfolio --json --lanes
same_on_all comparison best.lft t.net -n 101 --compare heal.lft --portfolio
same_on_all pattern heal.lft t.net -p rand --num-runs 5 --lids all

# More LIDs than any host has: those that there are.
"$bin/eval_lft" best.lft t.net -n 101 --json --lids all >all.txt 2>&1
"$bin/eval_lft" best.lft t.net -n 101 --json --lids 3 >3.txt 2>&1
expect_same all.txt 3.txt

# A weight out of range, and of an engine that has none.
expect 2 'structured_weight=2001.*0 .. 2000' "$bin/route_lft" -e best --set best.structured_weight=2001 t.net -o no.lft
expect 2 "'pssp.structured_weight' is unknown" "$bin/route_lft" -e pssp --set pssp.structured_weight=100 t.net -o no.lft
