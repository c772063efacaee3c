#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=tests/campaign/resweep.sh
. "$(dirname "$(readlink -f "$0")")/resweep.sh"

usage() {
  cat <<'EOF2'
usage: endurance.sh [options]

Runs opensm with our plugin and the fabric monitor with a database on one
simulated fabric, for a long time, while links fail and return, ports count
traffic and errors, jobs begin and end, and, in the first third of the time,
both programs are ended, killed and started again. Samples both once a minute.

  --minutes N     duration (default: 120)
  --topo FILE     ibnetdiscover output or an ibsim net file (default: the 528
                  hosts of chic)
  --engine NAME   engine (default: best)
  --faults N      links between switches that may be down at a time (default: 4)
  --seed S        seed of the events (default: 1)
  --growth PERCENT  largest allowed growth of a process's memory in the last two
                  thirds of the time (default: 5)
  --out DIR       folder of logs, samples.tsv and endurance.json (default: a new
                  folder in ./out)
  -h, --help      print this text

Exit codes: 0 success, 1 memory or open files grew too much, or a check failed
(the reason is printed), 2 usage, 3 unreadable topology, 8 DIR cannot be written,
20 a tool is missing, 21 ibsim or opensm failed.
EOF2
}

minutes=120 topology='' engine=best faults=4 seed=1 growth=5 out='' plugin_options=''
while (($# > 0)); do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --minutes | --topo | --engine | --faults | --seed | --growth | --out) value=$(option_value "$1" $# "${2:-}") ;;
    *) die "$exit_usage" "unknown argument '$1'; see --help" ;;
  esac
  case $1 in
    --minutes) minutes=$value ;;
    --topo) topology=$value ;;
    --engine) engine=$value ;;
    --faults) faults=$value ;;
    --seed) seed=$value ;;
    --growth) growth=$value ;;
    --out) out=$value ;;
  esac
  shift 2
done
for name in minutes faults seed growth; do require_number "--$name" "${!name}"; done
((minutes >= 3)) || die "$exit_usage" "--minutes $minutes: expected at least 3"
for tool in opensm curl jq sqlite3; do need_tool "$tool" "$tool"; done
monitor=$(find_built bin/monitor_fabric)
claim_output
own_children
if [[ -z $topology ]]; then
  topology=$out/chic.net
  "$(find_built bin/make_topo)" chic -o "$topology" 2>/dev/null
fi
failures=()
fail() { failures+=("$1") && printf 'endurance.sh: %s\n' "$1" >&2; }

# ---- the monitor ----

database=$out/monitor.sqlite jobs_file=$out/jobs.jsonl monitor_pid='' url=''
write_monitor_conf() {
  cat >"$out/monitor.conf" <<EOF2
[sweep]
interval_s = 2
discovery_interval_s = 10
[store]
database = $database
[server]
listen = 127.0.0.1:0
[jobs]
source = file
file = $jobs_file
EOF2
}

start_monitor() {
  attach_to "$out/simulation"
  start_child "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$monitor_host}" "$monitor" serve --config "$out/monitor.conf" >>"$out/monitor.out" 2>&1
  monitor_child=$child_pid
  until_true 60 "the monitor did not start" is_serving
}

# The monitor prints its address at each start. The daemon may be a child of the started process.
is_serving() {
  url=$(sed -n 's/.*listening on \(http:[^ ]*\)\/$/\1/p' "$out/monitor.out" | sed -n '$p')
  monitor_pid=$(pgrep -f "monitor_fabric serve --config $out/monitor.conf" | sed -n '$p') || return 1
  [[ -n $url ]] && curl -sf -o /dev/null "$url/healthz"
}

stop_monitor() {
  kill -"$1" "$monitor_pid"
  timeout 60 tail --pid="$monitor_pid" -f /dev/null || fail "the monitor did not end within 60 s after SIG$1"
  wait "$monitor_child" 2>/dev/null || true
  forget_child "$monitor_child"
}

# ---- events ----

traffic=0
count_traffic() {
  local i
  ((traffic += 1 + RANDOM))
  for ((i = 0; i < 20; i++)); do
    send "PerformanceSet ${links[RANDOM % ${#links[@]}]} PortCounters.PortXmitData=$traffic"
  done
  ((RANDOM % 5 != 0)) || send "PerformanceSet ${links[RANDOM % ${#links[@]}]} PortCounters.SymbolErrorCounter=$((RANDOM % 4000))"
  sync_console
}

job=0
change_jobs() {
  local now first=$((RANDOM % (${#hosts[@]} - 8)))
  now=$(date +%s)
  printf '{"id": "%d", "name": "endurance", "user": "root", "state": "RUNNING", "start": %d, "end": %d, "nodes": [%s]}\n' \
    "$((++job))" "$now" "$((now + 30 + RANDOM % 300))" \
    "$(printf '"%s", ' "${hosts[@]:first:8}" | sed 's/, $//')" >>"$jobs_file.all"
  # Old jobs leave the file, as they leave the queue of a scheduler.
  tail -n 50 "$jobs_file.all" >"$jobs_file.new"
  mv "$jobs_file.new" "$jobs_file"
}

restart_something() {
  case $((RANDOM % 4)) in
    0) stop_manager 1 TERM && start_manager 1 ;;
    1) stop_manager 1 KILL && start_manager 1 ;;
    2) stop_monitor TERM && start_monitor ;;
    3) stop_monitor KILL && start_monitor ;;
  esac
  until_true "$settle_limit" "the subnet did not come up" has_swept 1
  ((++restarted))
}

# ---- samples ----

