#!/usr/bin/env bash
# simulate_application: times of complete runs, refused input, and deterministic results.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
"$bin/make_topo" k-ary-n-tree 4 2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null
simulate() { expect "$1" "$2" "$bin/simulate_application" "${@:3}"; }

# The time that LogGOPSim computes with its defaults.
loggp=(--network loggp --overhead 1500ns --latency 2500ns --gap 1000ns --gap-per-byte 6ns --eager 65535B)
simulate 0 '' "${loggp[@]}" -a bcast:binomial,1024 --ranks 8 --json --write-goal tree.goal
check jq -e '.runs[0].time_ns == 34914 and (.runs[0].rank_ends_ns | length) == 8 and .messages == 7' stdout
simulate 0 '' "${loggp[@]}" --goal tree.goal --json
check jq -e '.runs[0].time_ns == 34914' stdout

# With tables: the flows of shifts contend for the links of a tree. The crossbar is the lower bound.
simulate 0 'of crossbar' tree.lft tree.net -a alltoall:pairwise,64KiB
simulate 0 '' tree.lft tree.net --compare tree.lft -a alltoall:pairwise,64KiB --json
check jq -e '(.runs | length) == 2 and .runs[0].ratio >= 1 and .runs[0].time_ns == .runs[1].time_ns and .messages == 240' stdout
cp stdout first
expect_same first <("$bin/simulate_application" tree.lft tree.net --compare tree.lft -a alltoall:pairwise,64KiB --json)
simulate 0 '' tree.net --network crossbar -a alltoall:pairwise,64KiB --json
check jq -e '.runs[0].ratio == 1' stdout
# On one leaf only the links of hosts are shared.
simulate 0 '' tree.lft tree.net -a alltoall:pairwise,64KiB --ranks 4 --json
check jq -e '.runs[0].ratio == 1' stdout
simulate 0 'order random' tree.lft tree.net -a halo:4x2x2,1MiB,3,calc=1ms --order random --seed 5
sed -n 's/^\(Hca\|Ca\).*"\(H[^"]*\)".*/\2/p' tree.net | tac >hosts
simulate 0 'order hosts' tree.lft tree.net -a incast,1KiB --ranks-on hosts

# Many orders: the first is that of a single simulation, the mean is over all lines, and differences are taken order by order. The
# fabric is a mesh, because on the tree both engines need the same time in every order, and a wrong difference would not be
# noticed.
"$bin/make_topo" mesh 4x2 --hosts 2 --permute-ports --shuffle-guids --lids --rate 4xQDR -o mesh.net 2>/dev/null
"$bin/route_lft" -e pssp mesh.net -o mesh.lft 2>/dev/null
"$bin/route_lft" -e updown mesh.net -o other.lft 2>/dev/null
many=(mesh.lft mesh.net --compare other.lft -a 'alltoall:pairwise,64KiB,2' --order random --seed 7)
simulate 0 'means over 6 orders, seeds 7 to 12' "${many[@]}" --seeds 6 --csv orders.csv
simulate 0 '' "${many[@]}" --seeds 6 --json
check jq -e '.seeds == 6 and (.runs | length) == 12 and .runs[2].seed == 8' stdout
check jq -e '[.runs | while(length > 0; .[2:]) | .[1].time_ns / .[0].time_ns] | unique | length > 3' stdout
mean_of() { awk -F, -v name="$1" 'NR > 1 && $1 == name { sum += $4; n++ } END { printf "%.6f", sum / n }' orders.csv; }
for i in 0 1; do
  name=$(jq -r ".means[$i].tables" stdout)
  expect_equal "mean time of $name" "$(jq ".means[$i].time_ns.mean * 1e6 | round / 1e6 | . * 1000 | round" stdout)" \
    "$(jq -n "$(mean_of "$name") * 1000 | round")"
done
expect_equal 'mean difference' "$(jq '.means[1].to_first.mean * 1e9 | round' stdout)" \
  "$(jq '[range(6) as $s | .runs[2 * $s + 1].time_ns / .runs[2 * $s].time_ns - 1] | add / 6 * 1e9 | round' stdout)"
