#!/usr/bin/env bash
# simulate_application: times of whole runs, what is refused, and that nothing hangs on what comes by chance.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
play() { expect "$1" "$2" "$bin/simulate_application" "${@:3}"; }

# LogGOPSim's figure, by its defaults.
loggp=(--network loggp --overhead 1500ns --latency 2500ns --gap 1000ns --gap-per-byte 6ns --eager 65535B)
play 0 '' "${loggp[@]}" -a bcast:binomial,1024 --ranks 8 --json --write-goal tree.goal
check jq -e '.runs[0].time_ns == 34914 and (.runs[0].rank_ends_ns | length) == 8 and .messages == 7' stdout
play 0 '' "${loggp[@]}" --goal tree.goal --json
check jq -e '.runs[0].time_ns == 34914' stdout

# With tables: shifts by a neighbour's distance meet on the links of a tree; a crossbar is the bound, and is its own.
play 0 'of crossbar' tree.lft tree.net -a alltoall:pairwise,64KiB
play 0 '' tree.lft tree.net --compare tree.lft -a alltoall:pairwise,64KiB --json
check jq -e '(.runs | length) == 2 and .runs[0].ratio >= 1 and .runs[0].time_ns == .runs[1].time_ns and .messages == 240' stdout
cp stdout first
expect_same first <("$bin/simulate_application" tree.lft tree.net --compare tree.lft -a alltoall:pairwise,64KiB --json)
play 0 '' tree.net --network crossbar -a alltoall:pairwise,64KiB --json
check jq -e '.runs[0].ratio == 1' stdout
# On one leaf there is nothing to share but links of hosts.
play 0 '' tree.lft tree.net -a alltoall:pairwise,64KiB --ranks 4 --json
check jq -e '.runs[0].ratio == 1' stdout
play 0 'order random' tree.lft tree.net -a halo:4x2x2,1MiB,3,calc=1ms --order random --seed 5
sed -n 's/^\(Hca\|Ca\).*"\(H[^"]*\)".*/\2/p' tree.net | tac >hosts
play 0 'order hosts' tree.lft tree.net -a incast,1KiB --ranks-on hosts

# Max-min shares are no slower for a collective operation that meets step by step; where ranks run ahead there is a warning.
play 0 'by max-min' tree.lft tree.net -a allreduce:rabenseifner,1MiB --sharing max-min
play 0 '' tree.lft tree.net -a halo:4x2x2,16KiB,3 --json
check grep -q 'sharing by capacity / messages is too slow' stderr
play 0 '' tree.lft tree.net -a halo:4x2x2,16KiB,3 --json --sharing max-min
check [ ! -s stderr ]

# Text and binary of one schedule are the same answer: a computation, then a byte to the other rank.
printf 'num_ranks 2\nrank 0 {\na: calc 7\nb: send 1b to 1\nb requires a\n}\nrank 1 {\nrecv 1b from 0\n}\n' >two.goal
{
  printf '\x7f\x10\0\0\0\0\0\0\x02\0\0\0\0\0\x26\0\0\0\0\0\0\0\x84\0\0\0\0\0\0\0\x84\0\0\0\0\0\0\0\xb7\0\0\0\0\0\0\0'
  printf '\x02\0\0\0\x01\0\0\0\0\0\0\0'
  printf '\0\0\0\0\x03\0\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
  printf '\x01\0\0\0\x01\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
  printf '\x01\0\0\0'
  printf '\x01\0\0\0\x01\0\0\0\0\0\0\0'
  printf '\0\0\0\0\x02\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
} >two.bin
for file in two.goal two.bin; do
  cp "$file" schedule
  play 0 '' tree.lft tree.net --goal schedule --json --write-goal "$file.again"
  cp stdout "$file.json"
done
expect_same two.goal.json two.bin.json
expect_same two.goal.again two.bin.again
"$bin/simulate_application" tree.lft tree.net --goal - --json <two.bin >piped.json
check jq -e '.messages == 1' piped.json
head -c 100 two.bin >cut.bin
play 3 'cut.bin: byte' tree.lft tree.net --goal cut.bin

# GOAL.
printf 'num_ranks 2\nrank 0 {\nsend 5b to 7\n}\n' >bad.goal
play 3 'bad.goal:3' tree.lft tree.net --goal bad.goal
printf 'num_ranks 2\nrank 0 {\nrecv 5b from 1\n}\nrank 1 {\n}\n' >waits.goal
play 7 'rank 0: receive 5 bytes from 1' tree.lft tree.net --goal waits.goal --write-goal none.goal -o none.txt
check [ ! -e none.goal ]
check [ ! -e none.txt ]
play 7 'rank 0: receive 5 bytes from 1' --network loggp --goal waits.goal
printf 'num_ranks 2\nrank 0 {\na: calc 1\na requires a\n}\nrank 1 {\n}\n' >circle.goal
play 7 'circle' --network loggp --goal circle.goal
printf 'num_ranks 2\nrank 0 {\nsend 5b to 1 nic 1\n}\nrank 1 {\nrecv 5b from 0\n}\n' >nic.goal
play 2 'nic 1' tree.lft tree.net --goal nic.goal
printf 'num_ranks 2\nrank 0 {\ncalc 9223372036854775808\n}\nrank 1 {\n}\n' >long.goal
play 2 '46 days' --network loggp --goal long.goal

# What contradicts itself.
play 2 'one of --application and --goal' tree.lft tree.net
play 2 "no application 'alltoall'" tree.lft tree.net -a alltoall,1
play 2 'has no size' tree.lft tree.net -a incast
play 2 'product is the number of ranks' tree.lft tree.net -a halo:2x2x2,1
play 2 'no part of an application' tree.lft tree.net -a incast,1,tags=3
play 2 '17 ranks' tree.lft tree.net -a incast,1 --ranks 17
play 2 'without forwarding tables' tree.net -a incast,1
play 2 'leave out --order' --network loggp -a incast,1 --ranks 3 --order random
play 2 'is for --network loggp' tree.lft tree.net -a incast,1 --gap-per-byte 1ns

# More than memory holds is refused before it is made.
play 2 'fewer iterations' tree.lft tree.net -a alltoall:pairwise,1,1000000
play 2 'fewer ranks' --network loggp -a alltoall:pairwise,1 --ranks 1000000
play 2 'smaller window' --network loggp -a alltoall:linear,1,2,window=1000000 --ranks 10000

# Tables without a route that is needed: to the last host, from any switch.
lid=$(awk '/^0x/ { lid = $1 } END { print lid }' tree.lft)
grep -v "^$lid " tree.lft >broken.lft
play 7 'no route' broken.lft tree.net -a alltoall:pairwise,64KiB
