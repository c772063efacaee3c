#!/usr/bin/env bash
# In all programs only hosts are endpoints of traffic. Routers and aggregation nodes are routed but do not count, whatever their
# names and number are. Descriptions that do not name a node never reach files for other programs.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
"$bin/make_topo" xgft 8,4 1,4 --lids --rate 4xNDR 2>/dev/null >plain
awk '/^Ca/ { sub(/# ".*"/, sprintf("# \"node%d mlx5_0\"", ++n)) } { print }' plain >without.net

# with_others SEED: prints the same fabric with routers and aggregation nodes at free ports of the switches, with LIDs after all
# others.
with_others() {
  awk -v seed="$1" '
    BEGIN {
      srand(seed); free = 41; lid = 100; guid = 9437184
      count = split("MF0;mamba-1:Q3400_RA/U1/RT|node3 mlx5_0|node99 mlx5_0||localhost RT|router to the other subnet", names, "|")
      units = split("Mellanox Technologies Aggregation Node|NVIDIA Aggregation Node|aggregation node|AGGREGATION_NODE", sharp, "|")
    }
    function add(kind, description, ports, rate, switch_id, switch_lid,   id, p, text) {
      guid += 16; id = (kind == "Rt" ? "R" : "A") guid
      text = sprintf("%s\nvendid=0x2c9\ndevid=0xd2f4\nsysimgguid=0x%x\n%sguid=0x%x\n%s\t8 \"%s\"\t\t# \"%s\"\n", "", guid,
        kind == "Rt" ? "rt" : "ca", guid, kind, id, description)
      for (p = 1; p <= ports; ++p) {
        printf "[%d]\t\"%s\"[%d](%x) \t\t# \"%s\" lid %d %s\n", free + p, id, p, guid + p, description, lid, rate
        text = text sprintf("[%d](%x) \t\"%s\"[%d]\t\t# lid %d lmc 0 \"x\" lid %s %s\n", p, guid + p, switch_id, free + p, lid++,
          switch_lid, rate)
      }
      free += ports; others = others text
    }
    /^Switch/ {
      sub(/\t[0-9]+ /, "\t80 "); print; free = 41
      match($0, /"[^"]*"/); id = substr($0, RSTART + 1, RLENGTH - 2); match($0, / lid [0-9]+/); at = substr($0, RSTART + 5)
      sub(/ .*/, "", at)
      if (rand() < .7) add("Rt", names[1 + int(rand() * count)], 1 + int(rand() * 2), rand() < .5 ? "1xNDR" : "4xNDR", id, at)
      if (rand() < .4) add("Rt", names[1 + int(rand() * count)], 1, "1xXDR", id, at)
      if (rand() < .7) add("Ca", sharp[1 + int(rand() * units)], 1, "4xNDR", id, at)
      next
    }
    { print }
    END { printf "%s", others }' without.net
}

