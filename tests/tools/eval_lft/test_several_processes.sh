#!/usr/bin/env bash
# eval_lft under mpirun: identical output for any number of processes, and one message for each error.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/kit/processes.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/processes.sh"
cd "$scratch"
skip_unless_joining "$bin/eval_lft"

"$bin/make_topo" mesh 5x5 --hosts 2 -o t.net >/dev/null 2>&1 || fail 'make_topo'
"$bin/route_lft" --engine pssp t.net -o a.lft >/dev/null 2>&1 || fail 'route_lft'
"$bin/make_topo" k-ary-n-tree 3 2 --lmc 1 --lids -o lmc.net >/dev/null 2>&1 || fail 'make_topo'
"$bin/route_lft" --engine pssp lmc.net -o lmc.lft >/dev/null 2>&1 || fail 'route_lft'
"$bin/route_lft" --engine meshdor t.net -o b.lft >/dev/null 2>&1 || fail 'route_lft'

# same_everywhere NAME ARGUMENT...: compares the output for several numbers of processes.
same_everywhere() { same_in_processes "$1" "$bin/eval_lft" "${@:2}" --csv OUT.csv; }
same_everywhere report a.lft t.net -n 501 --json
same_everywhere 'structured traffic over all LIDs' lmc.lft lmc.net -n 101 --structured-suite --lids all
same_everywhere 'adaptive routing' a.lft t.net -n 101 --adaptive flow,hash:3,spray
same_everywhere 'adaptive routing of a pattern' t.net --adaptive flow,hash:3,spray --ptrn rand --num-runs 11
same_everywhere precision a.lft t.net --precision 0.005
same_everywhere comparison a.lft t.net -n 201 --compare b.lft
same_everywhere pattern a.lft t.net -p rand --num-runs 11 --metric hist_max_cong --metric sum_max_cong --metric bounds
same_everywhere 'fewer runs than processes' a.lft t.net -p shifts --num-runs 1 --metric dep_max_delay
same_in_processes get_cable_cong "$bin/eval_lft" a.lft t.net -p bruck --num-runs 7 --metric get_cable_cong

in_ranks 3 0 "'$bin/eval_lft' a.lft missing.net"
[ "$code" -eq 3 ] || fail "a missing file: exit code $code, expected 3: $(cat out.txt err.txt)"
[ "$(grep -c 'missing.net' err.txt)" -eq 1 ] || fail "a missing file is not reported once: $(cat err.txt)"
# Processes that read different input report this with their ranks, and print no report.
cp a.lft 0.lft
cp b.lft 1.lft
differ_in_processes tables "'$bin/eval_lft' \$odd.lft t.net -n 10"
differ_in_processes tables "'$bin/eval_lft' a.lft t.net -n 10 --compare \$odd.lft"
differ_in_processes tables "'$bin/eval_lft' \$odd.lft t.net -p rand --num-runs 10"
differ_in_processes options "'$bin/eval_lft' a.lft t.net -n 10 --seed \$odd"
differ_in_processes options "'$bin/eval_lft' a.lft t.net -p rand --num-runs \$((10 + odd))"
cp t.net 0.net
"$bin/make_topo" mesh 5x5 --hosts 2 --kill-links 1 -o 1.net >/dev/null 2>&1 || fail 'make_topo with a dead link'
differ_in_processes topology "'$bin/eval_lft' a.lft \$odd.net -n 10"
differ_in_processes options "if [ \$odd = 1 ]; then '$bin/eval_lft' --version >/dev/null; else '$bin/eval_lft' a.lft t.net -n 10; fi"
# Errors in only one process, before and after collective operations.
mv 1.net missing.net
fails_in_one 3 "1.net: " "'$bin/eval_lft' a.lft \$odd.net -n 10"
cannot_write "'$bin/eval_lft' a.lft t.net -n 10 --csv /dev/full"
lacks_memory_in_one "'$bin/eval_lft' a.lft \$odd.net -n 10"

[ "$(mpirun --oversubscribe -n 3 "$bin/eval_lft" --version 2>/dev/null | grep -c eval_lft)" -eq 1 ] || fail 'version printed more than once'
echo 'one process and several agree'
