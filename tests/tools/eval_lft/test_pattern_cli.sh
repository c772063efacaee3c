#!/usr/bin/env bash
# Command lines of eval_lft for patterns, paths and comparisons.
# shellcheck source=tests/tools/eval_lft/cli_testing.sh
. "$(dirname "$(readlink -f "$0")")/cli_testing.sh"

eval=$bin/eval_lft
check "$bin/route_lft" --engine pssp topo.net -o a.lft
# All routes to S2's hosts use one of the two cables.
sed '/guid 0x0000000000200000/,/lids dumped/ s/ 004 / 003 /' a.lft >b.lft

# simulate PATTERN ARGUMENT...: evaluates a pattern on the tables.
simulate() { "$eval" a.lft topo.net -p "$@"; }

# Patterns. Four hosts, two on each of two switches with two cables between them: permutations have no contention.
expect 0 'weight 3: 3 of the 3 connections' simulate gather --num-runs 1
# Both hosts of the other switch use the only path to the root.
expect 0 'weight 2: 2 of the 3 connections' simulate gather --num-runs 1 --no-host-links
expect 0 'weight 1: 80 of the 80 connections' simulate bruck --num-runs 10
expect 0 'sum 2: 10 of the 10 runs' simulate bruck --num-runs 10 --metric sum_max_cong
expect 0 'delay 2: 10 of the 10 runs' simulate tree --num-runs 10 --metric dep_max_delay
expect 0 'optimistic +bandwidth 1.0' simulate ring --num-runs 10 --metric bounds
expect 0 '1 level' simulate neighbor:2 --num-runs 2
expect 0 'ranks +3 on 4' simulate rand --num-runs 2 --commsize 3
expect 0 'ranks +2 on 4' simulate bisect --num-runs 2 -s 2
expect 0 'tree bisect' simulate ptrnvsptrn --first-ptrn tree --second-ptrn bisect --part-commsize 2
expect 0 '"runs"|"hist_max_cong"' simulate rand --json --num-runs 3
expect 0 'H1 .*-> H3|H1 -> H3' simulate shift:2 --printptrn --no-shuffle --subset guid_asc
expect 0 'edge|->' simulate bruck --metric get_cable_cong --num-runs 2
expect 0 'color' simulate bruck --metric get_cable_cong --num-runs 2
expect 0 'all_to_all' "$eval" --list
expect 0 '80[.,]89' "$eval" a.lft topo.net --time-shares 27.4%:0.374,4.6%:0.574

# The runs do not depend on the number of threads; the CSV has a line for each run.
simulate rand --num-runs 20 --csv runs1.csv -j 1 >one.txt
simulate rand --num-runs 20 --csv runs2.csv -j 2 >two.txt
expect_same one.txt two.txt
expect_same runs1.csv runs2.csv
check [ "$(wc -l <runs1.csv)" -eq 21 ]
expect 0 'Effective' "$eval" a.lft topo.net -n 40 --csv bisections.csv --host-csv hosts.csv
check [ "$(wc -l <bisections.csv)" -eq 41 ]
check [ "$(wc -l <hosts.csv)" -eq 5 ]

# Paths.
expect 0 'hops 1' "$eval" a.lft topo.net --path H1 H3
expect 0 '"outcome": "arrives"|"arrives"' "$eval" a.lft topo.net --path H1 H3 --json
printf 'H1 H2\nH3 "H4" # a pair\n' >pairs.txt
expect 0 'H3' "$eval" a.lft topo.net --pairs pairs.txt
printf 'H1 H9\n' >wrong.txt
expect 3 'wrong.txt:1' "$eval" a.lft topo.net --pairs wrong.txt
expect 2 'H9' "$eval" a.lft topo.net --path H1 H9

# Comparison: the tables that use one cable are significantly worse.
expect 0 'worse' "$eval" a.lft topo.net --compare b.lft -n 500
expect 0 'better' "$eval" b.lft topo.net --compare a.lft -n 500
expect 0 'the same in every run' "$eval" a.lft topo.net --compare a.lft -n 500
expect 0 'worse' "$eval" a.lft topo.net --compare b.lft -p rand --num-runs 500 --metric sum_max_cong
expect 0 '"verdict"' "$eval" a.lft topo.net --compare b.lft -n 100 --json
# A file name that is not valid UTF-8 does not prevent the report.
odd=$(printf 'odd\377.lft')
cp b.lft "$odd"
expect 0 '"verdict"' "$eval" a.lft topo.net --compare "$odd" -n 100 --json

# Precision.
expect 0 'mean' "$eval" b.lft topo.net --precision 0.01
expect 0 'wider than the requested precision' "$eval" b.lft topo.net --precision 0.0001 -n 2000

# Wrong arguments are reported.
expect 2 'nonesuch' simulate nonesuch
expect 2 'neighbor' simulate neighbor
expect 2 'nonesuch' simulate rand --metric nonesuch
expect 2 'hosts' simulate rand --commsize 5
expect 2 'level' simulate tree --ptrn-level 9
expect 2 '--ptrn' "$eval" a.lft topo.net --num-runs 5
expect 2 '--num-runs' simulate rand -n 5
expect 2 '--metric' "$eval" a.lft topo.net --metric bounds
expect 2 'one of them' "$eval" a.lft topo.net --path H1 H2 -p rand
expect 2 'get_cable_cong' simulate rand --metric get_cable_cong --metric bounds
for option in '--top 3' '--worst-pairs 2' '--examples 1' --require-acyclic --no-credit-loops --count-lanes --end-ports-only '--host-csv h.csv'; do
  # shellcheck disable=SC2086  # an option and its value
  expect 2 "^eval_lft: ${option%% *} is for the report" simulate rand $option
  # shellcheck disable=SC2086
  expect 2 "^eval_lft: ${option%% *} is for the report" "$eval" a.lft topo.net --path H1 H2 $option
  # shellcheck disable=SC2086
  expect 2 "^eval_lft: ${option%% *} is for the report" "$eval" a.lft topo.net --time-shares 50%:tree $option
done
for option in '--top 3' '--worst-pairs 2' '--examples 1' '--host-csv h.csv'; do
  # shellcheck disable=SC2086
  expect 2 "^eval_lft: ${option%% *} is for the report on one set" "$eval" a.lft topo.net --compare b.lft $option
done
expect 2 '--json cannot be combined with --printptrn' simulate rand --printptrn --json
expect 2 '--map draws one set' simulate rand --compare b.lft --map x.svg
expect 0 'worse' "$eval" a.lft topo.net --compare b.lft -p rand --num-runs 500 --metric sum_max_cong --no-credit-loops
expect 0 'worse' "$eval" a.lft topo.net --compare b.lft -n 500 --require-acyclic
check [ ! -e h.csv ]
expect 2 '--map' "$eval" a.lft topo.net --path H1 H2 --map x.svg
expect 2 'x.pfd' "$eval" a.lft topo.net --map x.pfd
expect 2 'x.txt' "$eval" a.lft topo.net --plot x.txt
expect 3 'missing.txt' simulate file:missing.txt
expect 3 'missing.txt' simulate rand --node-ordering-file missing.txt
expect 8 'nowhere' simulate rand --csv nowhere/runs.csv
