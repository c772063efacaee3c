#!/usr/bin/env bash
# tune_cc under mpirun: the same parameters and report for any number of processes.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/kit/processes.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/processes.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
skip_unless_joining "$bin/tune_cc"

"$bin/make_topo" k-ary-n-tree 4 2 --lids --rate 4xQDR -o t.net 2>/dev/null
"$bin/route_lft" -e pssp t.net -o a.lft 2>/dev/null
cat >hotspot.traffic <<'END'
duration 400us ; warmup 50us ; sample 10us
flow {H00001, H00004, H00005, H00008, H00009, H00012, H00013} -> H00000
uniform others -> all
END
same_in_processes 'a search' "$bin/tune_cc" a.lft t.net --traffic hotspot.traffic --budget 40 -j 2 -o OUT.cc --report OUT.report --resume OUT.csv
same_in_processes 'a search as JSON' "$bin/tune_cc" a.lft t.net --traffic hotspot.traffic --objective worst-flow --budget 30 --json
# A time budget is converted to one number of runs for all processes.
check mpirun --oversubscribe -n 2 "$bin/tune_cc" a.lft t.net --traffic hotspot.traffic --budget 1s -j 1

in_ranks 3 0 "'$bin/tune_cc' a.lft t.net --traffic missing.traffic"
[ "$code" -eq 3 ] || fail "a missing file: exit code $code, expected 3: $(cat out.txt err.txt)"
[ "$(grep -c 'missing.traffic' err.txt)" -eq 1 ] || fail "a missing file is not reported once: $(cat err.txt)"
differ_in_processes options "'$bin/tune_cc' a.lft t.net --traffic hotspot.traffic --budget \$((30 + odd))"
differ_in_processes options "if [ \$odd = 1 ]; then '$bin/tune_cc' --version >/dev/null; else '$bin/tune_cc' a.lft t.net --traffic hotspot.traffic --budget 30; fi"
cp hotspot.traffic 0.traffic
fails_in_one 3 "1.traffic: " "'$bin/tune_cc' a.lft t.net --traffic \$odd.traffic --budget 30"
cannot_write "'$bin/tune_cc' a.lft t.net --traffic hotspot.traffic --budget 30 -o /dev/full"
lacks_memory_in_one "'$bin/tune_cc' a.lft \$odd.net --traffic hotspot.traffic --budget 30"
