#!/usr/bin/env bash
# Tables are evaluated with the LIDs, LMC and rates of the simulated subnet, whatever LIDs and LMCs the file has. Topologies that
# ibsim cannot read are simulated from a normalized copy.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"
cd "$scratch"

"$bin/make_topo" xgft 4,2 1,2 --lmc 1 --lids -o two.net 2>/dev/null
"$bin/make_topo" xgft 4,2 1,2 --lids -o one.net 2>/dev/null
# usable FILE EXPECTED_LMC [OPTION...]: every engine's tables must be usable, with 8 hosts.
usable() {
  expect 0 '' "$bin/compare_engines" --engines best,minhop --patterns 20 --out "compared.$1.${*:3}" --json-file report.json "$1" "${@:3}"
  expect_equal "LMC, hosts and pairs without a route of $1 ${*:3}" \
    "$(jq -c '[.lmc, [.engines[] | [.usable, .hosts, .unreachable_pairs]]]' report.json)" \
    "[$2,[[true,8,0],[true,8,0]]]"
}
dry_run() { expect "$1" '' "$bin/dry_run" --engine minhop --patterns 20 --json --out "dry.$2.${*:3}" "$2" "${@:3}"; }

usable two.net 1
said stdout '^engine .* +all LIDs +S all '
usable two.net 0 --lmc 0
usable two.net 2 --lmc 2
usable one.net 0
usable one.net 1 --lmc 1
for lmc in 0 1 2; do
  dry_run 0 two.net -- --lmc "$lmc"
  expect_equal "pairs without a route with LMC $lmc" "$(jq -c '[.usable, .hosts, .unreachable_pairs]' stdout)" '[true,8,0]'
  expect_equal "LIDs with LMC $lmc" "$(jq .lids stdout)" $((4 + (8 << lmc)))
done
dry_run 0 two.net
expect_equal 'LIDs with the LMC of the file' "$(jq .lids stdout)" 20

# Scattered LIDs that begin at 1000; two LMCs; switches with an LMC. multiplied FACTOR OFFSET FILE: prints the file with other
# LIDs.
multiplied() {
  awk -v factor="$1" -v offset="$2" '{
    line = $0; text = ""
    while (match(line, /lid [0-9]+/)) {
      text = text substr(line, 1, RSTART + 3) (offset + factor * substr(line, RSTART + 4, RLENGTH - 4))
      line = substr(line, RSTART + RLENGTH)
    }
    print text line }' "$3"
}
multiplied 14 1000 two.net >scattered.net
usable scattered.net 1
expect_same <(sed -n 's/^\[.*# lid \([0-9]* lmc [0-9]\).*/\1/p' scattered.net | sort) \
  <(sed -n 's/^\[.*# lid \([0-9]* lmc [0-9]\).*/\1/p' compared.scattered.net./topology.net | sort) 'LIDs of the file and of the copy'
awk '/^Ca/ { host++ } /^\[.*# lid [0-9]+ lmc 1/ && host % 2 { sub(/lmc 1/, "lmc 0") } { print }' two.net >mixed.net
usable mixed.net 1
said stdout 'LMC 0 at 4 adapter port\(s\) .*, LMC 1 at 4 adapter port\(s\) .*; opensm assigns one LMC to all ports: LMC 1 is simulated, with new LIDs$'
usable mixed.net 0 --lmc 0
multiplied 2 0 two.net | sed -E 's/base port 0 (lid [0-9]+) lmc 0/enhanced port 0 \1 lmc 1/' >switches.net
usable switches.net 1
dry_run 0 switches.net
expect_equal 'LIDs where switches have an LMC, too' "$(jq .lids stdout)" 24

# Engines whose options lead to other LIDs are not compared.
expect 0 '' "$bin/compare_engines" --engines minhop,updn:lmc=2 --patterns 20 --out other one.net
said stdout '^updn:lmc=2: failed: opensm assigned other LIDs than with minhop'

