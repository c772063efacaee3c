#!/usr/bin/env bash
# simulate_fabric: built-in experiments compared with published results, traffic of all kinds, reports, and bad input.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 2 --lids --rate 4xQDR -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
simulate() { expect "$1" "$2" "$bin/simulate_fabric" "${@:3}"; }

# ---- the experiments, long ones shortened ----
simulate 0 'share H111 .*450ms .. 700ms.* ok' --scenario thesis-a --check
simulate 0 'hold$' --scenario thesis-a --marking every-nth --check
simulate 0 'H431' --scenario thesis-b1 --check
simulate 0 'NO HOLD' --scenario thesis-b2 --check
simulate 0 'CCTI_Timer=250us Marking_Rate=1 ' --scenario thesis-d --time 5ms --cc off --cc thesis-start \
  --cc-vary CCTI_Timer=20us,250us --cc-vary Marking_Rate=1,10

# ---- identical output for any number of threads ----
for threads in 1 8; do
  "$bin/simulate_fabric" --scenario thesis-c1 --time 4ms --seeds 3 --json -j "$threads" -o "$threads.json"
  "$bin/simulate_fabric" --scenario thesis-c1 --time 4ms --seeds 3 -j "$threads" -o "$threads.txt"
done
expect_same 1.json 8.json
expect_same 1.txt 8.txt
check jq -e '(.runs | length) == 6 and (.runs | all(.packets.created == .packets.delivered + .packets.in_flight))' 1.json
check jq -e '.comparison[0].difference.interval | length == 2' 1.json
if grep -qi '^de_DE' < <(locale -a 2>/dev/null); then
  LC_ALL=de_DE.UTF-8 "$bin/simulate_fabric" --scenario thesis-c1 --time 4ms --seeds 3 -o german.txt
  expect_same 1.txt german.txt
fi

# ---- traffic ----
simulate 0 'finite flows' tree.lft tree.net --bisect --bytes 64KiB
expect_line stdout '^  [0-9.]+us simulated'
printf 'duration 10us ; warmup 0\npattern shift:1 bytes 64KiB\nflow H00000 -> H00001 bytes 4KiB\n' >unfinished.traffic
simulate 0 '^  off +0[.][0-9]+ +-$' tree.lft tree.net --traffic unfinished.traffic --seeds 2
simulate 0 'traffic uniform' tree.lft tree.net --uniform --time 200us --link-rate 4xHDR
simulate 0 'incast of 5' tree.lft tree.net --incast 5 --time 200us
simulate 0 '"traffic": "shift:1"' tree.lft tree.net -p shift:1 --bytes 64KiB --json
check jq -e '.runs[0].end == "all_delivered" and .runs[0].completion_ns > 0 and (.runs[0].flows | all(.finished_ns != null))' stdout
check jq -e '.runs[0].flow_completion | .flows == 16 and .ended == 16 and .time_ns.p50 <= .time_ns.p99 and .time_ns.p99 <= .time_ns.max and
  .slowdown.p50 >= 0.9999' stdout
check jq -e '.runs[0] | .flow_completion.time_ns.max == .completion_ns' stdout
# The latency of one packet is exact, and a packet alone in the fabric has no slowdown.
printf 'duration 1ms\nflow H00000 -> H00005 bytes 2176B\n' >packet.traffic
simulate 0 '' tree.lft tree.net --traffic packet.traffic --json
# shellcheck disable=SC2016  # $took is jq's
check jq -e '.runs[0] | .flows[0].finished_ns as $took | .latency_ns == {mean: $took, p50: $took, p99: $took, max: $took}' stdout
check jq -e '.runs[0].flow_completion.slowdown.max | . > 0.99999 and . < 1.00001' stdout
simulate 0 '^  off +1 of 1 +[0-9.]+ .* 1[.]00 +1[.]00 +1[.]00 +1[.]00$' tree.lft tree.net --traffic packet.traffic
"$bin/route_lft" -e dmodk tree.net -o other.lft 2>/dev/null
simulate 0 '"relative"' tree.lft tree.net --compare other.lft --bisect --bytes 64KiB --seeds 3 --json
check jq -e '.comparison | length == 1 and .[0].of == "flow_share"' stdout
simulate 0 'seeds 1 .. ' tree.lft tree.net --uniform --time 200us --until-precision 5%

