#!/usr/bin/env bash
# route_lft --lanes, eval_lft --count-lanes and --service-levels. The test follows all routes independently
# (lane_dependencies.awk), and tsort searches for cycles.
# shellcheck source=tests/tools/eval_lft/cli_testing.sh
. "$(dirname "$(readlink -f "$0")")/cli_testing.sh"
route=$bin/route_lft
eval=$bin/eval_lft

# lanes_of TOPOLOGY TABLES LEVELS [AWK OPTION...]: prints "lane dependencies free" or "... circle" for each lane.
lanes_of() {
  topology=$1 tables=$2 levels=$3
  shift 3
  awk "$@" -f "$here/lane_dependencies.awk" "$topology" "$tables" "$levels" >edges.txt || echo 'walk failed'
  cut -d ' ' -f 1 edges.txt | sort -u >lanes.txt
  while read -r lane; do
    sed -n "s/^$lane //p" edges.txt >lane.txt
    verdict=circle
    tsort lane.txt >/dev/null 2>&1 && verdict=free
    echo "$lane $(wc -l <lane.txt) $verdict"
  done <lanes.txt
}

# said_lanes VERDICT: prints the lanes in eval_lft's report in stdout, in the format of lanes_of.
said_lanes() { sed -n "/^Virtual lanes/,/^\$/s/^ *\([0-9]*\) *[0-9]* *[0-9.]* % *\([0-9]*\)\$/\1 \2 $1/p" stdout; }

# used: prints the number of lanes in use according to route_lft.
used() { sed -n 's/^route_lft: \([0-9]*\) of [0-9]* virtual lanes.*/\1/p' stderr; }

