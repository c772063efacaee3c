#!/usr/bin/env bash
# Every adapter belongs to a node in the hostfile of order_nodes and in Slurm's file of convert_fabric, or is counted in a warning
# with an example. Tested with random names, cut cables, nodes with two adapters, and --nodes. The adapters are counted in the
# text of the topology.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"

"$bin/make_topo" k-ary-n-tree 4 2 2>/dev/null >tree.net

# draw SEED: gives each adapter a random name: of a node with one or two adapters, one that names no node, one that another
# adapter has, too, or one that no host can have. A few adapters lose their cable.
draw() {
  awk -v seed="$1" -F '"' '
    BEGIN { srand(seed); split("localhost mlx5_0||twin mlx5_0|twin mlx5_0|a[1-3]%d mlx5_0|x$(y)%d mlx5_0", odd, "|") }
    NR == FNR { if (/^Ca/) { name[$2] = sprintf("node%d mlx5_0", ++n); r = rand()
                  if (r < .3) name[$2] = sprintf(odd[1 + int(rand() * 6)], n); else if (r < .6) name[$2] = sprintf("two%d mlx5_%d", n / 2, n % 2)
                  is_cut[$2] = rand() < .2 } next }
    /^(Ca|Switch)/ { id = $2; if (/^Ca/) sub(/# ".*"/, "# \"" name[id] "\"") }
    /^\[/ && (id in is_cut && is_cut[id] || $2 in is_cut && is_cut[$2]) { next }
    { print }' tree.net tree.net
}
# counted REGEX: prints the sum of the numbers in matching lines of stderr, each of which must have an example.
counted() {
  ! grep -qvE "'" < <(grep -E "$1" stderr) || fail "no example: $(<stderr)"
  grep -oE "[0-9]+ ($1)" stderr | awk '{ sum += $1 } END { print sum + 0 }'
}

# adapters_of: prints the number of connected adapters in drawn.net that the nodes on standard input have.
adapters_of() {
  awk -F '"' 'NR == FNR { is_named[$1] = 1; next }
    /^(Ca|Switch)/ { split($4, word, " "); is_counted = /^Ca/ && word[1] in is_named } /^\[/ { sum += is_counted } END { print sum + 0 }' - drawn.net
}

# names_of_list: prints each name in lists such as node[1-3,7],twin on a line.
names_of_list() {
  awk '{
    while (match($0, /[a-z]+(\[[^]]*\]|[0-9]*)/)) {
      numbers = stem = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
      sub(/[^a-z].*/, "", stem); sub(/^[a-z]+/, "", numbers); gsub(/[][]/, "", numbers)
      if (numbers == "") print stem
      for (i = split(numbers, range, ","); i > 0; i--) {
        if (split(range[i], end, "-") == 1) end[2] = end[1]
        for (k = end[1]; k <= end[2]; k++) print stem k
      }
    }
  }'
}

for seed in {1..12}; do
  draw "$seed" >drawn.net
  "$bin/route_lft" -e updown drawn.net -o drawn.lft 2>/dev/null
  hosts=$(grep -c '^Ca' drawn.net)
  expect 0 '' "$bin/order_nodes" drawn.lft drawn.net
  ! grep -v '^[a-z0-9]*$' stdout || fail "names that no host can have"
  sort -u stdout >written
  # Each adapter has one port, and no node with such a name has two adapters.
  lost=$(counted '(end port\(s\) (have|of)|adapter\(s\) have).*such as .*|nodes are left out: names of hosts .*')
  expect_equal "adapters of seed $seed in the hostfile" $(($(adapters_of <written) + lost)) "$hosts"
  sed -n 's/^Ca.*# "\(\(node\|two\)[0-9]*\) .*/\1/p' drawn.net | sort -u | awk -v seed="$seed" 'BEGIN { srand(seed) } rand() < .8' >listed
  echo elsewhere >>listed
  expect 0 '' "$bin/order_nodes" drawn.lft drawn.net --nodes listed --skip-unknown
  expect_equal "nodes of the list of seed $seed" $(($(wc -l <stdout) + $(counted 'names of --nodes match no node.*'))) "$(wc -l <listed)"
  expect 0 '' "$bin/convert_fabric" drawn.net --to slurm-yaml --slurm-topology all:block=1 -o drawn.yaml
  lost=$(counted '(adapters or nodes|adapters|nodes) are left out.*')
  expect 0 '' "$bin/convert_fabric" drawn.net --to slurm -o drawn.conf
  expect_equal "counts of seed $seed in both files of Slurm" "$(counted '(adapters or nodes|adapters|nodes) are left out.*')" "$lost"
  sed -n 's/.* Nodes=//p' drawn.conf | names_of_list | sort -u >written
  expect_equal "adapters of seed $seed in topology.conf" $(($(adapters_of <written) + lost)) "$hosts"
done
echo 'every host is written or counted'
