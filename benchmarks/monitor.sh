#!/usr/bin/env bash
# Measures the cost of monitoring a fabric.
#   sweep   discovery and sweeps of all counters, in wall clock and processor time, compared with ibnetdiscover and ibqueryerrors on the
#           same simulated fabric; N: rounds (5)
#   memory  memory of `serve` with an interval of one second, a database and clients of its pages, over N sweeps (1000)
#   web     `serve` with an interval of ten seconds and 100 live views: requests that ten clients complete in N seconds (60), then the
#           response time of the status beside 200 half-open connections; each figure with its target
#   start   time until `serve` answers if it starts with a database of N GB (6)
#   silent  `serve` with an interval of five seconds, and N hosts (100) whose cables are disconnected: how much longer the sweep that
#           detects the silent hosts takes, and the sweeps after it
# usage: monitor.sh [sweep | memory | web | start | silent] [TOPOLOGY [N]]      default: sweep, a fat tree of 873 switches and 24,624 ports
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
: "${PSSP_BUILD_DIR:=$here/../build}"
export PSSP_BUILD_DIR
# shellcheck source=ibsim_harness/simulation.sh
. "$here/../ibsim_harness/simulation.sh"
own_children
scratch=$(mktemp -d)
trap 'end_children; rm -rf "$scratch"' EXIT
cd "$scratch"

what=sweep
if [[ ${1:-} =~ ^(sweep|memory|web|start|silent)$ ]]; then
  what=$1
  shift
fi
topology=${1:-} turns=${2:-}
if [[ -z $topology ]]; then
  topology=$scratch/tree.net
  "$(find_built bin/make_topo)" xgft 9,24,24 1,9,9 -o "$topology"
fi
monitor=$(find_built bin/monitor_fabric)
if [[ $what == silent ]]; then
  need_tool sqlite3 sqlite3
  start_simulation_with_console "$scratch/fabric" "$topology"
else
  start_simulation "$scratch/fabric" "$topology" start_child
fi
# pssp is the fastest engine, and the tables do not affect any figure.
write_opensm_conf "$scratch/fabric" pssp '' ''
prepare_opensm "$scratch/fabric" pssp once
run_child 600 "${opensm_command[@]}" >opensm.out 2>&1 || die "$exit_simulation" "opensm failed: $(tail_of opensm.out)"
attach_to "$scratch/fabric"

# measure NAME COMMAND...: prints wall clock and processor seconds of the command.
measure() {
  local name=$1
  shift
  /usr/bin/time --quiet --format "%e %U %S %M" --output times "${in_simulation[@]}" "$@" >out 2>err || true
  awk -v name="$name" '{ printf "%-34s %7.2f s wall  %6.2f s processor  %7.1f MB\n", name, $1, $2 + $3, $4 / 1024 }' times
}

if [[ $what == sweep ]]; then
  for ((round = 1; round <= ${turns:-5}; round++)); do
    measure 'ours: discovery and two sweeps' "$monitor" once --interval 0.05 --top 1
    tail -n 2 out | grep 'ports answered' || cat err
  done
  measure 'ours: the same, two seconds apart' "$monitor" once --interval 2 --top 1
  grep 'ports answered' out || cat err
  measure 'ibnetdiscover: discovery' ibnetdiscover
  measure 'ibqueryerrors: discovery, one sweep' ibqueryerrors --skip-sl --threshold-file /dev/null
  exit
fi

# ---- a large database: many copies of a hundred sweeps of 25,704 ports ----
if [[ $what == start ]]; then
  need_tool sqlite3 sqlite3
  "$(find_built bin/monitor_store)" 100 "$scratch/history.sqlite" >store.out
  bytes=$(stat -c %s history.sqlite)
  copies=$((${turns:-6} * 1000000000 / bytes))
  run_child 3600 sqlite3 history.sqlite "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF;
    WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < $copies)
      INSERT INTO sample(place, data) SELECT s.place + n * (100 << 16), s.data FROM copy, sample AS s WHERE s.place < 101 << 16;
    WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < $copies)
      INSERT INTO sweep SELECT sweep_id + 100 * n, time_ms + 1000000 * n, age_ms + 1000000 * n, duration_us, generation, asked, answered,
        mads, timed_out, implausible, late FROM copy, sweep WHERE sweep_id <= 100;" >sqlite.out
  printf 'database: %d MB, %s sweeps\n' "$(($(stat -c %s history.sqlite) / 1000000))" "$(sqlite3 history.sqlite 'SELECT count(*) FROM sweep')"
fi

# ---- the daemon ----
interval=1 began=$(date +%s%3N)
[[ $what != web ]] || interval=10
[[ $what != silent ]] || interval=5
"${in_simulation[@]}" "$monitor" serve --listen 127.0.0.1:0 --interval "$interval" --database history.sqlite 2>said &
daemon=$!
children+=("$daemon")
until grep -q 'listening on http://' said; do
  [[ -d /proc/$daemon ]] || die "$exit_simulation" "serve ended: $(tail_of said)"
  sleep .2
done
url=$(sed -n 's/.*listening on \(http:[^ ]*\)\/$/\1/p' said)
# The wrapper that starts a program in a simulation may remain its parent; the daemon is the innermost process.
while below=$(pgrep -P "$daemon"); do daemon=$below; done
if [[ $what == start ]]; then
  until curl -sf -o page "$url/healthz"; do sleep .05; done
  printf 'serves after %d ms (limit: 3000)\n' "$(($(date +%s%3N) - began))"
  exit