check jq -e '.means[0].time_ns | .interval[0] < .mean and .mean < .interval[1]' stdout
first=$(jq .runs[0].time_ns stdout)
simulate 0 '' "${many[@]}" --json
expect_equal 'time of the first order' "$(jq .runs[0].time_ns stdout)" "$first"
simulate 0 'means over' "${many[@]}" --until-precision 50%
simulate 2 'several seeds need --order random' tree.lft tree.net -a incast,1KiB --seeds 3
simulate 2 '--job specifies' tree.lft tree.net --job 'incast,1KiB@leaf 4' --seeds 3
for wrong in 0 -1 x 200%; do simulate 2 'until-precision' tree.lft tree.net -a incast,1KiB --order random "--until-precision=$wrong"; done

# Training: the pipeline bubbles follow from the number of stages. A pattern and the application with this pattern take the same
# time.
simulate 0 '' tree.lft tree.net -a train:stages=4,microbatches=8,64KiB,act=1KiB,calc=1ms,back=2ms --json
check jq -e '.runs[0].time_ns > 33000000 and .runs[0].time_ns < 34000000 and .messages == 2 * 3 * 8 * 4 + 16 * 6' stdout
simulate 0 '' tree.lft tree.net -a pattern:shifts,64KiB --json
shifts=$(jq '.runs[0].time_ns' stdout)
simulate 0 '' tree.lft tree.net -a alltoall:pairwise,64KiB --json
check jq -e ".runs[0].time_ns == $shifts" stdout
simulate 0 '' tree.lft tree.net -a pattern:stencil:4x4,64KiB,2,barrier=yes --json
check jq -e '.messages == 2 * (64 + 4 * 16)' stdout
simulate 0 '' tree.lft tree.net -a pattern:rand,64KiB,5 --seed 7 --json
simulate 2 'cannot be divided evenly' tree.lft tree.net -a train:stages=3,1
simulate 2 'expected yes or no' tree.lft tree.net -a pattern:tree,1,barrier=maybe
simulate 2 "application incast: unknown part 'barrier=yes'; expected NAME,SIZE" tree.lft tree.net -a incast,1,barrier=yes
simulate 2 'pattern' tree.lft tree.net -a pattern:nosuch,1
simulate 3 'missing.txt' tree.lft tree.net -a pattern:file:missing.txt,1
simulate 2 'nic 1' tree.lft tree.net -a train:stages=2,1KiB,rails=2
# Operations that are generated on demand or all at once lead to the same times.
for application in train:stages=2,microbatches=3,1MiB,2,act=70KiB,calc=9us pattern:tree,64KiB,3,barrier=yes alltoall:linear,64KiB,window=3; do
  simulate 0 '' tree.lft tree.net -a "$application" --order random --json -o made
  simulate 0 '' tree.lft tree.net -a "$application" --order random --json -o whole --write-goal whole.goal
  expect_same made whole
  simulate 0 '' tree.lft tree.net --goal whole.goal --order random --json -o read
  check [ "$(jq .runs[0].rank_ends_ns read)" = "$(jq .runs[0].rank_ends_ns made)" ]
done

# Max-min sharing is not slower for a collective operation in lockstep; if ranks run ahead, there is a warning.
simulate 0 'by max-min' tree.lft tree.net -a allreduce:rabenseifner,1MiB --sharing max-min
simulate 0 '' tree.lft tree.net -a halo:4x2x2,16KiB,3 --json
check grep -q 'equal sharing overestimates their time' stderr
simulate 0 '' tree.lft tree.net -a halo:4x2x2,16KiB,3 --json --sharing max-min
check [ ! -s stderr ]

# The text and binary form of a schedule give the same result: a computation, then one byte to the other rank.
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
  simulate 0 '' tree.lft tree.net --goal schedule --json --write-goal "$file.again"
  cp stdout "$file.json"
done
expect_same two.goal.json two.bin.json
expect_same two.goal.again two.bin.again
"$bin/simulate_application" tree.lft tree.net --goal - --json <two.bin >piped.json
check jq -e '.messages == 1' piped.json
head -c 100 two.bin >cut.bin
simulate 3 'cut.bin: byte' tree.lft tree.net --goal cut.bin

