#!/usr/bin/env bash
# tune_cc: parameters for a small fabric that cc_params and cc_apply accept, the same for any number of threads, and bad input.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 2 --lids --rate 4xQDR -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
mapfile -t host < <(sed -n 's/^\(Ca\|Hca\)[[:space:]].*"\([^"]*\)".*/\2/p' tree.net)
# Seven hosts send to one host, a victim shares their path, and the others send to all.
{
  echo 'duration 2ms ; warmup 100us ; sample 20us'
  for i in 1 4 5 8 9 12 13; do echo "flow \"${host[i]}\" -> \"${host[0]}\""; done
  echo "victim \"${host[6]}\" -> \"${host[2]}\""
  echo 'uniform others -> all'
} >hotspot.traffic
tune() { expect "$1" "$2" "$bin/tune_cc" "${@:3}"; }

# ---- the parameters, the report, and programs that accept them ----
tune 0 '' tree.lft tree.net --traffic hotspot.traffic --budget 60 -o best.cc --json --report best.json --plot best.svg
expect_line best.cc '^# pssp tune-cc tree.lft tree.net --traffic hotspot.traffic --budget 60$'
expect_line best.cc '^# hold .* 7 contributors'
expect_line best.svg 'Marking_Rate'
# No point touches the frame.
awk -f "$PSSP_SOURCE_DIR/tests/kit/plot_clearance.awk" best.svg best.svg >clearance
awk '$1 < 5 || $2 < 5 || $3 < 5 || $4 < 5 || $5 < 10 { exit 1 } END { if (NR != 1) exit 1 }' clearance || fail "points on the frame: $(<clearance)"
check "$bin/cc_params" check best.cc
check jq -e '.shortlist | length == 4' best.json
check jq -e '[.shortlist[], .off | select(.chosen)] | length == 1' best.json
check jq -e '.runs <= 60 and (.cells | all(.trials | length >= 1))' best.json
if [[ -x $bin/cc_apply ]]; then
  check "$bin/cc_apply" best.cc tree.net --dry-run
fi

# ---- simulate_fabric confirms the results: a file keeps its table, also if the traffic has another one ----
{
  cat hotspot.traffic
  echo 'model cct linear 3'
} >table.traffic
tune 0 '' tree.lft tree.net --traffic table.traffic --vary table.flows=4..60 --vary CCTI_Timer=20us..1ms --budget 40 --objective throughput \
  -o promised.cc --json --report promised.json
# shellcheck disable=SC2016  # $chosen is jq's
check jq -r '(.shortlist[] | select(.chosen)) as $chosen | .cells[] | select(.name == $chosen.name) | .trials[-$chosen.throughput_bytes_per_s.seeds:][]
  | "\(.seed) \(.throughput_bytes_per_s)"' promised.json >promised.txt
first_seed=$(head -n 1 promised.txt | cut -d ' ' -f 1)
expect 0 '' "$bin/simulate_fabric" tree.lft tree.net --traffic table.traffic --cc promised.cc --seed "$first_seed" --seeds "$(wc -l <promised.txt)" --json
jq -r '.runs[] | "\(.seed) \(.throughput_bytes_per_s.mean)"' stdout >found.txt
check test -s found.txt
expect_same promised.txt found.txt
# A profile uses the table of the traffic.
expect 0 '' "$bin/simulate_fabric" tree.lft tree.net --traffic table.traffic --cc thesis-mesh --time 200us --json
check jq -e '.runs[0].cc.parameters["table.flows"] == "3"' stdout

# ---- identical output for any number of threads, and after an interruption ----
for threads in 1 8; do
  "$bin/tune_cc" tree.lft tree.net --traffic hotspot.traffic --budget 60 -j "$threads" -o "$threads.cc" --report "$threads.txt"
done
expect_same 1.cc 8.cc
expect_same 1.txt 8.txt
expect_same 1.cc best.cc
"$bin/tune_cc" tree.lft tree.net --traffic hotspot.traffic --budget 60 -j 2 -o resumed.cc --report resumed.txt --resume kept.csv &
long=$!
# Interrupt the search once trials are stored. On a fast machine the search may have ended already; then it continues from a
# complete file.
eventually test -s kept.csv
kill -TERM "$long" 2>/dev/null || true
status=0
wait "$long" || status=$?
[[ $status == 130 || $status == 0 ]] || fail "status $status of an interrupted search"
if [[ $status == 130 ]]; then
  expect_line resumed.txt 'INTERRUPTED'
  [[ ! -e resumed.cc ]] || fail 'a set of an interrupted search'
fi
tune 0 '' tree.lft tree.net --traffic hotspot.traffic --budget 60 -o resumed.cc --report resumed.txt --resume kept.csv
expect_same 1.cc resumed.cc
expect_same 1.txt resumed.txt
tune 4 'belongs to another search' tree.lft tree.net --traffic hotspot.traffic --budget 61 --resume kept.csv
if grep -qi '^de_DE' < <(locale -a 2>/dev/null); then
  LC_ALL=de_DE.UTF-8 "$bin/tune_cc" tree.lft tree.net --traffic hotspot.traffic --budget 60 -o german.cc --report german.txt
  expect_same 1.cc german.cc
  expect_same 1.txt german.txt