# figures NAME: writes eval_lft's figures for NAME.lft and NAME.net.
figures() {
  expect 0 '' "$bin/eval_lft" "$1.lft" "$1.net" -n 500
  grep -E '^  (mean|largest|hosts) |^Structured' stdout | sed -E 's/, of .*//' >"$1.figures"
}
"$bin/route_lft" -e pssp without.net -o without.lft 2>/dev/null
figures without
expect_line without.figures 'hosts +32 end ports'
for seed in 1 2 3 4; do
  with_others "$seed" >with.net
  check [ "$(grep -c ^Rt with.net)" -gt 0 ]
  "$bin/route_lft" -e pssp with.net -o with.lft 2>/dev/null
  routed=$(grep -c 'lid 1[0-9][0-9] lmc' with.net)
  check [ "$(grep -c '^0x00[67]' with.lft)" = $((8 * routed)) ]
  figures with
  expect_same with.figures without.figures
  expect 0 '' "$bin/eval_lft" with.lft with.net --json -n 10
  check jq -e '.routers > 0 and .hosts == 32' stdout
  expect 0 '' "$bin/eval_lft" with.lft with.net --json -n 10 --routers
  check jq -e '.hosts > 32' stdout
  expect 0 '' "$bin/order_nodes" with.lft with.net
  expect_equal 'nodes of the hostfile' "$(sort -V stdout | tr '\n' ' ')" "$(printf 'node%d ' {1..32})"
  expect 0 '' "$bin/plan_pairs" with.lft with.net --as ib_write_bw --rounds 3 -o plan
  expect_equal 'targets of ssh' "$(sed -nE "s/^pair [0-9]+ '([^']*)'.* '([^']*)' 'ib_write_bw.*/\1\n\2/p" plan/* | sort -Vu | tr '\n' ' ')" "$(printf 'node%d ' {1..32})"
  rm -r plan
  expect 0 '' "$bin/plan_pairs" with.lft with.net
  check [ "$(sed 's/ *#.*//' stdout | tr ' ' '\n' | grep -cvE '^(node[0-9]+|[0-9]+|)$')" = 0 ]
  expect 0 '32 nodes at' "$bin/convert_fabric" with.net --to slurm -o -
  check [ "$(grep -ciE 'mamba|rt|router|node99|localhost' stdout)" = 0 ]
  expect 0 '' "$bin/convert_fabric" with.net -o again.net
  check [ "$(grep -c ^Rt again.net)" = "$(grep -c ^Rt with.net)" ]
  "$bin/compare_fabric" --rules with.net >rules 2>&1 || :
  check [ "$(grep -ciE 'mamba|node99|without' rules)" = 0 ]
done

# Descriptions that do not name a node are in no hostfile, no list of ssh targets and no file of Slurm. A warning says how to fix
# this, with an example.
awk '
  BEGIN { count = split(" |localhost HCA-1|localhost HCA-2|localhost.localdomain mlx5_0|(none) mlx5_0|(none)|   |MT4123 ConnectX6   Mellanox Technologies|node30 mlx5_0", odd, "|") }
  /^Ca/ && ++n <= 9 { sub(/# ".*"/, "# \"" odd[n] "\"") } { print }' without.net >odd.net
named=$(printf 'node%d ' {10..29} 31 32)
"$bin/route_lft" -e pssp odd.net -o odd.lft 2>/dev/null
expect 0 "8 end port.* names? no node, such as '[^']*' \(H.*--node-name-map" "$bin/order_nodes" odd.lft odd.net
expect_equal 'nodes of the hostfile' "$(sort -V stdout | tr '\n' ' ')" "$named"
said stderr "2 end port.* same description, such as 'node30 mlx5_0'"
said stderr '10 nodes without a name are ignored'
expect 0 '10 nodes without a name are ignored' "$bin/plan_pairs" odd.lft odd.net --as ib_write_bw --rounds 3 -o plan
check [ "$(cat plan/* | grep -ciE 'localhost|\(none\)|^h-|node30')" = 0 ]
expect 0 "10 adapters or nodes are left out.*such as '[^']*' \(H.*--node-name-map" "$bin/convert_fabric" odd.net --to slurm -o -
check [ "$(grep -ciE 'localhost|none|h-0' stdout)" = 0 ]
"$bin/compare_fabric" --rules odd.net >rules 2>&1 || :
expect_line rules "8 end port.* names no node, such as"

# An empty description in quotes is the same as blanks, whatever id the node has in the file. A node line without a description is
# named by its id.
sed 's/# " "/# ""/; s/# "   "/# ""/' odd.net >empty.net
expect_equal 'empty descriptions' "$(grep -c '^Ca.*"H0[0-9]*".*# ""$' empty.net)" 2
"$bin/route_lft" -e pssp empty.net -o empty.lft 2>/dev/null
expect_same odd.lft empty.lft
for program in order_nodes plan_pairs; do
  expect 0 "8 end port.* names? no node, such as '[^']*' \(H" "$bin/$program" empty.lft empty.net
  mv stdout empty.out
  expect 0 '' "$bin/$program" odd.lft odd.net
  expect_same stdout empty.out "$program with empty descriptions and blank ones"
done
expect 0 "10 adapters or nodes are left out" "$bin/convert_fabric" empty.net --to slurm -o -
check [ "$(grep -ciE 'localhost|none|h0' stdout)" = 0 ]
sed 's/# ""$//' empty.net >bare.net
expect 0 "6 end port.* names? no node, such as" "$bin/order_nodes" empty.lft bare.net
check [ "$(grep -c '^h0' stdout)" = 2 ]

# The first word of a mapped name is the node name.
awk -F'"' '/^caguid/ { split($0, guid, "="); printf "%s \"plato%d  MT4119 ConnectX5 in rack %d\"\n", guid[2], ++n, n % 3 }' odd.net >map
expect 0 '' "$bin/order_nodes" odd.lft odd.net --node-name-map map
expect_equal 'mapped nodes' "$(sort -V stdout | tr '\n' ' ')" "$(printf 'plato%d ' {1..32})"
expect 0 '' "$bin/convert_fabric" odd.net --to slurm --node-name-map map -o -
said stdout '32 nodes at'
said_nothing_of() { check [ "$(grep -c "$1" stderr)" = 0 ]; }
said_nothing_of 'left out'

# Blanks around a description are ignored.
sed -E '/^(Ca|Switch)/ s/# "([^"]*)"/# "  \1 "/' without.net >blanks.net
expect 0 '' "$bin/compare_fabric" without.net blanks.net
"$bin/route_lft" -e pssp blanks.net -o blanks.lft 2>/dev/null
expect 0 '' "$bin/order_nodes" blanks.lft blanks.net
check [ "$(grep -c ' ' stdout)" = 0 ]