# Jobs on separate leaves do not affect each other; over the only cable between two switches each takes twice as long.
simulate 0 '' tree.lft tree.net --job 'alltoall:pairwise,1MiB@leaf 4' --job 'allreduce:ring,1MiB,5@leaf 4 start 10us' --json -o leaves.json
simulate 0 '^  (alltoall|allreduce):.* no job$' tree.lft tree.net --job 'alltoall:pairwise,1MiB@leaf 4' --job 'allreduce:ring,1MiB,5@leaf 4'
check jq -e '[.runs[0].jobs[].ratio] == [1, 1] and .ranks == 8' leaves.json
cat >rails.net <<'END'
Switch	4 "S1"
[1]	"S2"[1]
[2]	"H1"[1]
[3]	"H2"[1]
[4]	"H1"[2]

Switch	4 "S2"
[1]	"S1"[1]
[2]	"H3"[1]
[3]	"H4"[1]
[4]	"H3"[2]

Hca	2 "H1"
[1]	"S1"[2]
[2]	"S1"[4]

Hca	1 "H2"
[1]	"S1"[3]

Hca	2 "H3"
[1]	"S2"[2]
[2]	"S2"[4]

Hca	1 "H4"
[1]	"S2"[3]
END
sed -e '/"H[13]"\[2\]/d' -e '/"S[12]"\[4\]/d' rails.net >two.net
"$bin/route_lft" -e pssp two.net -o two.lft 2>/dev/null
simulate 0 '' two.lft two.net --job 'allreduce:ring,10MB@{H2,H4}' --job 'allreduce:ring,10MB@{H1,H3}' --json
check jq -e '.runs[0].jobs | all(.ratio > 1.98 and .ratio < 2.02) and .[0].held_up_by == [0, 1] and .[1].held_up_by == [1, 0]' stdout
# On a separate lane a job does not wait behind packets of the other job: they share the cable, but not the buffers behind it.
lanes=(two.lft two.net --job 'incast,4MB@{H4,H1,H2} sl 1' --job 'allreduce:ring,64KiB@{H3,H2} start 100us' --network packets --json)
simulate 0 '' "${lanes[@]}" --vls 2
check jq -e '.runs[0].jobs | .[0].ratio > .99 and .[0].ratio < 1.01 and .[1].ratio > 1' stdout
apart=$(jq '.runs[0].jobs[1].together_ns' stdout)
simulate 0 '' "${lanes[@]}"
check jq -e ".runs[0].jobs[1].together_ns > 1.3 * $apart" stdout
simulate 2 'need --network packets' two.lft two.net --job 'incast,1@{H1,H2} sl 3'
simulate 2 'a service level' two.lft two.net --job 'incast,1@{H1,H2} sl 16' --network packets
simulate 2 'sl is given twice' two.lft two.net --job 'incast,1@{H1,H2} sl 1 start 1us sl 2' --network packets
simulate 2 'expected SPEC@SET' tree.lft tree.net --job incast,1
simulate 2 'is not a set of hosts' tree.lft tree.net --job 'incast,1@leaf 4 5'
simulate 2 '4 hosts remain' tree.lft tree.net --job 'incast,1@leaf 12' --job 'incast,1@leaf 5'
simulate 2 'leave out --order' tree.lft tree.net --job 'incast,1@leaf 4' --order random
simulate 2 'expected exactly one of --application' tree.lft tree.net --job 'incast,1@leaf 4' -a incast,1

# Adapters: nic 1 is the second port of a node. Both ports share one cable, so using both is not faster than using one twice.
printf 'num_ranks 2\nrank 0 {\nsend 1000000b to 1 nic 0\nsend 1000000b to 1 nic 1\n}\nrank 1 {\nrecv 1000000b from 0\nrecv 1000000b from 0\n}\n' >rails.goal
printf '0x100001\n0x100006\n' >rails.hosts
simulate 0 '' rails.net --network crossbar --goal rails.goal --ranks-on rails.hosts --json
check jq -e '.runs[0].time_ns < 300000' stdout
sed 's/nic 1/nic 0/' rails.goal >rail.goal
simulate 0 '' rails.net --network crossbar --goal rail.goal --ranks-on rails.hosts --json
check jq -e '.runs[0].time_ns > 500000' stdout
sed 's/nic 1/nic 2/' rails.goal >three.goal
simulate 2 'nic 2 does not exist; the node of rank 0 has 2 end ports' rails.net --network crossbar --goal three.goal --ranks-on rails.hosts