# The report has the LMC in force if --conf or an engine's option sets it, and never uses another one.
echo 'lmc 1' >lmc.conf
usable one.net 1 --conf lmc.conf
usable two.net 1 --conf lmc.conf
said stdout '^engine .* +all LIDs +S all '
expect 0 '' "$bin/compare_engines" --engines minhop:lmc=2 --patterns 20 --out option --json-file report.json one.net
expect_equal 'LMC of an option' "$(jq -c '[.lmc, .engines[0].all_lids.lids_scored]' report.json)" '[2,4]'
expect 2 'lmc.conf sets lmc 1, which would replace the value of --lmc' "$bin/compare_engines" --engines minhop --lmc 0,1 --conf lmc.conf --out both one.net
expect 5 '' "$bin/compare_engines" --engines minhop:lmc=1 --lmc 0 --patterns 20 --out option0 one.net
said stdout '^minhop:lmc=1: failed: opensm used LMC 1 and not 0 \(--lmc\)'

# Tables that connect all hosts but not all switches for management: opensm's updn has no path upward from below.
"$bin/make_topo" k-ary-n-tree 4 2 --kill-links 2 --lids -o killed.net 2>/dev/null
expect 0 '' "$bin/compare_engines" --engines updn,minhop --patterns 20 --out killed --json-file report.json killed.net
said stdout '^updn: not usable: 8 pairs of end port and switch have no route \(management\); e\.g\. unreachable: no route from the end ports at S0'
expect_equal 'pairs without a route' "$(jq -c '[.engines[] | [.usable, .unreachable_switch_pairs]]' report.json)" '[[false,8],[true,0]]'

# A router at 1x, whose LID ibsim does not read, and rates that ibsim does not know.
"$bin/make_topo" xgft 4,2 1,2 --lids --rate 4xSDR -o tree.net 2>/dev/null
{
  sed -e 's/4xSDR/4xNDR/' -e '/^Switch.*"S00000"/ { s/Switch\t[0-9]*/Switch\t40/
    a [40]\t"R0"[1](900001) \t\t# "router" lid 77 1xNDR
    }' tree.net
  printf '\nrtguid=0x900000\nRt\t8 "R0"\t\t# "router"\n[1](900001) \t"S00000"[40]\t\t# lid 77 lmc 0 "leaf 1" lid 2 1xNDR\n'
} >router.net
expect 0 '' "$bin/compare_engines" --engines minhop --patterns 20 --out routed --json-file report.json router.net
said stdout 'ibsim supports no rate above HDR: [0-9]+ cables are faster, 4xNDR at most'
said stdout "opensm assigned 1 ports other LIDs than the file, e.g. 'R0' port 1, LID 77"
expect_equal 'the router' "$(jq -c '[.engines[0].usable, .engines[0].unreachable_pairs]' report.json)" '[true,0]'
expect_line routed/topology.net '"router" lid [0-9]* 1xNDR$'
dry_run 0 router.net
said stderr '^dry_run: warning: .*ibsim supports no rate above HDR'
sed 's/4xSDR/8xXDR/' tree.net >xdr.net
usable xdr.net 0
sed 's/4xSDR/2xHDR/; s/"leaf 1 host 1"/"w=9 "x" lid 3"/' tree.net >odd.net
usable odd.net 0

# A fabric without a switch.
printf 'caguid=0x1\nCa\t1 "A"\t# "a"\n[1]\t"B"[1]\t# lid 1 lmc 0 "b" lid 2 4xEDR\n\ncaguid=0x10\nCa\t1 "B"\t# "b"\n[1]\t"A"[1]\t# lid 2 lmc 0 "a" lid 1 4xEDR\n' >pair.net
expect 5 '2 adapters and no switch: there is nothing to route' "$bin/compare_engines" --engines minhop --out pair pair.net
expect 5 '2 adapters and no switch: there is nothing to route' "$bin/dry_run" --engine minhop --out pair2 pair.net
nothing_runs || fail 'something still runs'
