#!/usr/bin/env bash
# Cables without routes, inside a switch or between two adapters, are in the output or in a warning, and so are table entries and
# all other data that a format cannot express.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
convert() { expect 0 "$1" "$bin/convert_fabric" "${@:2}"; }

cat >odd.topo <<'END'
switchguid=0x10(10)
Switch	40 "S-0000000000000010"		# "leaf1" base port 0 lid 1 lmc 0
[1]	"H-0000000000000100"[1](100) 		# "n0 mlx5_0" lid 10 4xHDR
[30]	"S-0000000000000010"[31]		# "leaf1" lid 1 2xHDR
[31]	"S-0000000000000010"[30]		# "leaf1" lid 1 2xHDR
[33]	"S-0000000000000010"[33]		# "leaf1" lid 1 4xHDR

caguid=0x100
Ca	1 "H-0000000000000100"		# "n0 mlx5_0"
[1](101) 	"S-0000000000000010"[1]		# lid 10 lmc 0 "leaf1" lid 1 4xHDR

caguid=0x200
Ca	1 "H-0000000000000200"		# "n1 mlx5_0"
[1](201) 	"H-0000000000000300"[1](301)		# lid 11 lmc 0 "n2 mlx5_0" lid 12 4xEDR

caguid=0x300
Ca	1 "H-0000000000000300"		# "n2 mlx5_0"
[1](301) 	"H-0000000000000200"[1](201)		# lid 12 lmc 0 "n1 mlx5_0" lid 11 4xEDR
END
sed -i 's/(100) /(101) /' odd.topo
ends() { sed -n 's/^\(\[[0-9]*\]\)[^"]*\("[^"]*"\[[0-9]*\]\).*\( [0-9]*x[A-Z]*\)$/\1 \2\3/p' "$1" | sort; }
convert '' odd.topo -o odd.net
said_nothing_lost() { ! grep -q 'cannot represent' stderr || fail "$(<stderr)"; }
said_nothing_lost
expect_same <(ends odd.topo) <(ends odd.net)
expect_equal 'ends of cables' "$(grep -c '^\[' odd.net)" 7
convert '' odd.net -o again.net
expect_same odd.net again.net
convert 'a graph \(dot\) cannot represent 2 nodes \(e.g. .*\), 3 cables \(e.g. S-0000000000000010\[30\] - S-0000000000000010\[31\]\) and 4 LIDs$' odd.topo -o odd.dot
convert 'a network of OMNeT.* cannot represent 2 nodes .*, 3 cables .*, 4 LIDs and 2 descriptions$' odd.topo -o odd.ned
convert 'a cabling list cannot represent 1 cable .* and 4 LIDs$' odd.topo -o odd.csv
expect_equal 'rows' "$(grep -c Data odd.csv)" 3
expect 0 ' 0 statements' "$bin/compare_fabric" odd.csv odd.topo

# Entries that do not lead to a host over a cable in the output are counted.
cat >tables.lft <<'END'
Unicast lids [0-50] of switch Lid 1 guid 0x0000000000000010 ('leaf1'):
0x0001 000 # Switch portguid 0x0000000000000010: 'leaf1'
0x000a 001 # Channel Adapter portguid 0x0000000000000101: 'n0 mlx5_0'
0x000b 030 # Channel Adapter portguid 0x0000000000000201: 'n1 mlx5_0'
0x000c 030 # Channel Adapter portguid 0x0000000000000301: 'n2 mlx5_0'
0x0032 030 # unknown node and type
50 lids dumped
END
convert '1 LIDs that the dump routes have no owner in the topology: 50$' odd.topo tables.lft -o odd.lft
said_nothing_lost
expect_equal 'entries' "$(grep -c ^0x odd.lft)" 4
for kind in dot fdbs; do
  convert 'cannot represent (.* and )?3 LFT entries \(e.g. LID 1 at port 0 of S-0000000000000010\)$' odd.topo tables.lft -o "odd.$kind"
done
for kind in net ned csv; do
  convert 'cannot represent (.* and )?4 LFT entries \(e.g. ' odd.topo tables.lft -o "odd.$kind"
done
sed 's/switch Lid 1 guid 0x0000000000000010/switch Lid 2 guid 0x0000000000000020/' tables.lft >alone.lft
convert "1 owner\(s\) of LIDs are not in the output, .*: 'leaf1' \(GUID 0x0000000000000010\)$" alone.lft -o alone.out.lft
expect_equal 'entries of tables alone' "$(grep -c ^0x alone.out.lft)" 5

# Engines route the rest of the fabric. Without a switch there is nothing to route, and no file is written.
expect 0 '' "$bin/route_lft" -e best odd.topo -o odd.lft
sed '1,/^$/d; /0x100/,/^$/d' odd.topo >pair.topo
expect 5 'pair.topo: 2 adapters and no switch: there is nothing to route' "$bin/route_lft" -e best pair.topo -o pair.lft
[[ ! -e pair.lft ]] || fail 'a file without tables was written'
convert '' pair.topo -o pair.net
expect_same <(ends pair.topo) <(ends pair.net)