# ---- a lane for each service level; no warning if the lanes break the credit loop ----
"$bin/make_topo" torus 6 --hosts 2 --lids --rate 4xQDR -o ring.net 2>/dev/null
"$bin/route_lft" -e pssp --lanes 8 ring.net -o ring.lft --service-levels ring.sl 2>/dev/null
simulate 0 'warning: .*the fabric may deadlock on one virtual lane' ring.lft ring.net --uniform --time 20us
simulate 0 'warning: .*credit loop on a virtual lane' ring.lft ring.net --uniform --time 20us --service-levels ring.sl --vls 1
simulate 0 '"vls": "2"' ring.lft ring.net --uniform --time 20us --service-levels ring.sl --json
[[ ! -s stderr ]] || fail "a warning of lanes that have no loop: $(cat stderr)"

# ---- a traffic file and its expected values ----
hosts=$(sed -n 's/^\(Ca\|Hca\)[[:space:]].*"\([^"]*\)".*/\2/p' tree.net)
mapfile -t host <<<"$hosts"
printf 'duration 200us ; warmup 0\nflow "%s" -> "%s" label one\nexpect share one 1 within 2%%\n' "${host[0]}" "${host[5]}" >one.traffic
simulate 0 'share one .* ok' tree.lft tree.net --traffic one.traffic --check
sed 's/one 1 within/one .5 within/' one.traffic >half.traffic
simulate 7 'share one .* OUT OF RANGE' tree.lft tree.net --traffic half.traffic --check
# Random flows differ from seed to seed: these two seeds choose different hosts, and the mean is over both.
printf 'duration 200us ; warmup 0\nflow random 1 of {"%s", "%s"} -> "%s" rate 10%%\nflow others of {"%s", "%s"} -> "%s" rate 40%%\n' \
  "${host[0]}" "${host[3]}" "${host[5]}" "${host[0]}" "${host[3]}" "${host[6]}" >drawn.traffic
printf 'expect share H00000 .25 within 5%%\n' >>drawn.traffic
simulate 0 'share H00000 .* ok' tree.lft tree.net --traffic drawn.traffic --check --seed 4 --seeds 2
simulate 2 'no expected values for these runs' tree.lft tree.net --uniform --time 50us --check
printf 'flow H00000 -> H00005 start 20ms\n' >late.traffic
simulate 3 'late.traffic:1: the traffic starts at 20ms' tree.lft tree.net --traffic late.traffic
simulate 0 '20.1ms simulated' tree.lft tree.net --traffic late.traffic --time 20.1ms
simulate 2 'nothing is measured' tree.lft tree.net --traffic late.traffic --time 21ms --warmup 21ms
# The shares of victims' ports are relative to the measured time, as for the ports below them.
printf 'duration 400us ; warmup 300us\nflow {"%s","%s","%s","%s"} -> "%s"\nvictim "%s" -> "%s"\n' "${host[@]:4:4}" "${host[0]}" \
  "${host[4]}" "${host[1]}" >victim.traffic
simulate 0 'held at .* without credits 50 % of the time' tree.lft tree.net --traffic victim.traffic

# ---- tables and pictures ----
simulate 0 '' --scenario thesis-c1 --time 4ms --sample 200us --cc off --json --series series.csv --csv runs.csv
simulate 0 '' --scenario thesis-a --time 2ms --sample 100us --cc off --series ports.csv --series-of hosts,links,ports --select '*H221*'
expect_line ports.csv '^run,seed,time_s,kind,name,bytes,marks,queue_bytes$'
# A host receives what the port that leads to it sends; no link between switches matches the name.
sed -n 's/^off,1,\([^,]*\),host,H221,/\1 /p' ports.csv >host.txt
sed -n 's/^off,1,\([^,]*\),port,[^,>]* -> H221,/\1 /p' ports.csv >port.txt
[[ $(wc -l <host.txt) == 20 ]] || fail "$(wc -l <host.txt) samples of a host"
expect_same host.txt port.txt
[[ $(grep -c ',link,' ports.csv || true) == 0 ]] || fail 'a link that was not selected'
simulate 2 "--series-of 'colours'; expected network, flows, hosts, links or ports" --scenario thesis-a --series no.csv --series-of colours
mean=$(awk -F, '$4 == "network" { sum += $6; n++ } END { printf "%.6e", sum / n / 0.0002 }' series.csv)
# shellcheck disable=SC2016  # $m and $mean are jq's
check jq -e --argjson mean "$mean" '.runs[0].throughput_bytes_per_s.mean as $m | ($m - $mean) / $m | fabs < 1e-4' stdout
expect_line runs.csv '^off,1,flow,H111 -> H552,'
simulate 2 'ends in .svg or .png' --scenario thesis-c1 --plot picture.gif
simulate 2 'needs two varied parameters' --scenario thesis-c1 --heat heat.svg
if command -v gnuplot >/dev/null; then
  simulate 0 '' --scenario thesis-d --time 500us --cc thesis-start --cc-vary CCTI_Timer=20us,250us --cc-vary Marking_Rate=1,10 \
    --sample 50us --plot plot.svg --heat heat.svg
  expect_line plot.svg 'Marking_Rate 10'
  expect_line plot.svg 'CCTI_Timer 250us'
  expect_line heat.svg 'CCTI_Timer'
