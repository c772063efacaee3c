#!/usr/bin/env bash
# Output of monitor_fabric from a database: lists, exports and plans; and refused requests.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
monitor=$bin/monitor_fabric
database=$scratch/history.db
[[ -x $monitor ]] || skip 'monitor_fabric is not built'
# 40 minutes of a fabric with 8 switches and 16 hosts.
"$PSSP_BUILD_DIR/tests/write_history" "$database" 240
first=1700000011000 # time of the first sweep

# ---- lists ----
expect 0 '' "$monitor" links -d "$database"
expect_equal 'lines of links' "$(wc -l <"$scratch/stdout")" 65
said stdout '^port +cabled to +rate +out GB s +out percent'
expect 0 '' "$monitor" links -d "$database" --json
check jq -e 'length == 64 and ([.[].out_percent] | . == (sort | reverse)) and all(.[]; .out_percent <= 105)' "$scratch/stdout" >"$scratch/null"
expect 0 '' "$monitor" nodes -d "$database" --json
check jq -e 'length == 24 and ([.[] | select(.kind == "switch")] | length == 8) and all(.[]; .lid > 0)' "$scratch/stdout" >"$scratch/null"
guid=$(jq -r '[.[] | select(.kind == "switch")][0].guid' "$scratch/stdout")
name=$(jq -r '[.[] | select(.kind == "switch")][0].name' "$scratch/stdout")
ports=$(jq -r '[.[] | select(.kind == "switch")][0].ports' "$scratch/stdout")
expect 0 '' "$monitor" ports -d "$database" --node "${name}[2]" --json --since "$first"
# shellcheck disable=SC2016  # names of jq
check jq -e --arg guid "$guid" 'length == 1 and .[0].guid == $guid and .[0].number == 2 and .[0].state == "active"' "$scratch/stdout" >"$scratch/null"
by_name=$(<"$scratch/stdout")
expect 0 '' "$monitor" ports -d "$database" --node "${guid}[2]" --json --since "$first"
expect_equal 'a port by its GUID' "$(<"$scratch/stdout")" "$by_name"
expect 0 '' "$monitor" links -d "$database" --sort errors --top 3 --csv "$scratch/top.csv"
expect_equal 'lines of the top three' "$(wc -l <"$scratch/top.csv")" 4
expect_equal 'lines of text' "$(wc -l <"$scratch/stdout")" 4
expect 0 '' "$monitor" events -d "$database"
expect_equal 'events' "$(wc -l <"$scratch/stdout")" 1
expect 2 "no such node" "$monitor" links -d "$database" --node nobody
expect 2 'is not a time' "$monitor" links -d "$database" --since yesterday
expect 2 'not before' "$monitor" links -d "$database" --since 2026-01-02 --until 2026-01-01
expect 2 '' "$monitor" links -d "$database" --sort "1; DROP TABLE node"
expect 2 '' "$monitor" events -d "$database" --kind nonsense
expect 3 'no such database' "$monitor" nodes -d "$scratch/none.db"
expect 3 'not an SQLite database' "$monitor" nodes -d "$0"

# ---- exports: sums of sweeps equal those of five minutes and those of the list ----
expect 0 '' "$monitor" export -d "$database" -o "$scratch/raw.csv"
expect 0 '' "$monitor" export -d "$database" --format jsonl -o "$scratch/raw.jsonl"
expect_equal 'rows' "$(($(wc -l <"$scratch/raw.csv") - 1))" "$(wc -l <"$scratch/raw.jsonl")"
expect 0 '' "$monitor" export -d "$database" --level 5min --format jsonl -o "$scratch/5min.jsonl"
end=$(jq -s 'map(.time_ms) | max' "$scratch/5min.jsonl")
# shellcheck disable=SC2016  # names of jq
sums='map(select(.time_ms <= $last)) | group_by([.node, .port])[] | [.[0].node, .[0].port, (map(.counters.transmit_bytes // 0) | add)]'
jq -sc --argjson last "$end" "$sums" "$scratch/raw.jsonl" >"$scratch/of_raw"
jq -sc --argjson last "$end" "$sums" "$scratch/5min.jsonl" >"$scratch/of_5min"
# Ports without readings have no sums.
expect_same <(grep -v ',0]$' "$scratch/of_raw") <(grep -v ',0]$' "$scratch/of_5min")
expect 0 '' "$monitor" export -d "$database" --node "$guid" --since "$first" --until "$((first + 20000))"
expect_equal 'rows of a switch in two sweeps' "$(wc -l <"$scratch/stdout")" $((2 * ports + 1))

# ---- no rate is negative or impossible, according to the query in docs/reference/monitor.md ----
query=$(sed -n '/^sqlite3 :memory: /,/^```/p' "$PSSP_SOURCE_DIR/docs/reference/monitor.md" | sed '/^```/d')
[[ -n $query ]] || fail 'docs/reference/monitor.md has no query'
if command -v sqlite3 >"$scratch/null"; then
  (cd "$scratch" && cp raw.csv counters.csv && bash -c "$query" >"$scratch/impossible")
  check test ! -s "$scratch/impossible"
  sed '5s/^\([^,]*,[^,]*,[^,]*,[^,]*\),[^,]*,[^,]*,[^,]*,[^,]*/\1,read,10000,100000,9999999999999/' "$scratch/raw.csv" >"$scratch/counters.csv"
  (cd "$scratch" && bash -c "$query" >"$scratch/impossible")
  expect_equal 'impossible rows' "$(wc -l <"$scratch/impossible")" 1
  # An unknown value is an empty cell and does not count as a rate.
  sed '5s/^\([^,]*,[^,]*,[^,]*,[^,]*\),[^,]*,[^,]*,[^,]*,[^,]*,[^,]*/\1,read,10000,100000,,/; 6s/,10000,/,,/' "$scratch/raw.csv" >"$scratch/counters.csv"
  (cd "$scratch" && bash -c "$query" >"$scratch/impossible")
  [[ ! -s $scratch/impossible ]] || fail "empty cells are rates: $(<"$scratch/impossible")"
  expect_equal 'integrity' "$(sqlite3 "$database" 'PRAGMA integrity_check')" ok
fi

# ---- the exported topology of a time is a valid topology file ----
expect 0 '' "$monitor" export -d "$database" --topology-at now -o "$scratch/then.net"
expect 0 '' "$bin/convert_fabric" "$scratch/then.net" -o "$scratch/again.net"
expect_equal 'switches' "$(grep -c '^Switch' "$scratch/again.net")" 8

# ---- plans ----
expect 0 'raw +6 h +2160' "$monitor" plan --ports 25704
expect 0 '' "$monitor" plan --ports 25704 --max-size 2 --json
check jq -e '.fits and .bytes <= 2147483648 and .raw_hours == 1 and .hours_days < 400' "$scratch/stdout" >"$scratch/null"
expect 0 'exceeds --max-size' "$monitor" plan --ports 25704 --max-size 0.1
expect 2 '' "$monitor" plan
expect 2 '' "$monitor" plan --ports 0
expect 2 '' "$monitor" plan --ports 10 --interval 0

# ---- control characters in names of the fabric do not reach the terminal ----
for list in links ports nodes events; do
  grep -q $'\x1b' < <("$monitor" "$list" -d "$database") && fail "an escape character from $list"
done
exit 0