fi

# ---- traffic without congestion: recommends off, with the reason ----
tune 0 'recommended: off: ' tree.lft tree.net -p shift:1 --bytes 64KiB --guard --budget 30 -o off.cc
check "$bin/cc_params" diff off off.cc
expect_line off.cc '^# recommended: off: '

# ---- limits of OpenSM and of adapters, other objectives, several traffic files ----
tune 0 '' tree.lft tree.net --traffic hotspot.traffic --opensm --keep CCTI_Increase=2 --budget 30 -o opensm.cc
"$bin/cc_params" emit-opensm-conf opensm.cc >opensm.conf 2>remarks
[[ ! -s remarks ]] || fail "a remark on what OpenSM leaves out: $(<remarks)"
tune 0 '' tree.lft tree.net --traffic hotspot.traffic --table-blocks 1 --vary CCTI_Timer=20us,100us,500us --objective blend:.5 --budget 30 -o small.cc
check "$bin/cc_params" check --table-blocks 1 small.cc
printf 'duration 400us\nflow "%s" -> "%s"\n' "${host[1]}" "${host[9]}" >quiet.traffic
tune 0 'gain of .* for each traffic file' tree.lft tree.net --traffic hotspot.traffic --traffic quiet.traffic --weight 3,1 --objective worst-flow --budget 60
tune 0 'objective completion' tree.lft tree.net -p shift:1 --bytes 16KiB --objective completion --budget 30

# ---- a time budget is reported as a number of runs ----
tune 0 '--budget 1s was converted to --budget [0-9]+' tree.lft tree.net --traffic quiet.traffic --budget 1s

# ---- the expected duration is printed before and after the first run, and a warning if the search exceeds its budget ----
# foretold BUDGET REGEX...: tune_cc must print lines that match all REGEX; then it is interrupted.
foretold() {
  local regex search status=0
  rm -f said
  "$bin/tune_cc" tree.lft tree.net --traffic long.traffic -j 1 --budget "$1" >long.txt 2>said &
  search=$!
  for regex in "${@:2}"; do eventually grep -qE "$regex" said; done
  kill -TERM "$search"
  wait "$search" || status=$?
  expect_equal "status of a search of $1 that was interrupted" "$status" 130
}
sed 's/duration 2ms/duration 200ms/' hotspot.traffic >long.traffic
foretold 1000 '^tune_cc: 1001 runs, about [0-9.]+ (minutes|hours): [0-9.e+]+ packet hops per run, [0-9.e+]+ per second and thread$' \
  '^tune_cc: 999 runs, about [0-9]+ min$'
foretold 2s '^tune_cc: warning: --budget 2s: a search needs at least 29 runs, about [0-9]+ s$'
if grep -q 'packet hops' stderr; then fail 'the duration of a short search was predicted'; fi

# ---- bad input ----
tune 2 'no traffic is specified' tree.lft tree.net
tune 2 'expected at least 29' tree.lft tree.net --traffic quiet.traffic --budget 10
tune 2 "budget 'soon'" tree.lft tree.net --traffic quiet.traffic --budget soon
tune 2 'expected NAME=LOW' tree.lft tree.net --traffic quiet.traffic --vary CCTI_Timer
tune 2 'Colour=red' tree.lft tree.net --traffic quiet.traffic --vary Colour=red
tune 2 'Threshold=99' tree.lft tree.net --traffic quiet.traffic --vary Threshold=1..99
tune 2 'varied twice, or varied and also given with --keep' tree.lft tree.net --traffic quiet.traffic --vary Threshold=1..9 --keep Threshold=2
tune 2 'varied twice' tree.lft tree.net --traffic quiet.traffic --vary CCTI_Timer=1us..1ms --vary adapter.ccti_timer=1..9
tune 2 'expected NAME=VALUE' tree.lft tree.net --traffic quiet.traffic --keep Threshold
tune 2 "objective 'speed'" tree.lft tree.net --traffic quiet.traffic --objective speed
tune 2 'contains unlimited traffic' tree.lft tree.net --traffic quiet.traffic --objective completion
tune 2 'has no flows, patterns or traces' tree.lft tree.net --uniform --objective worst-flow
tune 2 "weight '1,2'" tree.lft tree.net --traffic quiet.traffic --weight 1,2
tune 2 'gives 201 table entries' tree.lft tree.net --traffic quiet.traffic --opensm --vary table.ccti_limit=100,200
tune 2 'ends in .svg or .png' tree.lft tree.net --traffic quiet.traffic --plot picture.gif
tune 3 'neither a profile nor a file' tree.lft tree.net --traffic quiet.traffic --base missing
printf 'flow nobody -> all\n' >bad.traffic
tune 3 'bad.traffic:1: .nobody. is not the name' tree.lft tree.net --traffic bad.traffic
printf 'a,b\n' >bad.csv
tune 3 'bad.csv:1: expected a file of trials' tree.lft tree.net --traffic quiet.traffic --resume bad.csv
