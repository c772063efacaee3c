#!/usr/bin/env bash
# route_lft --stable: a fabric is routed, loses links, and its tables are repaired. The test counts the changed entries
# independently in the dumps.
# shellcheck source=tests/tools/eval_lft/cli_testing.sh
. "$(dirname "$(readlink -f "$0")")/../eval_lft/cli_testing.sh"
route=$bin/route_lft
topo=$bin/make_topo

# entries DUMP: prints "switch LID port" for each entry.
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' "$1"; }

# counts OLD NEW: prints the number of entries that are the same in both dumps, have another port, are only in the new one, and
# are only in the old one.
counts() {
  entries "$1" >old.entries
  entries "$2" >new.entries
  awk 'FNR == NR { port[$1, $2] = $3; next }
    !(($1, $2) in port) { added++; next }
    { if (port[$1, $2] == $3) same++; else other++; delete port[$1, $2] }
    END { print same + 0, other + 0, added + 0, length(port) }' old.entries new.entries
}

# counts_said: prints the same four numbers according to route_lft.
counts_said() {
  sed -n 's/^route_lft: \([0-9]*\) entries kept, \([0-9]*\) replaced, \([0-9]*\) moved, \([0-9]*\) added, \([0-9]*\) removed$/\1 \2 \3 \4 \5/p' stderr |
    awk '{ print $1, $2 + $3, $4, $5 }'
}

for spec in 'mesh 4x4 --hosts 2' 'torus 4x4x3' 'k-ary-n-tree 4 2' 'random-regular 16 --degree 4 --hosts 3 --lmc 1'; do
  # shellcheck disable=SC2086 # words of make_topo
  expect 0 '' "$topo" $spec --lids -o before.net
  # shellcheck disable=SC2086
  expect 0 '' "$topo" $spec --lids --kill-links 2 --seed 5 -o now.net
  expect 0 '' "$route" -e pssp before.net -o before.lft
  for gain in 25 100; do
    expect 0 '^route_lft: stable: ' "$route" --stable before.lft --stable-gain $gain now.net -o now.lft
    expect_equal "counts of $spec" "$(counts_said)" "$(counts before.lft now.lft)"
    # Routes over the failed links have moved.
    check test "$(counts before.lft now.lft | cut -d ' ' -f 2)" -gt 0
    expect 0 . "$bin/eval_lft" now.lft now.net -n 10
  done
  # Without a change of the fabric nothing changes.
  expect 0 ' 0 replaced, 0 moved, 0 added, 0 removed$' "$route" --stable now.lft now.net -o again.lft
  expect_same now.lft again.lft
done

# Repairs of the baseline: a complete fabric gets the baseline back, whatever tables are in force. Those only affect the reported
# changes.
"$topo" k-ary-n-tree 4 3 --lids -o home.net 2>/dev/null
"$topo" k-ary-n-tree 4 3 --lids --kill-links 5 --seed 2 -o some.net 2>/dev/null
"$topo" k-ary-n-tree 4 3 --lids --kill-links 6 --seed 2 -o more.net 2>/dev/null
expect 0 '' "$route" -e best home.net -o home.lft
expect 0 '' "$route" --stable home.lft --from-baseline some.net -o some.lft
expect 0 '' "$route" --stable home.lft --from-baseline --in-force some.lft home.net -o back.lft
expect_same back.lft home.lft
expect 0 '' "$route" --stable home.lft --from-baseline --in-force some.lft more.net -o kept.lft
expect_equal 'counts relative to the tables in force' "$(counts_said)" "$(counts some.lft kept.lft)"
expect 0 '' "$route" --stable home.lft --from-baseline more.net -o alone.lft
expect_same kept.lft alone.lft
expect 2 'in-force needs --from-baseline; add --from-baseline' "$route" --stable home.lft --in-force some.lft more.net -o x.lft
expect 2 'from-baseline concerns earlier tables; add --stable OLD.lft' "$route" -e pssp --from-baseline more.net -o x.lft