# Several ranks per host: in block order three of four ring neighbors are on the same host, in cyclic order none.
simulate 0 '' tree.lft tree.net -a allreduce:ring,1MiB --ranks-per-host 4 --json
check jq -e '.ranks == 64' stdout
block=$(jq '.runs[0].time_ns' stdout)
simulate 0 '' tree.lft tree.net -a allreduce:ring,1MiB --ranks-per-host 4 --cyclic --json
check jq -e ".runs[0].time_ns > 1.2 * $block" stdout
simulate 0 '' tree.lft tree.net -a incast,1KiB,2,calc=1ms --compute-scale 3 --per-rank ranks.csv
check [ "$(sed -n 's/^tree.lft,0,[0-9.]*,//p' ranks.csv)" = 6000000,15000 ]
check [ "$(sed -n 's/^tree.lft,5,[0-9.]*,//p' ranks.csv)" = 6000000,1000 ]

# Packets: results are close to those of flows, repeatable, and a job alone is not slower than with others.
simulate 0 'network packets' tree.lft tree.net -a allreduce:rabenseifner,256KiB --network packets --critical-path
simulate 0 '' tree.lft tree.net -a allreduce:rabenseifner,256KiB --network packets --json -o packets.json
simulate 0 '' tree.lft tree.net -a allreduce:rabenseifner,256KiB --network packets --json -o packets2.json
expect_same packets.json packets2.json
simulate 0 '' tree.lft tree.net -a allreduce:rabenseifner,256KiB --json
check jq -e ".runs[0].time_ns / $(jq '.runs[0].time_ns' packets.json) | . > .95 and . < 1.05" stdout
simulate 0 'together/alone' two.lft two.net --job 'allreduce:ring,1MB@{H2,H4}' --job 'allreduce:ring,1MB@{H1,H3}' --network packets
simulate 2 'leave out --spread' tree.lft tree.net -a incast,1 --network packets --spread

# Adaptive routing: a bisection with contention in the tables comes close to the crossbar; with only one port everywhere nothing
# changes.
bisect=(tree.lft tree.net -a 'pattern:bisect,1MiB' --order random --network packets --json)
simulate 0 '' "${bisect[@]}"
check jq -e '.runs[0].ratio > 1.9 and .adaptive == null and .runs[0].overtaken == null' stdout
simulate 0 '' "${bisect[@]}" --adaptive packet
check jq -e '.adaptive == "packet" and .runs[0].ratio < 1.25 and .runs[0].overtaken > 0 and .runs[0].overtaken < .runs[0].packets' stdout
# No port ever reaches this threshold.
simulate 0 '' "${bisect[@]}" --adaptive packet --adaptive-busy 1000000
check jq -e '.runs[0].ratio > 1.9 and .runs[0].overtaken == 0' stdout
simulate 0 'packets, adaptive by flow;' tree.lft tree.net -a pattern:bisect,1MiB --order random --network packets --adaptive flow
check grep -qE '^adaptive with tree.lft: [0-9]+ of [0-9]+ packets were overtaken by a later one, [0-9.]+ %$' stdout
check [ ! -s stderr ]
for adaptive in none packet flow; do
  simulate 0 '' two.lft two.net -a alltoall:pairwise,1MB --network packets --adaptive $adaptive --json
  jq 'del(.adaptive, .runs[].packets, .runs[].overtaken)' stdout >"$adaptive.json"
