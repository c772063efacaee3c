#!/usr/bin/env bash
# compare_engines with the real programs. The test compares its report with eval_lft on the tables that it wrote, and with
# opensm's log, which the test parses independently.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"

[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip "this build has no plugin"
mesh 4 4 >"$scratch/mesh.net"
eval_lft=$PSSP_BUILD_DIR/bin/eval_lft
compare() { expect "$1" '' "$PSSP_BUILD_DIR/bin/compare_engines" "${@:2}"; }
of() { jq -r --arg engine "$1" ".engines[] | select(.engine == \$engine) | $2" "$scratch/all.json"; }

compare 0 "$scratch/mesh.net" --engines minhop,updn,ftree,lash,torus-2QoS,meshdor,pssp:max_extra_hops=1 --patterns 400 --seed 5 \
  --out "$scratch/all" --json-file "$scratch/all.json" --csv "$scratch/all.csv" --plot "$scratch/all.svg"
cp "$scratch/stdout" "$scratch/all.txt"
same() { [[ $2 == "$3" ]] || fail "$1: $2, expected $3"; }
said stdout '^engine +bandwidth +95 % interval +S +shifts +leaf pairs +jobs 16 +jobs 64 +one server +all servers +index +bound +hops +longest +lanes +credit loop +routing ms +MiB$'
said stdout '^ftree +refused$'
said stdout '^Use .*structured traffic S [0-9.]+'

# Every number of the table must follow from the files.
for engine in minhop updn lash torus-2QoS meshdor pssp:max_extra_hops=1; do
  dir=$scratch/all/${engine/:/_}
  same "engine of $engine" "$(sed -n 's/.*-> osm_ucast_mgr_process: \(.*\) tables configured.*/\1/p' "$dir/opensm.log")" "${engine%%:*}"
  expect 0 '' "$eval_lft" --structured-suite --json --patterns 400 --seed 5 "$dir/routing.lft" "$scratch/mesh.net"
  own='[.ebb.mean, .ebb.interval_95[0], .ebb.interval_95[1], .edge_forwarding_index.max, .hops.mean, .hops.max, .credit_loop, .usable] | @tsv'
  same "numbers of $engine" "$(of "$engine" "$own")" "$(jq -r "$own" "$scratch/stdout")"
  structured='.structured_suite.S, .structured_suite.score'
  same "structured traffic of $engine" "$(of "$engine" "$structured")" "$(jq -r "$structured" "$scratch/stdout")"
  same "shifts of $engine" "$(of "$engine" .structured_suite.times.shifts)" "$(jq -r '.structured_suite.patterns[0].time' "$scratch/stdout")"
  # Timestamps are whole microseconds; awk rounds to tenths of a millisecond, halves upwards.
  span=$(sed -n 's/^[A-Z][a-z]* [0-9 ]* [0-9]*:\([0-9]*\):\([0-9]*\) \([0-9]*\) .*\(building routing with\|tables configured on all\).*/\1 \2 \3/p' \
    "$dir/opensm.log" | awk '{ at[NR] = ($1 * 60 + $2) * 1e6 + $3 } END { printf "%d\n", int(((at[NR] - at[1] + 3600e6) % 3600e6 + 50) / 100) * 100 }')
  same "routing time of $engine" "$(of "$engine" '.routing_ms * 1000 | round')" "$span"
  (($(of "$engine" .peak_memory_kib) > 2000)) || fail "opensm with $engine took $(of "$engine" .peak_memory_kib) KiB"
done
same 'lanes of lash' "$(of lash .lanes)" "$(sed -n 's/.*Lanes needed: \([0-9]*\),.*/\1/p' "$scratch/all/lash/opensm.log")"
same 'max_extra_hops' "$(sed -n 's/^event_plugin_options //p' "$scratch/all/pssp_max_extra_hops=1/opensm.conf")" 'budget.seconds=86400 background=off max_extra_hops=1'

# A mesh has no top level: one switch in the middle is the root, and updn is deadlock-free.
same 'roots' "$(wc -l <"$scratch/all/roots.txt")" 1
same 'credit loop of updn' "$(of updn .credit_loop)" false
same 'torus.conf' "$(head -n 1 "$scratch/all/torus.conf")" 'torus 4M 4M 1M'

# Refusals contain opensm's log message.
same 'state of ftree' "$(of ftree .state)" refused
grep -qF -- "$(of ftree '.reasons[0]')" "$scratch/all/ftree/opensm.log" || fail "opensm never said '$(of ftree '.reasons[0]')'"
same 'bandwidth of ftree' "$(of ftree '.ebb // "none"')" none

# With several LIDs per host the LIDs in the file do not matter, and both ways of scoring are those of eval_lft.
expect 0 '' "$PSSP_BUILD_DIR/bin/make_topo" xgft 3,3 1,2 --lids -o "$scratch/small.net"
compare 0 "$scratch/small.net" --engines minhop,pssp --lmc 1 --patterns 300 --out "$scratch/lmc" --json-file "$scratch/lmc.json"
said stdout '^engine .* +jobs 64 +one server +all servers +all LIDs +S all +index'
said stdout 'Flows striped over 2 LIDs per host get [0-9.]+ \(S [0-9.]+\)'
for engine in minhop pssp; do
  expect 0 '' "$eval_lft" --structured-suite --json --patterns 300 --lids all "$scratch/lmc/$engine/routing.lft" "$scratch/lmc/topology.net"
  same "striped flows of $engine" "$(jq -r --arg engine "$engine" '.engines[] | select(.engine == $engine) | [.all_lids.ebb.mean, .all_lids.S] | @tsv' "$scratch/lmc.json")" \
    "$(jq -r '[.ebb.mean, .structured_suite.S] | @tsv' "$scratch/stdout")"
done

# Applications: the times are those of simulate_application on the tables that were written. Applications that cannot be simulated
# are reported first.
"$PSSP_BUILD_DIR/bin/simulate_application" --network loggp -a allreduce:ring,64KiB --ranks 6 --write-goal "$scratch/ring.goal" >/dev/null
compare 0 "$scratch/small.net" --engines minhop,pssp --patterns 50 --application alltoall:pairwise,64KiB --ranks 8 \
  --application "$scratch/ring.goal" --out "$scratch/apps" --json-file "$scratch/apps.json" --csv "$scratch/apps.csv"
said stdout '^engine .* +alltoall:pairwise,64KiB +.*ring.goal +index'
said stdout '^pssp .* +x[0-9.]+ +x[0-9.]+ '
for engine in minhop pssp; do
  expect 0 '' "$PSSP_BUILD_DIR/bin/simulate_application" --json -a alltoall:pairwise,64KiB --ranks 8 "$scratch/apps/$engine/routing.lft" "$scratch/small.net"
  same "application with $engine" "$(jq -r --arg engine "$engine" '.engines[] | select(.engine == $engine) | .applications[0] | [.time_ns, .ratio] | @tsv' "$scratch/apps.json")" \
    "$(jq -r '.runs[0] | [.time_ns, .ratio] | @tsv' "$scratch/stdout")"
done
same 'applications in CSV' "$(head -n 1 "$scratch/apps.csv" | grep -o '"alltoall:pairwise,64KiB",.*')" "\"alltoall:pairwise,64KiB\",$scratch/ring.goal"
compare 2 "$scratch/small.net" --engines minhop --application alltoall:pairwise,64KiB --ranks 10 --out "$scratch/many"
said stderr 'the application has 10 ranks, but there are only 9 hosts'
[[ ! -e $scratch/many/minhop ]] || fail 'an engine was tried before the application was known to be wrong'
compare 2 "$scratch/small.net" --ranks 8

# Several LMCs: each row is the same as in a comparison with only that LMC.
compare 0 "$scratch/small.net" --engines minhop,pssp --lmc 1,0 --patterns 300 --out "$scratch/lmcs" --json-file "$scratch/lmcs.json"
said stdout '^engine +lmc +bandwidth .* +all LIDs +S all +index'
said stdout '; lmc 1 in opensm.conf would give [0-9.]+ \([0-9.]+ % (more|less)\), S [0-9.]+.* at the price of 23 LIDs instead of 14 '
expect_same "$scratch/lmcs/lmc-1/pssp/routing.lft" "$scratch/lmc/pssp/routing.lft" 'tables with LMC 1, whatever else is tried'
rows='[.engines[] | select(.lmc == 1) | [.engine, .ebb.mean, .structured_suite.S, .all_lids.ebb.mean]]'
same 'rows of LMC 1' "$(jq -c "$rows" "$scratch/lmcs.json")" "$(jq -c "${rows/.lmc == 1/true}" "$scratch/lmc.json")"
same 'LMCs' "$(jq -c '[.lmcs, [.engines[].lmc], .lid_advice.offers[1].lids]' "$scratch/lmcs.json")" '[[0,1],[0,1,0,1],23]'

# The recommended engine is deadlock-free, and neither the engine with the highest score nor minhop is better by the paired test.
chosen=$(jq -r .recommendation.engine "$scratch/all.json")
[[ $(of "$chosen" '.credit_loop == false or .lanes <= 8') == true ]] || fail "$chosen can deadlock"
best=$(jq -r '[.engines[] | select(.usable and (.credit_loop == false or .name == "lash"))] | max_by(.structured_suite.score).engine' "$scratch/all.json")
for engine in minhop "$best"; do
  [[ $engine != "$chosen" ]] || continue
  expect 0 '' "$eval_lft" --json --patterns 400 --seed 5 --no-credit-loops "$scratch/all/$chosen/routing.lft" "$scratch/mesh.net" \
    --compare "$scratch/all/$engine/routing.lft"
  difference=$(jq '.tables[1].difference' "$scratch/stdout")
  jq -e '.mean < 0 or .p > 0.05' <<<"$difference" >/dev/null || fail "$engine is better than $chosen: $difference"
done

# The other output formats have the same values.
same 'lines of CSV' "$(wc -l <"$scratch/all.csv")" 8
same 'minhop in CSV' "$(sed -n 's/^minhop,opensm,routed,\([0-9.]*\),.*/\1/p' "$scratch/all.csv")" "$(of minhop .ebb.mean)"
grep -q '</svg>' "$scratch/all.svg" || fail 'no picture'
for name in minhop ftree refused; do grep -q ">$name<" "$scratch/all.svg" || fail "no $name in the picture"; done
same 'report.txt' "$(<"$scratch/all/report.txt")" "$(<"$scratch/all.txt")"
nothing_runs || fail 'something still runs'

# No engine routes the fabric.
compare 5 "$scratch/mesh.net" --engines ftree --out "$scratch/none" --json
same 'recommendation' "$(jq -r .recommendation.engine "$scratch/stdout")" null

# Timeout, and interruption during a routing that ignores signals.
"$PSSP_BUILD_DIR/bin/make_topo" hypercube 8 -o "$scratch/cube.net" 2>/dev/null
compare 5 "$scratch/cube.net" --engines lash --timeout 1 --out "$scratch/cut"
said stdout '^lash: cut off: .* did not finish within 1 s'
nothing_runs || fail 'an engine that was cut off still runs'
set -m
"$PSSP_BUILD_DIR/bin/compare_engines" "$scratch/cube.net" --engines lash --out "$scratch/late" >/dev/null 2>&1 &
run=$!
is_routing() { grep -qs "building routing with 'lash'" "$scratch/late/lash/opensm.log"; }
eventually is_routing
kill -INT "$run"
status=0
wait "$run" 2>/dev/null || status=$?
same 'status after SIGINT' "$status" 130
eventually nothing_runs

# Wrong usage.
compare 2
compare 2 "$scratch/mesh.net" --no-such-option
compare 2 "$scratch/mesh.net" --engines 'minhop,min hop'
compare 2 "$scratch/mesh.net" --engines minhop,minhop
compare 2 "$scratch/mesh.net" --engines pssp:max_extra_hops
compare 2 "$scratch/mesh.net" --lanes 0
for wrong in 8 0,1,1 '0,' ,1 0,x ''; do compare 2 "$scratch/mesh.net" --lmc "$wrong"; done
compare 2 "$scratch/mesh.net" --timeout 0
compare 2 "$scratch/mesh.net" --plot picture.pdf
compare 3 "$scratch/missing.net"
printf 'no topology\n' >"$scratch/garbled.net"
compare 3 "$scratch/garbled.net" --engines minhop --out "$scratch/garbled"
said stderr 'this is not a topology: it looks like text of an unknown format'
compare 8 "$scratch/mesh.net" --engines minhop --patterns 10 --out "$scratch/all" --csv "$scratch/no/such/folder.csv"
