#!/usr/bin/env bash
# simulate_fabric under mpirun: identical output for any number of processes, and one message for each error.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/kit/processes.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/processes.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
skip_unless_joining "$bin/simulate_fabric"

"$bin/make_topo" k-ary-n-tree 4 2 --lids --rate 4xQDR -o t.net 2>/dev/null
"$bin/route_lft" -e pssp t.net -o a.lft 2>/dev/null
"$bin/route_lft" -e dmodk t.net -o b.lft 2>/dev/null
same_everywhere() { same_in_processes "$1" "$bin/simulate_fabric" "${@:2}" -j 2; }
# Seeds and a grid: 3 x 5 runs cannot be divided evenly between 2 processes.
same_everywhere 'a grid' a.lft t.net --incast 5 --time 200us --seeds 3 --cc off --cc thesis-mesh --cc-vary Threshold=1,8 \
  --cc-vary CCTI_Timer=20us,250us --csv OUT.csv --json --series OUT.series
same_everywhere 'tables, fewer runs than processes' a.lft t.net --compare b.lft --bisect --bytes 16KiB
same_everywhere precision a.lft t.net --uniform --time 100us --until-precision 0.02 --json
same_everywhere changes a.lft t.net --bisect --bytes 64KiB --seeds 5 --then 5us t.net b.lft --spread-over 20us --json
same_everywhere scenario --scenario thesis-a --time 2ms --seeds 2 -o OUT.report

in_ranks 3 0 "'$bin/simulate_fabric' a.lft missing.net --uniform"
[ "$code" -eq 3 ] || fail "a missing file: exit code $code, expected 3: $(cat out.txt err.txt)"
[ "$(grep -c 'missing.net' err.txt)" -eq 1 ] || fail "a missing file is not reported once: $(cat err.txt)"

cp a.lft 0.lft
echo 'duration 100us; uniform all -> all' >0.traffic
cp b.lft 1.lft
echo 'duration 101us; uniform all -> all' >1.traffic
differ_in_processes tables "'$bin/simulate_fabric' \$odd.lft t.net --uniform --time 100us"
differ_in_processes traffic "'$bin/simulate_fabric' a.lft t.net --traffic \$odd.traffic"
differ_in_processes options "'$bin/simulate_fabric' a.lft t.net --uniform --time 100us --seed \$odd"
differ_in_processes options "'$bin/simulate_fabric' a.lft t.net --uniform --time 100us --buffer \$((200 + odd))"
differ_in_processes options "'$bin/simulate_fabric' a.lft t.net --uniform --time 100us --then \$((odd + 1))us t.net b.lft"
differ_in_processes options "if [ \$odd = 1 ]; then '$bin/simulate_fabric' --version >/dev/null; else '$bin/simulate_fabric' a.lft t.net --uniform --time 100us; fi"
rm 1.lft
fails_in_one 3 "1.lft: " "'$bin/simulate_fabric' \$odd.lft t.net --uniform --time 100us"
cannot_write "'$bin/simulate_fabric' a.lft t.net --uniform --time 100us -o /dev/full"
lacks_memory_in_one "'$bin/simulate_fabric' a.lft \$odd.net --uniform --time 100us"
[ "$(mpirun --oversubscribe -n 3 "$bin/simulate_fabric" --version 2>/dev/null | grep -c simulate_fabric)" -eq 1 ] || fail 'version printed more than once'