done
expect_same none.json packet.json
expect_same none.json flow.json
simulate 0 'together/alone' tree.lft tree.net --job 'allreduce:ring,1MB@leaf 6' --job 'incast,1MB@others' --network packets --adaptive packet
# Groups from a file: adaptive at only one leaf; refused input. All minimal ports of a mesh together have a credit loop.
leaf=$(awk -F'"' '/^Switch/ { name = $2 } /^\[1\].*"H/ { print name; exit }' tree.net)
uplinks=$(sed -n "/^Switch.*\"$leaf\"/,/^\$/s/^\[\([0-9]*\)\].*\"S.*/\1/p" tree.net | paste -sd ' ')
echo "$leaf *: $uplinks" >groups
simulate 0 '' "${bisect[@]}" --adaptive packet --groups groups
check jq -e '.runs[0].ratio > 1.25 and .runs[0].ratio < 1.9' stdout
echo "$leaf 99: 1" >wrong
simulate 3 'wrong:1: LID 99 does not belong to a host' "${bisect[@]}" --adaptive packet --groups wrong
simulate 3 'nowhere' "${bisect[@]}" --adaptive packet --groups nowhere
simulate 0 '' mesh.lft mesh.net -a incast,64KiB --network packets --adaptive packet
check grep -q 'mesh.lft: the groups of ports have a credit loop of [0-9]* channels' stderr
simulate 2 'adaptive routing needs --network packets' tree.lft tree.net -a incast,1 --adaptive packet
simulate 2 'supported only with adaptive routing.*--groups' tree.lft tree.net -a incast,1 --network packets --groups groups
simulate 2 'supported only with adaptive routing.*--adaptive-busy' tree.lft tree.net -a incast,1 --network packets --adaptive none --adaptive-busy 2
simulate 2 'adaptive' tree.lft tree.net -a incast,1 --network packets --adaptive sometimes

# Congestion control and lanes with packets: "off" is the same as no option, and a run that fails without lanes works with lanes.
simulate 0 '' tree.lft tree.net -a incast,1MiB --network packets --json -o off.json
simulate 0 '' tree.lft tree.net -a incast,1MiB --network packets --cc off --json
expect_same off.json stdout
simulate 0 '' tree.lft tree.net -a incast,1MiB --network packets --cc thesis-mesh --json
check jq -e ".congestion_control == \"thesis-mesh\" and .runs[0].notifications > 100 and .runs[0].time_ns != $(jq '.runs[0].time_ns' off.json)" stdout
# Builds with sanitizers have no cc_params.
if [[ -x $bin/cc_params ]]; then
  "$bin/cc_params" print thesis-mesh >mine.cc
  simulate 0 '^congestion control by mine.cc with tree.lft: hosts were notified [0-9]* times$' tree.lft tree.net -a incast,1MiB --network packets --cc mine.cc
fi
# A host that receives 800 MB/s has 15 MiB after 19.66 ms.
simulate 0 '' tree.lft tree.net -a incast,1MiB --network packets --sink-rate 800MB/s --json
check jq -e '.runs[0].time_ns > 19.6e6 and .runs[0].time_ns < 19.8e6' stdout
"$bin/make_topo" torus 6 --hosts 2 --lids --rate 4xQDR -o ring.net 2>/dev/null
"$bin/route_lft" -e pssp --lanes 8 ring.net -o ring.lft --service-levels ring.sl 2>/dev/null
ring=(ring.lft ring.net -a 'pattern:shift:4,4MB' --network packets --buffer 40)
simulate 7 'wait for each other in a cycle' "${ring[@]}"
simulate 0 '' "${ring[@]}" --service-levels ring.sl --json
simulate 7 'wait for each other in a cycle' "${ring[@]}" --service-levels ring.sl --vls 1
printf '0 1 0 0 0 0 0 0  0 0 0 0 0 0 0 0\n' >ring.sl2vl
simulate 7 'wait for each other in a cycle' "${ring[@]}" --sl2vl ring.sl2vl --vls 2
simulate 0 '' "${ring[@]}" --service-levels ring.sl --sl2vl ring.sl2vl --vls 2 --json
simulate 2 'supported only with --network packets.*--cc' tree.lft tree.net -a incast,1 --cc off
simulate 2 'supported only with --network packets.*--vls' tree.lft tree.net -a incast,1 --vls 2
simulate 2 'supported only with --network packets.*--service-levels' tree.net --network crossbar -a incast,1 --service-levels ring.sl
simulate 2 'vls' tree.lft tree.net -a incast,1 --network packets --vls 99
simulate 2 'link-rate' tree.lft tree.net -a incast,1 --network packets --link-rate 4xHDR
simulate 3 'neither a profile nor a file' tree.lft tree.net -a incast,1 --network packets --cc nosuch
simulate 3 'expected a lane' tree.lft tree.net -a incast,1 --network packets --sl2vl hosts
simulate 4 'levels' tree.lft tree.net -a incast,1 --network packets --service-levels ring.sl

