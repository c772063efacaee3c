#!/usr/bin/env bash
# order_nodes: the costs of orders are those that eval_lft counts, no order is worse than the given one, all formats work, and
# wrong input is refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 3 --lids 2>/dev/null |
  awk '/^Ca/ { sub(/# ".*"/, sprintf("# \"node%d\"", ++n)) } { print }' >tree.net
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
order() { expect "$1" "$2" "$bin/order_nodes" "${@:3}"; }

# shellcheck disable=SC2016
never_worse='.written as $name | (.orders[] | select(.name == $name).slowest_flow) <= (.orders[0:2] | map(.slowest_flow) | min)'

# Every thirteenth node: neighbors in the list are far apart in the tree.
awk 'BEGIN { for (k = 0; k < 32; ++k) print "node" (k * 13) % 32 + 1 }' >hosts
for for in ring recursive-doubling stencil:4x8; do
  case $for in
  ring) ptrn=shift:1 levels=1 own=1 ;;
  rec*) ptrn=recdbl levels=5 own=1 ;;
  *) ptrn=$for levels=1 own=4 ;;
  esac
  order 0 '' tree.lft tree.net --nodes hosts --for "$for" --json
  cp stdout answer
  check jq -e '(.nodes | unique | length) == 32 and (.orders | map(.name)) == ["given", "by leaf", "sorted", "by tree", "found"]' answer
  check jq -e "$never_worse" answer
  # The sum of the phases' slowest flows relative to what a host sends, which eval_lft computes with other code.
  jq -r '.nodes[]' answer >found
  for which in hosts found; do
    "$bin/eval_lft" tree.lft tree.net --ptrn "$ptrn" --commsize 32 --node-ordering-file "$which" --no-shuffle --num-runs 1 \
      --metric sum_max_cong --json >counted 2>/dev/null
    sum=$(jq .sum_max_cong.mean counted)
    name=$(if [[ $which == hosts ]]; then echo given; else jq -r .written answer; fi)
    said_cost=$(jq --arg name "$name" '.orders[] | select(.name == $name).slowest_flow' answer)
    check jq -en "($sum / $own / $levels - $said_cost) | fabs < 1e-9"
  done
done

# A ring over a tree runs at the speed of its hosts, and the order depends only on the seed.
order 0 'by leaf +slowest flow 1.00' tree.lft tree.net --nodes hosts
cp stdout first
order 0 '' tree.lft tree.net --nodes hosts
expect_same first stdout
check [ "$(sort -u stdout | wc -l)" = 32 ]

# Formats of job launchers; names are printed as given.
printf 'node3.example.org slots=8\nNODE1:8\nnode2\n' >three
order 0 '' tree.lft tree.net --nodes three --as slurm --ranks-per-node 2
check [ "$(uniq -c stdout | awk '{ print $1 }' | sort -u)" = 2 ]
check [ "$(sort -u stdout | tr '\n' ' ')" = "$(printf 'node3.example.org\nNODE1\nnode2\n' | sort | tr '\n' ' ')" ]
order 0 '^node3.example.org slots=4$' tree.lft tree.net --nodes three --as openmpi-hostfile --ranks-per-node 4
order 0 '^rank 5=[^ ]+ slot=1$' tree.lft tree.net --nodes three --as openmpi-rankfile --ranks-per-node 2
order 0 '^node3.example.org:2$' tree.lft tree.net --nodes three --as mpich-machinefile --ranks-per-node 2
order 0 'rendezvous sorts' tree.lft tree.net --nodes three --as torchrun
cp stdout ranks.sh
check shellcheck -s sh ranks.sh
# shellcheck disable=SC2016
check [ "$(for n in NODE1 node2.example.org node3.example.org; do PSSP_NODE=$n sh -c '. ./ranks.sh; echo "$NODE_RANK"'; done | sort | tr '\n' ' ')" = '0 1 2 ' ]
order 0 '' tree.lft tree.net --nodes three --as kubernetes
check jq -e '[.[]] == [0, 1, 2] and has("NODE1")' stdout

order 2 "'node99' is not a node" tree.lft tree.net --nodes 'node[99,98]'
order 0 '1 names of --nodes match no node' tree.lft tree.net --nodes 'node[1-4,99]' --skip-unknown
order 2 'fewer than two' tree.lft tree.net --nodes node1
order 2 'does not have 4 ranks' tree.lft tree.net --nodes 'node[1-4]' --for stencil:3x2
order 2 "unknown pattern 'nonsense'" tree.lft tree.net --nodes 'node[1-4]' --for nonsense
order 2 'without forwarding tables' tree.net
printf 'n[1\n' >bad
order 3 'bad:1: ' tree.lft tree.net --nodes bad