# A first start on a damaged tree: the baseline is the complete tree, which is repaired. If no structure is known, the baseline is
# the fabric as it is.
expect 0 '' "$route" -e pssp home.net -o home.lft
expect 0 '5 links and 0 switches are missing, inferred from the tree structure; the baseline is the complete tree' "$route" -e pssp --first-start some.net -o first.lft
expect 0 '' "$route" --stable home.lft --from-baseline some.net -o repaired.lft
expect_same first.lft repaired.lft
expect 0 'no missing link or switch could be inferred' "$route" -e pssp --first-start home.net -o first.lft
expect_same first.lft home.lft
expect 0 '' "$route" -e pssp --first-start --json some.net -o first.lft
expect_equal 'first start in JSON' "$(jq -c .first_start stdout)" '{"missing_links":5,"missing_switches":0,"baseline":"whole"}'
expect 2 'first-start and --stable exclude each other' "$route" --stable home.lft --first-start some.net -o x.lft
expect 2 'engine is missing' "$route" --first-start some.net -o x.lft
expect 2 'stable-gain concerns earlier tables; add --stable OLD.lft or --first-start' "$route" -e pssp --stable-gain 100 some.net -o x.lft
expect 0 '' "$route" -e pssp --first-start --set stable.least_gain=100 some.net -o hundred.lft

# Routing from scratch changes more entries.
"$topo" mesh 6x6 --hosts 2 --lids -o before.net 2>/dev/null
"$topo" mesh 6x6 --hosts 2 --lids --kill-links 1 -o now.net 2>/dev/null
expect 0 '' "$route" -e pssp before.net -o before.lft
expect 0 '' "$route" -e pssp now.net -o whole.lft
expect 0 '' "$route" --stable before.lft now.net -o stable.lft
whole=$(counts before.lft whole.lft | cut -d ' ' -f 2)
stable=$(counts before.lft stable.lft | cut -d ' ' -f 2)
check test "$whole" -gt $((2 * stable))

# opensm.fdbs, JSON, lanes.
awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1)
    print "dump_ucast_routes: Switch " s; print "LID    : Port : Hops : Optimal" }
  /^0x/ { print $1 " : " $2 "  : 01   : yes" }' before.lft >before.fdbs
expect 0 . "$route" --stable before.fdbs now.net -o fdbs.lft
expect_same fdbs.lft stable.lft
expect 0 '"previous": "before.lft"' "$route" --stable before.lft now.net -o json.lft --json
for member in '"engine": "stable"' '"kept": [0-9]+,' '"replaced": [1-9]' '"moved": [0-9]' '"added": 0,' '"removed": 0$'; do
  check grep -Eq "$member" stdout
done
expect 0 'of 4 virtual lanes' "$route" --stable before.lft now.net -o lanes.lft --lanes 4
check test -s lanes.lft.sl

# A topology without LIDs gets the same LIDs as long as no switch is missing.
"$topo" mesh 6x6 --hosts 2 --kill-links 1 -o plain.net 2>/dev/null
expect 0 'plain.net has no LIDs; using those of an empty subnet' "$route" --stable before.lft plain.net -o plain.lft
expect_same plain.lft stable.lft

# Wrong usage.
expect 2 '--stable repairs existing tables and calls no engine; omit --engine' "$route" --stable before.lft -e pssp now.net -o x.lft
expect 2 'calls no engine; omit --set' "$route" --stable before.lft -s max_extra_hops=1 now.net -o x.lft
expect 2 'set stable.max_extra_hops concerns earlier tables; add --stable OLD.lft' "$route" -e pssp --set stable.max_extra_hops=1 now.net -o x.lft
expect 0 '' "$route" --stable before.lft --set stable.max_extra_hops=1 now.net -o detour.lft
expect 2 'add --stable OLD.lft' "$route" -e pssp --stable-gain 10 now.net -o x.lft
expect 2 'stable-extra-hops' "$route" --stable before.lft --stable-extra-hops 16 now.net -o x.lft
expect 2 'only one of the topology and the earlier tables can come from standard input' "$route" --stable - - -o x.lft
expect 3 'missing.lft' "$route" --stable missing.lft now.net -o x.lft
expect 3 'now.net: this is a topology; --stable needs forwarding tables' "$route" --stable now.net now.net -o x.lft
"$topo" mesh 3x3 --shuffle-guids --lids -o other.net 2>/dev/null
expect 4 'none of its 36 switches is in the topology' "$route" --stable before.lft other.net -o x.lft
check test ! -e x.lft