# All minimal paths: in a complete tree they are as good as a crossbar, except for the delay of two more switches.
simulate 0 'all minimal paths' tree.lft tree.net -a alltoall:pairwise,1MiB --spread
simulate 0 '' tree.lft tree.net -a alltoall:pairwise,1MiB --spread --json
check jq -e '.spread_ns <= 1.01 * .runs[0].crossbar_ns' stdout
simulate 2 'leave out --spread' tree.net --network crossbar -a incast,1 --spread

# The parts of the critical path add up to the total time, with tables that cause waiting; the path and the map are drawn.
simulate 0 'critical path with tree.lft: ends at rank [0-9]*, [0-9]* messages.* % congestion' tree.lft tree.net -a allreduce:rabenseifner,1MiB,2,calc=9us --order random --critical-path
check grep -q 'its slowest message: rank' stdout
simulate 0 '' tree.lft tree.net -a allreduce:rabenseifner,1MiB,2,calc=9us --order random --critical-path --json --timeline time.svg --map map.dot
check jq -e '.runs[0] | ([.critical_path | to_entries[] | select(.key != "messages") | .value] | add) == .time_ns and (.critical_path.messages | length) >= 8' stdout
check grep -q 'critical path' time.svg
check grep -q 'computing' time.svg
check grep -q 'digraph\|graph' map.dot
simulate 2 'ends in .svg or .png' tree.lft tree.net -a incast,1 --timeline time.pdf
simulate 2 'leave out --timeline' tree.net --network crossbar -a incast,1 --timeline time.svg

# GOAL.
printf 'num_ranks 2\nrank 0 {\nsend 5b to 7\n}\n' >bad.goal
simulate 3 'bad.goal:3' tree.lft tree.net --goal bad.goal
printf 'num_ranks 2\nrank 0 {\nrecv 5b from 1\n}\nrank 1 {\n}\n' >waits.goal
simulate 7 'rank 0: receive 5 bytes from 1' tree.lft tree.net --goal waits.goal --write-goal none.goal -o none.txt --timeline none.svg
check [ ! -e none.svg ]
check [ ! -e none.goal ]
check [ ! -e none.txt ]
simulate 7 'rank 0: receive 5 bytes from 1' --network loggp --goal waits.goal
printf 'num_ranks 2\nrank 0 {\na: calc 1\na requires a\n}\nrank 1 {\n}\n' >cycle.goal
simulate 7 'cycle' --network loggp --goal cycle.goal
printf 'num_ranks 2\nrank 0 {\nsend 5b to 1 nic 1\n}\nrank 1 {\nrecv 5b from 0\n}\n' >nic.goal
simulate 2 'nic 1' tree.lft tree.net --goal nic.goal
printf 'num_ranks 2\nrank 0 {\ncalc 9223372036854775808\n}\nrank 1 {\n}\n' >long.goal
simulate 2 '46 days' --network loggp --goal long.goal

# Contradictory options.
simulate 2 'one of --application, --goal and --job' tree.lft tree.net
simulate 2 "unknown application 'alltoall'" tree.lft tree.net -a alltoall,1
simulate 2 'has no size' tree.lft tree.net -a incast
simulate 2 'product is the number of ranks' tree.lft tree.net -a halo:2x2x2,1
simulate 2 'unknown part' tree.lft tree.net -a incast,1,tags=3
simulate 2 '17 ranks' tree.lft tree.net -a incast,1 --ranks 17
simulate 2 'without forwarding tables' tree.net -a incast,1
simulate 2 'leave out --order' --network loggp -a incast,1 --ranks 3 --order random
simulate 2 'gap-per-byte needs --network loggp' tree.lft tree.net -a incast,1 --gap-per-byte 1ns

# Applications that do not fit into memory are refused before they are generated.
simulate 2 'fewer iterations' tree.lft tree.net -a alltoall:pairwise,1,1000000
simulate 2 'fewer ranks' --network loggp -a alltoall:pairwise,1 --ranks 1000000
simulate 2 'smaller window' --network loggp -a alltoall:linear,1,2,window=1000000 --ranks 10000

# Tables without a required route: no switch has a route to the last host.
lid=$(awk '/^0x/ { lid = $1 } END { print lid }' tree.lft)
grep -v "^$lid " tree.lft >broken.lft
simulate 7 'no route' broken.lft tree.net -a alltoall:pairwise,64KiB
simulate 7 'the route from switch' broken.lft tree.net -a alltoall:pairwise,64KiB --network packets
