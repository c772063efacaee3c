#!/usr/bin/env bash
# simulate_application under mpirun: identical output for any number of processes, and one message for each error.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/kit/processes.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/processes.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
skip_unless_joining "$bin/simulate_application"

# On a mesh the two engines lead to different times, so that tables in the wrong order would be noticed.
"$bin/make_topo" mesh 4x2 --hosts 2 --permute-ports --shuffle-guids --lids --rate 4xQDR -o t.net 2>/dev/null
"$bin/route_lft" -e pssp t.net -o a.lft 2>/dev/null
"$bin/route_lft" -e updown t.net -o b.lft 2>/dev/null
simulate=("$bin/simulate_application" a.lft t.net)
same_everywhere() { same_in_processes "$1" "${simulate[@]}" "${@:2}"; }
# 5 orders of two tables, the crossbar and all paths cannot be divided evenly.
same_everywhere 'many orders' --compare b.lft -a alltoall:pairwise,64KiB --order random --seeds 5 --spread --csv OUT.csv --per-rank OUT.ranks --json
same_everywhere precision --compare b.lft -a allreduce:recursive_doubling,1MiB --order random --until-precision 20%
same_everywhere 'fewer plays than processes' -a halo:4x2x2,1MiB,2,calc=10us --critical-path --timeline OUT.svg --map OUT.dot
same_everywhere jobs --compare b.lft --job 'allreduce:ring,1MiB@leaf 4' --job 'incast,64KiB@others' --json
same_everywhere packets -a incast,16KiB --network packets --write-goal OUT.goal
same_everywhere adaptive --compare b.lft -a alltoall:pairwise,64KiB --network packets --adaptive packet --order random --seeds 2 --json
same_everywhere 'adaptive by message' -a alltoall:pairwise,64KiB --network packets --adaptive flow
same_everywhere 'congestion control' -a incast,64KiB --network packets --cc thesis-mesh --vls 2 --json
"$bin/make_topo" mesh 4x2 --hosts 2 --permute-ports --shuffle-guids --lids --rate 4xQDR --kill-links 1 -o less.net 2>/dev/null
"$bin/route_lft" -e pssp less.net -o less.lft 2>/dev/null
same_everywhere changes -a alltoall:pairwise,64KiB --network packets --then 20us less.net less.lft --ack-timeout 50us --order random --seeds 4 --json
check jq -e '.runs | all(.losses.on_failed_links + .losses.without_route > 0)' alone.stdout
same_in_processes loggp "$bin/simulate_application" --network loggp -a bcast:binomial,1KiB --ranks 8 --json

cp a.lft 0.lft
cp b.lft 1.lft
differ_in_processes tables "'$bin/simulate_application' \$odd.lft t.net -a incast,1KiB"
differ_in_processes options "'$bin/simulate_application' a.lft t.net -a incast,1KiB --seed \$odd"
differ_in_processes options "if [ \$odd = 1 ]; then '$bin/simulate_application' --version >/dev/null; else '$bin/simulate_application' a.lft t.net -a incast,1KiB; fi"
differ_in_processes options "'$bin/simulate_application' a.lft t.net -a incast,1KiB --network packets --vls \$((odd + 1))"
differ_in_processes options "cc=thesis-mesh; [ \$odd = 0 ] || cc=thesis-start; '$bin/simulate_application' a.lft t.net -a incast,1KiB --network packets --cc \$cc"
differ_in_processes options "'$bin/simulate_application' a.lft t.net -a incast,1KiB --network packets --then 20us less.net less.lft --ack-timeout \$((odd + 1))ms"
differ_in_processes options "'$bin/simulate_application' a.lft t.net -a incast,1KiB --network packets --then \$((odd + 1))us less.net less.lft"
echo '# none' >0.groups
echo '# nothing' >1.groups
differ_in_processes 'groups of ports' "'$bin/simulate_application' a.lft t.net -a incast,1KiB --network packets --adaptive packet --groups \$odd.groups"
rm 1.lft
fails_in_one 3 "1.lft: " "'$bin/simulate_application' \$odd.lft t.net -a incast,1KiB"
# Only the first process writes: if it fails, all processes end.
in_ranks 2 0 "'$bin/simulate_application' a.lft t.net -a incast,1KiB --csv /nowhere/x.csv"
[ "$code" -eq 8 ] || fail "a file that cannot be written: exit code $code, expected 8: $(cat out.txt err.txt)"
expect_line err.txt 'cannot write /nowhere/x.csv'
lacks_memory_in_one "'$bin/simulate_application' a.lft \$odd.net -a incast,1KiB"
