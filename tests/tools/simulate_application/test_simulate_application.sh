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

# Tables without a route that is needed: to the last host, from any switch.
lid=$(awk '/^0x/ { lid = $1 } END { print lid }' tree.lft)
grep -v "^$lid " tree.lft >broken.lft
play 7 'no route' broken.lft tree.net -a alltoall:pairwise,64KiB
