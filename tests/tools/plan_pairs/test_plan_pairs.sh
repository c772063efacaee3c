#!/usr/bin/env bash
# plan_pairs: plans in all formats, executed by stand-ins for the benchmark programs, and refused input.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 2 --lids 2>/dev/null |
  awk '/^Ca/ { sub(/# ".*"/, sprintf("# \"node%d mlx5_%d\"", int(++n / 2 + 0.5), (n + 1) % 2)) } { print }' >tree.net
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
pairs() { expect "$1" "$2" "$bin/plan_pairs" "${@:3}"; }

# Every line names two end ports, none sends or receives twice in a round, and the plan depends only on the seed.
pairs 0 '1 node[1-8]/mlx5_[01] node[1-8]/mlx5_[01] # lid' tree.lft tree.net
cp stdout plan.txt
check [ "$(awk '!/^#/ { if (sent[$1, $2]++ || got[$1, $3]++) print "twice"; split($2, a, "/"); split($3, b, "/"); if (a[1] == b[1]) print "itself" }' plan.txt | wc -l)" = 0 ]
pairs 0 '' tree.lft tree.net
expect_same plan.txt stdout
pairs 0 '' tree.lft tree.net --seed 2
expect_different plan.txt stdout 'plans of two seeds'
pairs 0 '"uncovered": 0' tree.lft tree.net --rounds 6 --json
check jq -e '(.rounds | length) == 6 and .channels.without_flow == 0 and (.rounds[0].pairs | length) > 8' stdout

# Rates at the end of each line and rates before the comment are equivalent for locate_slow; a plan without rates is refused.
sed '/^#/!s/$/ 90/' plan.txt >behind.txt
sed '/^#/!s/ #/ 90&/' plan.txt >before.txt
expect 0 '^nothing is slow$' "$bin/locate_slow" tree.lft tree.net behind.txt
cp stdout behind.out
expect 0 '' "$bin/locate_slow" tree.lft tree.net before.txt
expect_same behind.out stdout 'findings wherever the rates stand'
expect 3 "plan.txt:2: '1 .* -> [0-9]*' has no rate: append the rate to the line" "$bin/locate_slow" tree.lft tree.net plan.txt

# Nodes from a list and from a hostfile; rails together.
printf 'node1 slots=8\nnode2:4\n# end\nnode3\n' >hosts
pairs 0 '^1 node[123] node[123]$' tree.lft tree.net --nodes hosts --rails together --rounds 1
pairs 0 '^1 node[12] node[12]$' tree.lft tree.net --nodes 'node[1-2]' --as clusterkit --rounds 1
pairs 2 "'node9' is not a node.*nearest names are 'node" tree.lft tree.net --nodes 'node[8-9]'
pairs 0 '' tree.lft tree.net --nodes 'node[1-3,9]' --skip-unknown
pairs 0 '' tree.lft tree.net --as mpi -o mpi
check [ "$(wc -l <mpi/hostfile)" = 8 ]
check grep -qE '^1 [0-7] [0-7]$' mpi/pairs

# The script of a round, with a stand-in for ssh that passes its command to a shell as sshd does. Its output is a file of rates,
# and names are never executed.
cat >remote <<'END'
#!/bin/sh
printf '%s: %s\n' "$1" "$2" >>commands
exec sh -c "$2"
END
mkdir fake
cat >fake/ib_write_bw <<'END'
#!/bin/sh
printf ' #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n 65536 5000 96.95 96.92 0.18\n'
END
cat >fake/sleep <<'END'
#!/bin/sh
END
chmod +x remote fake/*
pairs 0 '' tree.lft tree.net --as ib_write_bw --rounds 2 -o rounds
check shellcheck rounds/round-01.sh
PSSP_REMOTE=./remote PATH=$PWD/fake:$PATH sh rounds/round-01.sh >rates
check grep -qx '# unit Gbit/s' rates
check [ "$(grep -vc '^#' rates)" = "$(awk '$1 == 1' plan.txt | wc -l)" ]
check grep -qE '^1 node[1-8]/mlx5_[01] node[1-8]/mlx5_[01] 96.92$' rates
check grep -qE '^node[1-8]: ib_write_bw .*-d .?mlx5_[01]' commands
# shellcheck disable=SC2016
sed -e 's/"node1 mlx5_0"/"$(touch${IFS}gone);no'"'"'de mlx5_0"/' -e 's/"node2 mlx5_0"/"node2 $(touch${IFS}gone);ml'"'"'x"/' tree.net >hostile.net
pairs 0 '' tree.lft hostile.net --as ib_write_bw --rounds 1 -o hostile
check shellcheck -S warning hostile/round-01.sh
PSSP_REMOTE=./remote PATH=$PWD/fake:$PATH sh hostile/round-01.sh >rates
check [ ! -e gone ]
check grep -qF "ml'x" rates
check grep -qE "1 nodes are left out: names of hosts have letters.*no'de" stderr
pairs 0 '' tree.lft tree.net --as nccl --device 'mlx5_{rail}' -o nccl
check shellcheck nccl/round-01.sh
check grep -qE "pair 1 'node[1-8]' 'node[1-8]' '=mlx5_0:1,mlx5_1:1'" nccl/round-01.sh

# The expected success of a plan.
pairs 0 'a cable +no' tree.lft tree.net --rehearse 5
pairs 0 'five cables +yes' tree.lft tree.net --rehearse 5 --slow cables,cable
expect_equal 'kinds of faults' "$(grep -oE "^(slow|[a-z]+ [a-z]+)" stdout | sort -u)" $'a cable\nfive cables\nslow'
pairs 2 'rehearse' tree.lft tree.net --slow cable
pairs 2 'slow' tree.lft tree.net --rehearse 5 --slow cabel
pairs 0 '"false_alarms"' tree.lft tree.net --rehearse 2 --rounds-by shifts --json

pairs 2 'rails together' tree.lft tree.net --as nccl --rails alone -o x
pairs 2 'rails alone' tree.lft tree.net --as ib_write_bw --rails together -o x
pairs 2 'specify a folder with -o' tree.lft tree.net --as mpi
pairs 2 'WHAT=SPEED' tree.lft tree.net --simulate 'node1/mlx5_0=2'
pairs 2 'neither a node' tree.lft tree.net --simulate 'nowhere=.5'
pairs 2 'regular expression' tree.lft tree.net --node-names '('
pairs 2 'fewer than two' tree.lft tree.net --nodes node1
pairs 2 'without forwarding tables' tree.net
printf 'n[1\n' >hosts
pairs 3 'hosts:1: ' tree.lft tree.net --nodes hosts