fi

simulate 0 '' tree.lft tree.net --incast 5 --time 100us --map map.dot --map-of used
expect_line map.dot '% of the link capacity'
simulate 2 'map-of' tree.lft tree.net --incast 5 --map map.dot --map-of colour
simulate 2 'map.gif' tree.lft tree.net --incast 5 --map map.gif

# ---- limits, and interruption ----
simulate 7 'ended by most_events' tree.lft tree.net --uniform --time 1ms --max-events 10000
"$bin/simulate_fabric" tree.lft tree.net --uniform --time 100s --sample 10ms --seeds 2 -j 2 -o long.txt --series long.csv &
long=$!
# Send SIGTERM, because background processes of a shell ignore SIGINT. Wait for the second thread: from then on the program
# handles the signal.
has_threads() {
  local threads=("/proc/$long/task"/*)
  ((${#threads[@]} >= 2))
}
eventually has_threads
kill -TERM "$long"
status=0
wait "$long" || status=$?
expect_equal 'status of an interrupted run' "$status" 130
expect_line long.txt 'INTERRUPTED'
[[ ! -e long.csv ]] || fail 'a series of an interrupted run'

# ---- measurements that are impossible ----
simulate 0 '^  S.* +-  +[0-9.]+ %' --scenario thesis-c1 --time 1ms --cc off --top 3
simulate 0 '' --scenario thesis-c1 --time 1ms --cc off --json
check jq -e '.runs[0].ports | all(.congested_share == null and .blocked_share >= 0)' stdout
simulate 0 '' --scenario thesis-c1 --time 1ms --cc thesis-mesh --json
check jq -e '.runs[0].ports | all(.congested_share >= 0)' stdout
# The run ends before the warm-up is over.
printf 'duration 4ms ; warmup 2ms\nflow {H00004,H00005,H00006,H00007} -> H00000\n' >warmup.traffic
simulate 7 'ended by most_events' tree.lft tree.net --traffic warmup.traffic --max-events 10000
[[ $(grep -cE '[0-9]{4}[.][0-9] %' stdout) == 0 ]] || fail "parts of no time: $(cat stdout)"
said stdout '^no port figures: the run ended at [0-9.]+us, within its warm-up of 2ms$'
simulate 7 'ended by most_bytes' tree.lft tree.net --incast 3 --time 1us --max-memory 1KiB

# ---- bad input ----
for nothing in '' '# nothing' 'duration 1ms'; do
  printf '%s\n' "$nothing" >empty.traffic
  simulate 3 'empty.traffic: no traffic; expected' tree.lft tree.net --traffic empty.traffic
done
printf 'flow H00000 -> H00005 sl 1 sl 2\n' >twice.traffic
simulate 3 "twice.traffic:1: 'sl' is given twice" tree.lft tree.net --traffic twice.traffic
printf 'flow H00000 -> H00005 label "\033[31mred"\n' >escape.traffic
simulate 3 'escape.traffic:1: label .* has control characters' tree.lft tree.net --traffic escape.traffic
simulate 2 "'adapter.ccti_timer=3': this parameter is given twice" tree.lft tree.net --uniform --cc thesis-mesh --cc-vary CCTI_Timer=1us \
  --cc-vary adapter.ccti_timer=3
simulate 2 'not in range 0 to 18446744073709551615' tree.lft tree.net --uniform --seed 18446744073709551616
simulate 2 "--select 'X[*]' matches no name" tree.lft tree.net --uniform --series none.csv --select 'X*'
simulate 2 'no traffic is specified' tree.lft tree.net
simulate 2 'more than one kind of traffic is specified' tree.lft tree.net --uniform --bisect
simulate 2 'expected forwarding tables' --uniform
simulate 2 'comes with its fabric and tables; expected no files' tree.lft --scenario thesis-a
simulate 2 'expected one of thesis-a' --scenario thesis-z
simulate 2 'without forwarding tables' tree.net --uniform
simulate 2 'unmarked-between or every-nth' tree.lft tree.net --uniform --marking often
simulate 2 'a time from 0' tree.lft tree.net --uniform --time soon
simulate 2 'expected 64 .. 65535' tree.lft tree.net --uniform --packet 64KiB
simulate 2 'NAME=V1' tree.lft tree.net --uniform --cc-vary CCTI_Timer
simulate 2 "which is 'off'" tree.lft tree.net --uniform --cc-vary CCTI_Timer=1us
simulate 2 'Colour' tree.lft tree.net --uniform --cc thesis-mesh --cc-vary Colour=red
simulate 2 'buffer' tree.lft tree.net --uniform --buffer 10
simulate 3 'neither a profile nor a file' tree.lft tree.net --uniform --cc missing
printf 'duration 1ms\nflow nobody -> all\n' >bad.traffic
simulate 3 'bad.traffic:2: .nobody. is not the name' tree.lft tree.net --traffic bad.traffic
simulate 2 '--select requires --series' tree.lft tree.net --uniform --select 'H*'
simulate 2 '--series-of requires --series' tree.lft tree.net --uniform --series-of hosts
simulate 2 'incast of 16 senders' tree.lft tree.net --incast 16
printf '0 1 2\n' >short.sl2vl
simulate 3 '3 lanes; expected 16' tree.lft tree.net --uniform --sl2vl short.sl2vl

# ---- the expected duration is printed before the first run, and without a terminal the progress once a minute ----
"$bin/simulate_fabric" --scenario thesis-d --seeds 20 -j 1 -o long.txt 2>said &
long=$!
eventually grep -qE '^simulate_fabric: [0-9]+ runs, about [0-9.]+ (minutes|hours|days): [0-9.e+]+ packet hops per run, [0-9.e+]+ per second and thread$' said
kill -TERM "$long"
status=0
wait "$long" || status=$?
expect_equal 'status of an interrupted run with a predicted duration' "$status" 130
simulate 0 '' --scenario thesis-c1 --time 1ms --cc off
if grep -q 'packet hops' stderr; then fail 'the duration of a short run was predicted'; fi

# ---- a gain of congestion control out of order among the published gains of the other scenarios ----
simulate 0 'rank of the gain +on +1 .* of 4 +order (fails|ok) ' --scenario thesis-c2 --time 2ms
simulate 0 '' --scenario thesis-c2 --time 2ms --json
check jq -e '[.reference[] | select(.what == "rank of the gain")] | length == 1 and (.[0] | .passes and
  .verdict == (if .found == 1 then "order ok" else "order fails" end) and .deviation_percent == null)' stdout

# ---- panels of a grid: the same width, whatever their legends are ----
if command -v gnuplot >/dev/null; then
  simulate 0 '' --scenario thesis-d --time 500us --sample 100us --cc off --cc thesis-start --cc-vary CCTI_Timer=20us,250us \
    --cc-vary Marking_Rate=1,10 --plot panels.svg
  grep -oE "d='M[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+ Z" panels.svg | tr -c '0-9.\n' ' ' | sort -u |
    awk '{ printf "%.0f %.0f\n", $5 - $1, $4 - $2 }' >frames
  expect_equal 'panels' "$(wc -l <frames)" 4
  expect_equal 'widths and heights of panels' "$(sort -u frames | wc -l)" 1
  # The curves use most of the width of their half of 1300 pixels.
  awk '$1 < 500 { exit 1 }' frames || fail "narrow panels: $(<frames)"
  # No curve touches the upper edge.
  awk -f "$PSSP_SOURCE_DIR/tests/kit/plot_clearance.awk" panels.svg panels.svg >clearance
  expect_equal 'panels with curves' "$(wc -l <clearance)" 4
  awk '$2 < 5 || $5 < 3 { exit 1 }' clearance || fail "curves at the upper edge: $(<clearance)"
fi