fi
# Prints the processor time of the daemon so far, in milliseconds.
processor_ms() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000 / tick) }' "/proc/$daemon/stat"; }
if [[ $what == web ]]; then
  need_tool ab apache2-utils
  port=${url##*:}
  until curl -sf -o page "$url/healthz"; do sleep .2; done
  # The daemon accepts at most 64 connections from one address, so the clients use several addresses.
  for ((n = 0; n < 100; n++)); do
    curl -sN --interface "127.0.0.$((2 + n / 50))" "$url/api/v1/stream?topics=sweep" >"stream.$n" &
    children+=("$!")
  done
  until [[ $(curl -sf "$url/api/v1/status" | grep -o '"event_streams":[0-9]*') == *:100 ]]; do sleep .2; done
  before=$(processor_ms)
  ab -q -k -l -c 10 -t "${turns:-60}" -n 10000000 "$url/api/v1/ports?limit=100" >ab.txt 2>&1 || die "$exit_simulation" "ab: $(tail_of ab.txt)"
  after=$(processor_ms)
  in_ab() { sed -n "s/^ *$1[ :]*\([0-9.]*\).*/\1/p" ab.txt | sed -n 1p; }
  mkfifo hold
  exec 7<>hold
  : >held
  "$(find_built bin/half_open)" "$port" 200 <hold >held &
  children+=("$!")
  until grep -q held held; do sleep .1; done
  slowest=0
  for ((n = 0; n < 20; n++)); do
    took=$(curl -sf -o page -w '%{time_total}' "$url/api/v1/status")
    slowest=$(awk -v a="$slowest" -v b="$took" 'BEGIN { print (a + 0 > b + 0 ? a : b) }')
    sleep .1
  done
  opened=$(ss -Htn state established "sport = :$port" | wc -l)
  streams=$(grep -l '^event: sweep' stream.* | wc -l)
  awk -v rate="$(in_ab 'Requests per second')" -v p99="$(in_ab '99%')" -v failed="$(in_ab 'Failed requests')" -v all="$(in_ab 'Complete requests')" \
    -v cpu="$((after - before))" -v slowest="$slowest" -v opened="$opened" -v streams="$streams" '
    function met(is) { return is ? "met" : "MISSED" }
    BEGIN {
      printf "requests per second            %8.0f  (at least 1000: %s)\n", rate, met(rate >= 1000)
      printf "99th percentile, ms            %8.0f  (at most 50: %s)\n", p99, met(p99 <= 50)
      printf "failed requests                %8d  (0: %s)\n", failed, met(failed == 0)
      printf "live views with sweeps         %8d  (100: %s)\n", streams, met(streams == 100)
      printf "processor time per request, ms %8.3f  (%d requests, including sweeps)\n", cpu / all, all
      printf "status, %3d connections, ms    %8.0f  (slowest of 20, at most 100: %s)\n", opened, slowest * 1000, met(slowest <= .1)
    }'
  exit
fi

# ---- hosts that stop answering ----
if [[ $what == silent ]]; then
  written() { sqlite3 -readonly history.sqlite 'SELECT count(*) FROM sweep' 2>>sqlite.err || echo 0; }
  until (($(written) >= 5)); do sleep .2; done
  before=$(written)
  sed -n 's/^\(Hca\|Ca\)[[:space:]]\+[0-9]\+[[:space:]]\+\("[^"]*"\).*/\2/p' "$playable" >hosts
  # shellcheck disable=SC2154  # start_simulation_with_console opens it
  grep -vFx "\"$(<fabric/state/host)\"" hosts | sed -n "1,${turns:-100}p" | sed 's/.*/Unlink &[1]/' >&"$console"
  until (($(written) >= before + 8)); do sleep .2; done
  sqlite3 -readonly -separator ' ' history.sqlite 'SELECT sweep_id, duration_us, asked, timed_out FROM sweep' | awk -v before="$before" '
    # The first sweep has additional requests, for the counters that each node supports.
    $1 > 1 && $1 < before { usual += $2 / (before - 2) }
    $1 >= before {
      printf "sweep %3d: %7.0f ms, %5d ports queried, %4d requests timed out\n", $1, $2 / 1000, $3, $4
      if ($2 > most) most = $2
      if ($2 > usual + 1e6) slow++
    }
    END {
      printf "usual sweep: %.0f ms; longest sweep with silent hosts: %+.0f ms (at most 1000: %s); sweeps longer by more than 1 s: %d\n",
        usual / 1000, (most - usual) / 1000, most - usual <= 1e6 ? "met" : "MISSED", slow
    }'
  exit
fi

# ---- memory ----
for topics in sweep,events sweep; do
  curl -sN "$url/api/v1/stream?topics=$topics" >stream &
  children+=("$!")
done
# Prints the resident memory of the daemon in kilobytes.
resident() { awk '$1 == "VmRSS:" { print $2 }' "/proc/$daemon/status"; }
sweep=0 reported=0 middle=0 largest=0
turns=${turns:-1000}
while ((sweep < turns)); do
  sleep 1
  sweep=$(curl -sf "$url/api/v1/status" | grep -o '"sweep":[0-9]*' | sed -n 1p | cut -d : -f 2) || continue
  curl -sf "$url/api/v1/ports?limit=100" >page || true
  ((sweep % 10 != 0)) || curl -sf "$url/metrics" >page || true
  now=$(resident)
  ((now <= largest)) || largest=$now
  ((middle != 0 || 2 * sweep < turns)) || middle=$now
  if ((sweep >= reported + turns / 20)); then
    reported=$sweep
    printf 'sweep %5d  %7.1f MB\n' "$sweep" "$(awk -v k="$now" 'BEGIN { print k / 1024 }')"
  fi
done
awk -v middle="$middle" -v end="$(resident)" -v largest="$largest" -v sweeps="$sweep" 'BEGIN {
  printf "after %d sweeps: %.1f MB, maximum %.1f MB; %+.1f %% in the second half\n", sweeps, end / 1024, largest / 1024, (end / middle - 1) * 100 }'
