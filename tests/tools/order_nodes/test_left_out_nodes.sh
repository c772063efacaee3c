#!/usr/bin/env bash
# Every host is in the hostfile of order_nodes, and in Slurm's file of convert_fabric, or counted in a warning with an example: random
# names and cut cables; hosts are counted in the text of the topology.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"

"$bin/make_topo" k-ary-n-tree 4 2 2>/dev/null >tree.net

# draw SEED: each host gets a name of its own, one that names no node, one that another host has, too, or one that Slurm does not take;
# a few lose their cable.
draw() {
  awk -v seed="$1" -F '"' '
    BEGIN { srand(seed); split("localhost mlx5_0||twin mlx5_0|twin mlx5_0|a[1-3]%d mlx5_0", odd, "|") }
    NR == FNR { if (/^Ca/) { name[$2] = sprintf("node%d mlx5_0", ++n); r = rand(); if (r < .3) name[$2] = sprintf(odd[1 + int(rand() * 5)], n)
                  is_cut[$2] = rand() < .2 } next }
    /^(Ca|Switch)/ { id = $2; if (/^Ca/) sub(/# ".*"/, "# \"" name[id] "\"") }
    /^\[/ && (id in is_cut && is_cut[id] || $2 in is_cut && is_cut[$2]) { next }
    { print }' tree.net tree.net
}
# counted REGEX: sum of the numbers in lines of stderr that match, each of which must have an example.
counted() {
  ! grep -qvE "'" < <(grep -E "$1" stderr) || fail "no example: $(<stderr)"
  grep -oE "[0-9]+ $1" stderr | awk '{ sum += $1 } END { print sum + 0 }'
}

for seed in {1..12}; do
  draw "$seed" >drawn.net
  "$bin/route_lft" -e updown drawn.net -o drawn.lft 2>/dev/null
  hosts=$(grep -c '^Ca' drawn.net)
  expect 0 '' "$bin/order_nodes" drawn.lft drawn.net
  # Each host has one port: end ports and adapters are hosts.
  lost=$(counted '(end port\(s\) (have|of)|adapter\(s\) have).*such as .*')
  expect_equal "hosts of seed $seed in the hostfile" $(($(sort -u stdout | wc -l) + lost)) "$hosts"
  expect 0 '' "$bin/convert_fabric" drawn.net --to slurm-yaml --topology all:block=1 -o drawn.yaml
  lost=$(counted '(adapters or nodes|adapters|nodes) are left out.*')
  expect 0 '' "$bin/convert_fabric" drawn.net --to slurm -o drawn.conf
  expect_equal "counts of seed $seed in both files of Slurm" "$(counted '(adapters or nodes|adapters|nodes) are left out.*')" "$lost"
  written=$(sed -n 's/.* Nodes=//p' drawn.conf | awk '
    { gsub(/node\[/, "node["); gsub(/node/, ""); gsub(/[][]/, ""); count = split($0, part, ",")
      for (i = 1; i <= count; i++) { if (part[i] ~ /^[0-9]+-[0-9]+$/) { split(part[i], end, "-"); sum += end[2] - end[1] + 1 } else sum++ } }
    END { print sum + 0 }')
  expect_equal "hosts of seed $seed in topology.conf" $((written + lost)) "$hosts"
done
echo 'every host is written or counted'