# Assignments are correct: tsort finds no cycles, and eval_lft counts the same number of dependencies.
for fabric in 'torus 5x5 --hosts 2:pssp:8' 'torus 4x4x3:p2ssp:8' 'torus 5x5 --hosts 2:meshdor:2' 'hypercube 4:pssp:4' \
  'mesh 4x4 --hosts 2:pssp:3' 'random-regular 16 --degree 4 --hosts 3:pssp:8' 'k-ary-n-tree 4 2:pssp:1' \
  'dragonfly --switches 4 --global-links 1:p2ssp:3' 'torus 5x5 --kill-links 6 --seed 3:pssp:8' \
  'torus 5x5 --kill-links 6 --seed 3:updown:1' 'k-ary-n-tree 3 3 --kill-links 4 --seed 1:updown:1'; do
  layers=${fabric##*:} spec=${fabric%:*}
  engine=${spec##*:} spec=${spec%:*}
  # shellcheck disable=SC2086 # words of make_topo
  "$bin/make_topo" $spec -o plain.net 2>/dev/null || fail "make_topo $spec"
  for option in '' --reversible --balance --end-ports-only; do
    # shellcheck disable=SC2086 # none or one
    status=0
    "$route" --engine "$engine" plain.net --lanes "$layers" $option --write-topology t.net -o t.lft 2>stderr || status=$?
    # Using one lane for both directions may need more lanes than are available.
    [ "$option" = --reversible ] && [ $status -eq 5 ] && continue
    expect_equal "status of $fabric $option" $status 0
    only=0 flag=
    [ "$option" = --end-ports-only ] && only=1 flag=--end-ports-only
    lanes_of t.net t.lft t.lft.sl -v "end_ports_only=$only" >by_tsort.txt
    check test -s by_tsort.txt
    check test "$(grep -cv 'free$' by_tsort.txt)" -eq 0
    check test "$(wc -l <by_tsort.txt)" -le "$(used)"
    [ "$option" = --balance ] && expect_equal "balance of $fabric" "$(used)" "$layers"
    # shellcheck disable=SC2086 # none or one
    expect 0 'free of deadlocks' "$eval" t.lft t.net -n 10 --service-levels t.lft.sl $flag
    # A lane whose routes have one channel each has no dependencies.
    expect_equal "dependencies of $fabric $option" "$(said_lanes free | grep -v ' 0 free')" "$(cat by_tsort.txt)"
    [ "$option" = --reversible ] || continue
    # The level from the switch of host a to host b must be the same as in the reverse direction.
    expect 0 . awk -f "$here/lane_directions.awk" t.net t.lft.sl
  done
done

# Levels with a credit loop: all routes on lane 0, and then on lane 3.
"$bin/make_topo" torus 5x5 -o torus.net 2>/dev/null
expect 0 '' "$route" --engine pssp torus.net --lanes 8 -o torus.lft
awk '/^0x/ { gsub(/[0-9]/, "0", $2) } { print }' torus.lft.sl >zero.sl
awk '/^0x/ { gsub(/[0-9]/, "3", $2) } { print }' torus.lft.sl >three.sl
expect 7 'NOT SAFE' "$eval" torus.lft torus.net -n 10 --service-levels zero.sl
expect 7 'lane 0: [0-9]+ channels wait for each other' "$eval" torus.lft torus.net -n 10 --service-levels zero.sl
expect 7 'lane 3: [0-9]+ channels wait for each other' "$eval" torus.lft torus.net -n 10 --service-levels three.sl
expect 7 '"cycle_lane": 3' "$eval" torus.lft torus.net -n 10 --service-levels three.sl --json
expect 7 '"deadlock_free": false' "$eval" torus.lft torus.net -n 10 --service-levels three.sl --json
# The reported cycle exists: by the independently followed routes, each channel waits for the next.
"$route" --engine pssp torus.net --write-topology torus_lids.net -o torus_lids.lft 2>/dev/null
lanes_of torus_lids.net torus_lids.lft zero.sl >by_tsort.txt
expect_equal 'lanes of zero.sl' "$(cut -d ' ' -f 1,3 by_tsort.txt)" '0 circle'
expect 7 '' "$eval" torus.lft torus.net -n 10 --service-levels zero.sl
sed -n '/lane 0: .* channels wait/,/^$/s/^  \(S[0-9]*\)[^[]*\[\([0-9]*\)\] -> .*/\1 \2/p' stdout >circle.txt
awk 'FNR == NR && /^switchguid/ { guid = $0; gsub(/.*0x|\(.*/, "", guid); next }
  FNR == NR { if (/^Switch/) { split($0, quoted, "\""); of[quoted[2]] = guid } next }
  { channel[FNR] = of[$1] "[" $2 "]" }
  END { for (i = 1; i in channel; i++) print channel[i], ((i + 1) in channel ? channel[i + 1] : channel[1]) }' \
  torus_lids.net circle.txt >waits.txt
check test "$(wc -l <waits.txt)" -gt 2
while read -r wait; do check grep -qF "0 $wait" edges.txt; done <waits.txt
# A route without a level, and a level that is not a data lane.
sed '3s/\(.*\)[0-9]$/\1./' torus.lft.sl >hole.sl
expect 7 '1 routes have no service level' "$eval" torus.lft torus.net -n 10 --service-levels hole.sl
expect 7 '"routes_without_level": 1' "$eval" torus.lft torus.net -n 10 --service-levels hole.sl --json
sed '3s/\(.*\)[0-9]$/\1f/' torus.lft.sl >fifteen.sl
expect 7 'lane 15 is for subnet management' "$eval" torus.lft torus.net -n 10 --service-levels fifteen.sl

# The number of lanes that tables need.
"$route" --engine pssp torus.net -o torus.lft 2>/dev/null
expect 0 'virtual lanes +2 or more; --count-lanes' "$eval" torus.lft torus.net -n 10
expect 0 '"lanes": null' "$eval" torus.lft torus.net -n 10 --json
expect 0 'virtual lanes +[2-8] suffice' "$eval" torus.lft torus.net -n 10 --count-lanes
needed=$(sed -n 's/.*virtual lanes  *\([0-9]*\) suffice.*/\1/p' stdout)
expect 0 "\"lanes\": $needed," "$eval" torus.lft torus.net -n 10 --count-lanes --json
expect 0 "virtual lanes \($needed needed\)" "$route" --engine pssp torus.net --lanes 8 -o again.lft
expect 5 "$needed virtual lanes are needed, --lanes allows 1" "$route" --engine pssp torus.net --lanes 1 -o none.lft
check test ! -e none.lft -a ! -e none.lft.sl
# In this damaged tree only the routes to and from switches close a cycle.
"$bin/make_topo" k-ary-n-tree 3 3 --kill-links 4 --seed 1 -o tree.net 2>/dev/null
expect 0 '' "$route" --engine pssp tree.net --write-topology tree_lids.net -o tree.lft --lanes 8
expect 0 'none between end ports, but one with the routes' "$eval" tree.lft tree.net -n 10
expect 0 '"credit_loop": false' "$eval" tree.lft tree.net -n 10 --json
check grep -q '"lanes": null' stdout
expect 0 'virtual lanes +2 suffice' "$eval" tree.lft tree.net -n 10 --count-lanes
expect 0 'deadlock-free on one virtual lane' "$eval" tree.lft tree.net -n 10 --end-ports-only
awk '/^0x/ { gsub(/[0-9]/, "0", $2) } { print }' tree.lft.sl >zero_tree.sl
expect 7 'lane 0: [0-9]+ channels wait' "$eval" tree.lft tree.net -n 10 --service-levels zero_tree.sl
expect 0 'free of deadlocks' "$eval" tree.lft tree.net -n 10 --service-levels zero_tree.sl --end-ports-only
expect_equal 'all routes of the tree' "$(lanes_of tree_lids.net tree.lft zero_tree.sl | cut -d ' ' -f 1,3)" '0 circle'
expect_equal 'between end ports' "$(lanes_of tree_lids.net tree.lft zero_tree.sl -v end_ports_only=1 | cut -d ' ' -f 1,3)" '0 free'
expect 0 '' "$route" --engine pssp topo.net -o one.lft
expect 0 '"lanes": 1,' "$eval" one.lft topo.net -n 10 --json
expect 0 'deadlock-free on one virtual lane' "$eval" one.lft topo.net -n 10 --count-lanes
expect 0 '"lanes": null' "$eval" one.lft topo.net -n 10 --no-credit-loops --json
expect 0 '' "$route" --engine meshdor torus.net -o dor.lft
expect 0 "index +bound .* lanes|index .*lanes" "$eval" torus.lft torus.net -n 100 --compare dor.lft --count-lanes
expect 0 '"lanes": 2,' "$eval" torus.lft torus.net -n 100 --compare dor.lft --count-lanes --json
expect 0 'credit_loop,edge_forwarding_index_bound,lanes' "$eval" torus.lft torus.net -n 100 --compare dor.lft --count-lanes \
  -o table.txt --csv -
# The output does not depend on the number of threads.
"$eval" torus.lft torus.net -n 10 --count-lanes --json -j 1 >one.json
expect 0 . "$eval" torus.lft torus.net -n 10 --count-lanes --json -j 3
expect_same stdout one.json

# Files: the levels are written beside the tables or elsewhere, and both files are written or none.
expect_same again.lft torus.lft
check test -s again.lft.sl
expect 0 'service-levels max-lid' "$route" --engine pssp torus.net --lanes 8 -o here.lft --service-levels -
cp stdout piped.sl
expect_same piped.sl again.lft.sl
check test ! -e here.lft.sl
# The default of --lanes is eight.
expect 0 ' of 8 virtual lanes' "$route" --engine pssp torus.net -o here.lft --service-levels levels
expect_same levels again.lft.sl
expect 8 'nowhere' "$route" --engine pssp torus.net --lanes 8 -o both.lft --service-levels nowhere/levels
check test ! -e both.lft
expect 8 'nowhere' "$route" --engine pssp torus.net --lanes 8 -o nowhere/both.lft --service-levels both.sl
check test ! -e both.sl
mkdir folder.sl
cp here.lft kept.lft
expect 8 'folder.sl' "$route" --engine meshdor torus.net --lanes 8 -o kept.lft --service-levels folder.sl
expect_same here.lft kept.lft
check test -z "$(find . -name '*.tmp')"
expect 0 '"lanes_used": 8' "$route" --engine meshdor torus.net --lanes 8 --balance -o here.lft --json --repeat 2

# Wrong usage.
expect 2 '--lanes' "$route" --engine pssp torus.net --lanes 0 -o x.lft
expect 2 '--lanes' "$route" --engine pssp torus.net --lanes 16 -o x.lft
expect 2 '--service-levels' "$route" --engine pssp torus.net --lanes 8
expect 2 'add --lanes' "$route" --engine pssp torus.net --reversible -o x.lft
expect 2 'add --lanes' "$route" --engine pssp torus.net --lane-effort 2 -o x.lft
expect 2 'written twice' "$route" --engine pssp torus.net --lanes 8 -o x.lft --service-levels ./x.lft
expect 2 'written twice' "$route" --engine pssp torus.net --lanes 8 -o x.lft --service-levels - --json
expect 2 'written twice' "$route" --engine pssp torus.net --write-topology -
expect 2 'excludes' "$eval" torus.lft torus.net --no-credit-loops --count-lanes
expect 2 'excludes' "$eval" torus.lft torus.net --require-acyclic --service-levels levels
expect 2 '--end-ports-only' "$eval" torus.lft torus.net --no-credit-loops --end-ports-only
expect 0 'free of deadlocks' "$eval" torus.lft torus.net -n 10 --no-credit-loops --end-ports-only --service-levels levels
expect 2 'only one of the files' "$eval" torus.lft - -n 10 --service-levels -
expect 0 'Virtual lanes by -: free of deadlocks' sh -c "'$eval' torus.lft torus.net -n 10 --service-levels - <levels"
# A file name that is not valid UTF-8.
odd=$(printf 'odd\377.lft')
expect 0 '"service_levels": "odd' "$route" --engine pssp torus.net --lanes 8 -o "$odd" --json
expect 2 '--service-levels' "$eval" torus.lft torus.net --service-levels levels --compare dor.lft
expect 2 '--service-levels' "$eval" torus.lft torus.net --service-levels levels -p rand
expect 2 '--count-lanes' "$eval" torus.lft torus.net --count-lanes -p rand
check test ! -e x.lft

# Level files that are missing, in another format, truncated, or of another fabric.
expect 3 'missing.sl' "$eval" torus.lft torus.net --service-levels missing.sl
expect 3 'service-levels max-lid' "$eval" torus.lft torus.net --service-levels torus.lft
head -n 12 levels >short.sl
expect 3 'truncated' "$eval" torus.lft torus.net --service-levels short.sl
expect 0 '' "$route" --engine pssp topo.net --lanes 8 -o small.lft
expect 4 'LIDs up to' "$eval" torus.lft torus.net --service-levels small.lft.sl
