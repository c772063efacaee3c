#!/usr/bin/env bash
# fault_impact: every single fault of small fabrics, compared with eval_lft and route_lft on the damaged fabric.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 2 2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
impact() { expect "$1" "$2" "$bin/fault_impact" "${@:3}"; }

# Four links between two leaves and two spines; a path remains after each fault.
impact 0 '4 single faults, repair stable, 50 bisections' tree.lft tree.net --patterns 50
impact 0 '"faults": 4,' tree.lft tree.net --patterns 50 --json
check jq -e '(.faults | length) == 4 and .summary.unusable == 0 and .summary.cut_hosts_off == 0 and .intact.usable' stdout
check jq -e '[.faults[].ebb] == ([.faults[].ebb] | sort)' stdout
check jq -e '.summary.ebb_least == (.faults | map(.ebb) | min) and (.faults[] | .unreachable_pairs == 0 and .kind == "link")' stdout
sed 's/"repair_ms": .*/"repair_ms"/' stdout >one
for threads in 1 2 16; do
  "$bin/fault_impact" tree.lft tree.net --patterns 50 --json -j "$threads" | sed 's/"repair_ms": .*/"repair_ms"/' >other
  expect_same one other
done

# One link by name: bandwidth and tables must be those of make_topo, route_lft and eval_lft.
sed -n 's/^Switch.*"\(S[0-9]*\)".*/\1/p' tree.net >switches
leaf=$(awk '/^Switch/ { name = $3 } /^\[/ && /"H/ { gsub(/"/, "", name); print name; exit }' tree.net)
printf '# a leaf and its first port to a spine\n%s 3\n%s 3\n' "$leaf" "$leaf" >links.txt
impact 0 '"faults": 1,' tree.lft tree.net --links links.txt --patterns 50 --json
fault=$(jq -r '.faults[0].ebb' stdout)
changed=$(jq -r '.faults[0] | .changed_for_hosts + .changed_for_management' stdout)
awk -v leaf="\"$leaf\"" '/^(Switch|Hca|Ca)/ { at = $3 } !(at == leaf && /^\[3\]/) { print }' tree.net >half.net
spine=$(awk -v leaf="\"$leaf\"" '/^Switch/ { at = $3 } at == leaf && /^\[3\]/ { split($2, part, "\""); print part[2] }' tree.net)
awk -v leaf="\"$leaf\"" -v spine="\"$spine\"" '/^(Switch|Hca|Ca)/ { at = $3 } !(at == spine && index($2, leaf "[3]") == 1) { print }' half.net >damaged.net
"$bin/route_lft" --stable tree.lft damaged.net -o damaged.lft 2>/dev/null
check [ "$("$bin/eval_lft" damaged.lft damaged.net -n 50 --json | jq .ebb.mean)" = "$fault" ]
check [ "$changed" -gt 0 ]

# Repair of the baseline, as in opensm: the tables of route_lft --from-baseline.
impact 0 '"repair": "baseline"' tree.lft tree.net --links links.txt --patterns 50 --repair baseline --json
"$bin/route_lft" --stable tree.lft --from-baseline damaged.net -o repaired.lft 2>/dev/null
check [ "$("$bin/eval_lft" repaired.lft damaged.net -n 50 --json | jq .ebb.mean)" = "$(jq -r '.faults[0].ebb' stdout)" ]
gone=$(cat tree.lft repaired.lft | awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' | sort | uniq -u | awk '{ print $1, $2 }' | sort -u | wc -l)
check [ "$gone" = "$(jq -r '.faults[0] | .changed_for_hosts + .changed_for_management' stdout)" ]

# Without repair the tables are broken, and the report says so.
impact 0 'BROKEN' tree.lft tree.net --patterns 20 --repair none
impact 0 'repair scratch:pssp' tree.lft tree.net --patterns 20 --repair scratch:pssp --links 2 --seed 3
# A failed leaf disconnects its hosts; a failed spine does not.
impact 0 'Faults that cut hosts off \(2\)' tree.lft tree.net --patterns 20 --switches all
"$bin/make_topo" mesh 2x2 --lids -o mesh.net 2>/dev/null
"$bin/route_lft" -e meshdor mesh.net -o mesh.lft 2>/dev/null
impact 0 'Faults without tables \(4\)' mesh.lft mesh.net --patterns 20 --repair scratch:heal

impact 2 'expected stable, baseline' tree.lft tree.net --repair often
impact 2 'nonesuch' tree.lft tree.net --repair scratch:nonesuch
impact 2 'without forwarding tables' tree.net
impact 3 'missing' tree.lft tree.net --links missing
printf 'S9 1\n' >links.txt
impact 3 'links.txt:1' tree.lft tree.net --links links.txt
printf '%s 1\n' "$leaf" >links.txt
impact 3 'no link to another switch' tree.lft tree.net --links links.txt
sed 's/^\(0x[0-9a-f]*\) 00[1-4]/\1 000/' tree.lft >broken.lft
impact 7 'already broken' broken.lft tree.net