descriptors() { find "/proc/$1/fd" -mindepth 1 2>/dev/null | wc -l; }
resident() { awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"; }
kib() { du -ck "$@" 2>/dev/null | awk 'END { print $1 }'; }

# Adds a line: seconds, events, memory (KiB) and descriptors of opensm and of the monitor, size of the database and of the state
# (KiB).
sample() {
  local page
  for page in healthz metrics api/v1/incidents api/v1/status; do
    curl -sf -m 20 -o /dev/null "$url/$page" || fail "$url/$page did not respond at $SECONDS s"
  done
  printf '%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n' "$SECONDS" "$events" "$(resident "${manager_pid[1]}")" "$(descriptors "${manager_pid[1]}")" \
    "$(resident "$monitor_pid")" "$(descriptors "$monitor_pid")" "$(kib "$database"*)" "$(kib "$out"/manager1/osm/*.state)" >>"$out/samples.tsv"
}

# growth_of COLUMN: prints the growth in percent over the last two thirds of the time, from the mean of their first tenth to that
# of their last.
growth_of() {
  awk -v column="$1" -v from="$((minutes * 20))" '
    $1 >= from { value[n++] = $column }
    END {
      part = int(n / 10); if (part < 1) part = 1
      for (i = 0; i < part; i++) { first += value[i]; last += value[n - 1 - i] }
      printf "%.1f", 100 * (last - first) / first
    }' "$out/samples.tsv"
}

# ---- the run ----

begin_sweeping "$topology" 60
mapfile -t hosts < <(awk -F'"' '/^(Hca|Ca)/ { print $2 }' "$playable")
mapfile -t links < <(links_between_switches "$playable")
((${#hosts[@]} > 8 && ${#links[@]} > faults)) || die "$exit_usage" "'$topology' has too few hosts or links between switches"
monitor_host=${hosts[-1]}
[[ $monitor_host != "$(<"$out/manager1/state/host")" ]] || monitor_host=${hosts[-2]}
RANDOM=$seed down=() events=0 restarted=0
: >"$jobs_file"
: >"$jobs_file.all"
: >"$out/samples.tsv"
write_monitor_conf
start_monitor
dump_tables "$out/manager1" "$out/before.lft"
SECONDS=0 next_sample=60 next_restart=$((minutes * 4))
while ((SECONDS < minutes * 60)); do
  ((++events))
  change_a_link
  sweep_again
  count_traffic
  ((RANDOM % 10 != 0)) || change_jobs
  if ((SECONDS >= next_restart && SECONDS < minutes * 20)); then
    restart_something
    ((next_restart += minutes * 4))
  fi
  ((SECONDS < next_sample)) || {
    sample
    ((next_sample += 60))
  }
done

# ---- the report ----

for link in "${!down[@]}"; do send "ReLink ${links[link]}"; done
sync_console
sweep_again
sample
dump_tables "$out/manager1" "$out/after.lft"
expect_same "$out/before.lft" "$out/after.lft" 'the tables before the faults and after all links are back'
errors=$(cat "$out"/manager1/opensm.log* | grep -c 'ERR 7A') || true
((errors == 0)) || fail "the plugin logged $errors errors: $(cat "$out"/manager1/opensm.log* | sed -n '/ERR 7A/p' | sed -n 1p)"
grep -E '^monitor_fabric: error|^pssp monitor: error' "$out/monitor.out" >"$out/monitor.errors" || true
[[ ! -s $out/monitor.errors ]] || fail "the monitor printed errors: $(head -n 1 "$out/monitor.errors")"
[[ $(sqlite3 "$database" 'pragma integrity_check') == ok ]] || fail "the database is damaged"
names=(- - - 'memory of opensm' 'descriptors of opensm' 'memory of the monitor' 'descriptors of the monitor')
declare -A grew
for column in 3 4 5 6; do
  grew[$column]=$(growth_of "$column")
  awk -v g="${grew[$column]}" -v most="$growth" 'BEGIN { exit !(g <= most) }' || fail "${names[column]} grew by ${grew[$column]} %"
done
stop_monitor TERM
end_sweeping
printf '%s\n' "${failures[@]}" | jq -R -s --arg engine "$engine" --argjson minutes "$minutes" --argjson events "$events" \
  --argjson restarts "$restarted" --argjson errors "$errors" --rawfile samples "$out/samples.tsv" \
  --argjson grew "[${grew[3]}, ${grew[4]}, ${grew[5]}, ${grew[6]}]" '
  {engine: $engine, minutes: $minutes, events: $events, restarts: $restarts, plugin_errors: $errors,
   growth_percent: {opensm_kib: $grew[0], opensm_descriptors: $grew[1], monitor_kib: $grew[2], monitor_descriptors: $grew[3]},
   samples: ($samples | split("\n")[:-1] | map(split("\t") | map(tonumber))),
   failures: (split("\n") | map(select(. != "")))}' >"$out/endurance.json"
printf '%d minutes, %d changes of links, %d restarts\n' "$minutes" "$events" "$restarted"
{
  printf 'seconds\tevents\topensm KiB\tdescriptors\tmonitor KiB\tdescriptors\tdatabase KiB\tstate KiB\n'
  awk -v lines="$(wc -l <"$out/samples.tsv")" 'NR == 1 || NR == lines || NR % (int(lines / 10) + 1) == 0' "$out/samples.tsv"
} | column -t -s $'\t'
printf 'growth in the last two thirds: opensm %s %%, its descriptors %s %%, monitor %s %%, its descriptors %s %%\n' \
  "${grew[3]}" "${grew[4]}" "${grew[5]}" "${grew[6]}"
((${#failures[@]} == 0)) || die 1 "${#failures[@]} failures (logs in $out): ${failures[0]}"
