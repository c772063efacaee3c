#!/usr/bin/env bash
# The users of a link and the traffic of a job, for known traffic: shares and bounds hold, for jobs of the database and of a file. Control
# characters in names of jobs are escaped.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without jq
monitor=$bin/monitor_fabric
[[ -x $monitor ]] || skip 'monitor_fabric is not built'
mkdir "$scratch/phases" "$scratch/constant"
"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch/phases" phases 30
"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch/constant" constant 30
database=$scratch/phases/history.db
truth=$scratch/phases/truth
all='--since 2023-11-14'

# ---- jobs ----
# shellcheck disable=SC2086  # several words
expect 0 '' "$monitor" jobs -d "$database" $all --json
check jq -e 'length == 6 and .[0].name == "a|b <x>\"\\u{1b}]0;owned\\u{7}\\u{202e}" and .[1].unmatched == ["elsewhere"] and
  all(.[]; .state == "RUNNING" and .start == 1699999940000 and (.nodes | length) > 0 and .source == "slurm")' "$scratch/stdout" >"$scratch/null"
expect 0 '' "$monitor" jobs --jobs "$scratch/phases/jobs" --json
check jq -e 'length == 6 and all(.[]; .unmatched == [])' "$scratch/stdout" >"$scratch/null"
expect 0 '' "$monitor" jobs -d "$database" --jobs "$scratch/phases/jobs"
said stdout '^101 +job of .* +bert +RUNNING +2023-11-14 22:12:20 +- +[0-9]+ +1$'
printf '[jobs]\nusers = hide\n' >"$scratch/hide.conf"
# shellcheck disable=SC2086
expect 0 '' "$monitor" jobs -d "$database" $all --config "$scratch/hide.conf"
! grep -qE 'anna|bert' "$scratch/stdout" || fail 'users = hide shows users'
expect 2 'use --database, --jobs or --slurm' "$monitor" jobs

# ---- who: the busiest channels, in phases ----
# Channels sorted by bytes: "guid port job bytes" of the largest user.
sort -k1,1 -k2,2n "$truth" | awk '{key = $1 " " $2; sum[key] += $4; if ($4 > most[key]) {most[key] = $4; who[key] = $3}}
  END {for (key in sum) printf "%.0f %s %s %.0f\n", sum[key], key, who[key], most[key]}' | sort -rn | sed -n 1,8p >"$scratch/hot"
right=0
while read -r _ guid port _ most; do
  expect 0 '' "$monitor" who "${guid}[$port]" -d "$database" --json -o "$scratch/users"
  jq -r '.jobs[] | select(.id != null) | [.id, .sure_low, .sure_high, .low, .high, .share] | join(" ")' "$scratch/users" >"$scratch/shares"
  bytes=$(jq .bytes "$scratch/users")
  # Every true value is within its bounds, also for jobs that are not listed.
  awk -v guid="$guid" -v port="$port" -v bytes="$bytes" 'FNR == NR {low[$1] = $2; high[$1] = $3; next}
    $1 == guid && $2 == port {share = $4 / bytes; if (share < low[$3] - 1e-6 || share > high[$3] + 1e-6) {print $3, share, low[$3], high[$3]; bad = 1}}
    END {exit bad}' "$scratch/shares" "$truth" || fail "bounds of ${guid}[$port] do not hold"
  first=$(jq -r '.jobs[0].id' "$scratch/users")
  named=$(awk -v guid="$guid" -v port="$port" -v job="$first" '$1 == guid && $2 == port && $3 == job {print $4}' "$truth")
  if awk -v a="${named:-0}" -v b="$most" 'BEGIN {exit !(a >= .95 * b)}'; then right=$((right + 1)); fi
  check jq -e 'all(.jobs[]; .sure_low <= .low + 1e-9 and .low <= .share + 1e-9 and .share <= .high + 1e-9 and .high <= .sure_high + 1e-9 and
    (.evidence | IN("only user", "time series", "estimate"))) and .unexplained >= 0 and .window.sweeps == 30 and .utilisation > 0' \
    "$scratch/users" >"$scratch/null"
done <"$scratch/hot"
((right >= 7)) || fail "the first listed job is the largest user of only $right of 8 channels"

read -r _ guid port _ _ <"$scratch/hot"
expect 0 '' "$monitor" who "${guid}[$port]" -d "$database"
cp "$scratch/stdout" "$scratch/by_database"
said stdout 'not explained: [0-9.]+ %'
said stdout '(time series|only user)'
expect 0 '' "$monitor" who "${guid}[$port]" -d "$database" --jobs "$scratch/phases/jobs"
expect_equal 'who by jobs of a file' "$(<"$scratch/stdout")" "$(<"$scratch/by_database")"
! grep -q $'\x1b' "$scratch/by_database" || fail 'the terminal gets an escape sequence'

# ---- jobs of constant rate cannot be distinguished ----
expect 0 '' "$monitor" who "${guid}[$port]" -d "$scratch/constant/history.db" --json
check jq -e 'all(.jobs[]; .evidence != "time series")' "$scratch/stdout" >"$scratch/null"

# ---- the cable of a host: only its job; a shared host: all jobs that may send to it ----
host=$(sed -n 's/.*"nodes":\["\([^"]*\)".*/\1/p' "$scratch/phases/jobs" | sed -n 1p)
expect 0 '' "$monitor" who "$host HCA-1 port 1" -d "$database" --json
check jq -e '(.jobs | length) == 1 and .jobs[0].id == "100" and .jobs[0].evidence == "only user" and .jobs[0].sure_low > .99' "$scratch/stdout" >"$scratch/null"
expect 0 '' "$monitor" who "$host HCA-1[1]" -d "$database" --json --shared-hosts "$host"
check jq -e '.jobs[0].sure_low == 0 and (.jobs[0].wide_reason | test("serves other jobs"))' "$scratch/stdout" >"$scratch/null"

# ---- job ----
expect 0 '' "$monitor" job 100 -d "$database" --json
check jq -e '(.links | length) > 0 and .may_use >= (.links | length) and .sent > 0 and (.timeline.time | length) == 30 and .job.id == "100" and
  ([.links[] | .share * .bytes] | . == (sort | reverse)) and all(.links[]; .peer != null and (.others | type) == "array")' "$scratch/stdout" >"$scratch/null"
expect 0 '' "$monitor" job 101 -d "$database" --top 3
said stdout '1 of its names match no node: elsewhere'
said stdout '^slowest: '
expect 0 '' "$monitor" job 100 -d "$database"
! grep -q $'\x1b' "$scratch/stdout" || fail 'the name of a job is printed as it is'

# ---- refused requests ----
expect 2 'no such job' "$monitor" job "100' OR 1" -d "$database"
expect 2 'no such node' "$monitor" who 'nowhere[1]' -d "$database"
expect 2 'the port is missing' "$monitor" who "$guid" -d "$database"
expect 2 'no such port' "$monitor" who "${guid}[200]" -d "$database"
expect 2 'one group' "$monitor" who "${guid}[$port]" -d "$database" --node-names '('
"$PSSP_BUILD_DIR/tests/write_history" "$scratch/plain.db" 5
name=$("$monitor" nodes -d "$scratch/plain.db" --json | jq -r '[.[] | select(.kind == "switch")][0].guid')
expect 3 'no forwarding tables' "$monitor" who "${name}[2]" -d "$scratch/plain.db"
