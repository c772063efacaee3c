#!/usr/bin/env bash
# simulate_fabric --then: links that fail and return during a run, tables that follow, and errors in the input.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
bin=$PSSP_BUILD_DIR/bin
cd "$scratch"
make_tree() { "$bin/make_topo" k-ary-n-tree 4 2 --lids=hosts-first --permute-ports --shuffle-guids --rate 4xQDR --seed 5 "$@" 2>/dev/null; }
make_tree -o whole.net
# The damage uses the seed of the ports: the same tree without two of its cables.
make_tree --kill-links 2 -o less.net
"$bin/route_lft" -e pssp whole.net -o whole.lft 2>/dev/null
"$bin/route_lft" -e pssp less.net -o less.lft 2>/dev/null
"$bin/route_lft" --stable whole.lft less.net -o stable.lft 2>/dev/null
"$bin/compare_fabric" whole.net less.net >difference.txt || [ $? -eq 7 ] || fail 'the trees cannot be compared'
expect_line difference.txt '^30 of 32 planned cables are in place, 30 cables in the fabric, 2 statements$'
simulate() { expect "$1" "$2" "$bin/simulate_fabric" whole.lft whole.net "${@:3}"; }

# ---- a shift completes late; the lost packets explain the difference of the sums ----
simulate 0 'nothing was lost' -p shift:5 --bytes 256KiB --then 20us whole.net whole.lft
simulate 0 '^  at 20us: 2 cables fail, 0 return; [0-9]+ blocks of tables, written until 70us$' -p shift:5 --bytes 256KiB \
  --then 20us less.net less.lft --tables-after 40us --spread-over 10us --ack-timeout 100us
expect_line stdout 'seed 1: [0-9]+ packets lost on failed links, [1-9][0-9]* without a route, .* the last one complete at '
simulate 0 '' -p shift:5 --bytes 256KiB --then 20us less.net less.lft --then 200us whole.net whole.lft \
  --tables-after 40us --ack-timeout 100us --json
check jq -e '.changes | length == 2 and .[0].cables_gone == 2 and .[1].cables_come == 2 and .[1].written_ns == 240000' stdout
check jq -e '.runs[0] | .packets.created == .packets.delivered + .packets.dropped and .packets.dropped > 0 and .packets.in_flight == 0' stdout
check jq -e '.runs[0] | .losses.repeats > 0 and .losses.given_up == 0 and .losses.first_lost_ns >= 20000
             and .losses.recovered_ns > .losses.last_lost_ns and (.flows | all(.finished_ns != null))' stdout
check jq -e '.runs[0].losses | .on_failed_links + .without_route + .not_taken == '"$(jq '.runs[0].packets.dropped' stdout)" stdout

# ---- repaired tables are written faster, and fewer packets are lost ----
for tables in less stable; do
  "$bin/simulate_fabric" whole.lft whole.net --uniform --time 300us --then 50us less.net $tables.lft --spread-over 100us --json -o $tables.json
done
check jq -e -s '.[1].changes[0].blocks < .[0].changes[0].blocks' less.json stable.json
check jq -e -s '.[1].runs[0].packets.dropped < .[0].runs[0].packets.dropped' less.json stable.json

# ---- an order with times from a log: old entries are in use until each block is written ----
"$bin/simulate_fabric" whole.lft whole.net --uniform --time 300us --then 50us less.net less.lft --json -o at-once.json
sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' less.net | awk '{ for (b = 0; b < 2; b++) print $1, b, NR * 5, "us" }' >order.txt
simulate 0 '' --uniform --time 300us --then 50us less.net less.lft --write-order order.txt --json
check jq -e ".changes[0].written_ns == 50000 + 1000 * $(tail -n 1 order.txt | cut -d ' ' -f 3)" stdout
check jq -e -s '.[0].runs[0].packets.dropped > .[1].runs[0].packets.dropped' stdout at-once.json

# ---- identical output for any number of threads and all traffic, with congestion control and lanes ----
printf 'duration 300us ; warmup 0\nflow {H00000, H00001, H00002} -> H00009 bytes 64KiB\nuniform others -> all\npattern bisect bytes 64KiB\n' >all.traffic
for threads in 1 3; do
  "$bin/simulate_fabric" whole.lft whole.net --traffic all.traffic --cc off --cc thesis-mesh --seeds 3 --vls 2 -j $threads \
    --then 20us less.net less.lft --spread-over 10us --then 100us whole.net whole.lft --ack-timeout 50us --json -o $threads.json
done
expect_same 1.json 3.json
check jq -e '.runs | length == 6 and all(.losses.without_route + .losses.on_failed_links > 0)' 1.json

# ---- a disconnected host: its senders give up, and the report says so ----
awk -v RS= -v ORS='\n\n' '!/\nCa.*"H00003/' whole.net | sed '/"H00003/d' >without.net
"$bin/route_lft" -e pssp without.net -o without.lft 2>/dev/null
printf 'duration 1ms ; warmup 0\nflow H00000 -> H00003 bytes 64KiB\nflow H00001 -> H00002 bytes 64KiB\n' >cut.traffic
simulate 0 '1 messages GIVEN UP' --traffic cut.traffic --then 5us without.net without.lft --ack-timeout 20us --retry-count 2
simulate 0 '' --traffic cut.traffic --then 5us without.net without.lft --ack-timeout 20us --retry-count 2 --json
check jq -e '.runs[0].flows | (map(select(.gave_up)) | length == 1) and (map(select(.finished_ns != null)) | length == 1)' stdout

# ---- bad input: messages name the error and the expected value ----
then_() { simulate "$1" "$2" --uniform --time 300us "${@:3}"; }
then_ 2 'TIME TOPO TABLES missing' --then 10us less.net
then_ 2 "a time from 0 to 1000s with its unit" --then soon less.net less.lft
then_ 2 'the run ends at 300us; expected changes before its end' --then 300us less.net less.lft
then_ 2 'the previous change is not over until 60us' --then 50us less.net less.lft --spread-over 10us --then 55us whole.net whole.lft
then_ 2 '^simulate_fabric: --tables-after requires --then' --tables-after 3us
then_ 2 '2 files for 1 --then' --then 50us less.net less.lft --write-order order.txt --write-order order.txt
then_ 2 'expected a time above 0' --then 50us less.net less.lft --ack-timeout 0us
then_ 2 'leave out --compare' --then 50us less.net less.lft --compare less.lft
then_ 2 'less.lft is the input less.lft, which would be overwritten' --then 50us less.net less.lft -o less.lft
then_ 3 '^simulate_fabric: --then 50us nosuch less.lft: cannot read nosuch' --then 50us nosuch less.lft
echo nonsense >order.bad
then_ 3 '--then 50us less.net less.lft: order.bad:1: invalid write .nonsense.' --then 50us less.net less.lft --write-order order.bad
"$bin/make_topo" mesh 3x3 --lids -o mesh.net 2>/dev/null
"$bin/route_lft" -e pssp mesh.net -o mesh.lft 2>/dev/null
then_ 4 '^simulate_fabric: --then 50us mesh.net mesh.lft: these are two fabrics' --then 50us mesh.net mesh.lft
expect 4 'change 1: 2 cables are new; expected a part of the first fabric' \
  "$bin/simulate_fabric" less.lft less.net --uniform --time 300us --then 50us whole.net whole.lft
