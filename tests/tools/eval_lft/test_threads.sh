#!/usr/bin/env bash
# eval_lft with 1, 2 and 16 threads prints identical output for all reports. Wrong arguments are refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 3 3 --lmc 1 --kill-links 3 --lids -o t.net 2>/dev/null
for engine in best heal; do "$bin/route_lft" -e "$engine" t.net -o "$engine.lft" 2>/dev/null; done

# same_on_all NAME ARGUMENT...: compares the output for several numbers of threads.
same_on_all() {
  local threads
  for threads in 1 2 16; do
    "$bin/eval_lft" -j "$threads" "${@:2}" >"$threads.txt" 2>&1 || fail "$1, $threads threads: $(cat "$threads.txt")"
    expect_same 1.txt "$threads.txt"
  done
}
same_on_all report best.lft t.net -n 101 --structured-suite --lids all
same_on_all JSON best.lft t.net -n 101 --structured-suite --json --count-lanes
same_on_all comparison best.lft t.net -n 101 --compare heal.lft --structured-suite
same_on_all 'adaptive routing' best.lft t.net --adaptive flow,hash:3,spray -n 101 --json
same_on_all 'adaptive routing of a pattern' heal.lft t.net --adaptive spray,hash,flow --ptrn rand --num-runs 7
same_on_all 'without tables' t.net --adaptive hash:4 -n 50
same_on_all pattern heal.lft t.net -p rand --num-runs 5 --lids all

# The row of the tables must have the figures of the report and of the pattern.
"$bin/eval_lft" best.lft t.net --adaptive spray -n 101 --json >adaptive.json 2>/dev/null
"$bin/eval_lft" best.lft t.net -n 101 --json >report.json 2>/dev/null
expect_equal 'bandwidth of bisections' "$(jq '.paths[0].mean' adaptive.json)" "$(jq .ebb.mean report.json)"
"$bin/eval_lft" best.lft t.net --adaptive spray --ptrn bruck --num-runs 9 --csv adaptive.csv >stdout 2>&1
"$bin/eval_lft" best.lft t.net --ptrn bruck --num-runs 9 --csv runs.csv >stdout 2>&1
check jq -en "$(sed -n 2p adaptive.csv | cut -d, -f3) - $(awk -F, 'NR > 1 { sum += $5 } END { printf "%.17g", sum / 9 }' runs.csv) | fabs < 1e-12"
expect_equal 'rows' "$(cut -d, -f1 adaptive.csv | paste -sd' ')" 'paths best.lft spray'
expect 2 "'ugal' is not supported" "$bin/eval_lft" best.lft t.net --adaptive ugal
expect 2 'hash:Q' "$bin/eval_lft" t.net --adaptive hash:0
expect 2 'patterns is for' "$bin/eval_lft" t.net --adaptive flow --ptrn rand -n 5
expect 2 'num-runs is for the simulation of a pattern' "$bin/eval_lft" t.net --adaptive flow --num-runs 5
expect 2 'adaptive is for' "$bin/eval_lft" best.lft t.net --adaptive flow --path a b

# A limit above the number of LIDs of all hosts means all LIDs.
"$bin/eval_lft" best.lft t.net -n 101 --json --lids all >all.txt 2>&1
"$bin/eval_lft" best.lft t.net -n 101 --json --lids 3 >3.txt 2>&1
expect_same all.txt 3.txt

# A weight out of range, and a weight of an engine that has none.
expect 2 'structured_weight=2001.*0 .. 2000' "$bin/route_lft" -e best --set best.structured_weight=2001 t.net -o no.lft
expect 2 "option pssp.structured_weight=100: unknown" "$bin/route_lft" -e pssp --set pssp.structured_weight=100 t.net -o no.lft
