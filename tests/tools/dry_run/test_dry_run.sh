#!/usr/bin/env bash
# dry_run end to end with the evaluator of this build. Expected values: a 4x4 mesh with one host per switch has 16 hosts and 16
# switches, and minimal paths between its 240 ordered pairs have 8/3 switch-to-switch hops on average.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"

mesh 4 4 >"$scratch/mesh.net"
dry_run() { expect "$1" '' "$bin/dry_run" "$scratch/mesh.net" --patterns 200 "${@:2}"; }

# One engine, text output.
dry_run 0 --engine minhop --out "$scratch/text"
said stdout '^opensm routed with minhop in [0-9.]+ ms'
for file in routing.lft opensm.log opensm.conf opensm.out ibsim.log report.txt; do
  [[ -s $scratch/text/$file ]] || fail "no $file"
done
[[ ! -e $scratch/text/state ]] || fail "the state of the instance is still there"
[[ $(entries "$scratch/text/routing.lft" | wc -l) == 512 ]] || fail "not 16 tables of 32 LIDs"

# One engine, JSON output; the dump must be what opensm says it wrote.
dry_run 0 --engine dor --out "$scratch/one" --json --seed 7 -- -D 0x47
cp "$scratch/stdout" "$scratch/one.json"
same_entries "$scratch/one/routing.lft" "$scratch/one/osm/opensm-lfts.dump"
member() { jq -r "$1" "$scratch/one.json"; }
[[ $(member .engine,.engine_used,.hosts,.switches,.ebb.patterns,.unreachable_pairs | paste -sd ' ') == 'dor dor 16 16 200 0' ]] ||
  fail "$(<"$scratch/one.json")"
[[ $(member '.hops.mean * 3 | round') == 8 ]] || fail "mean hops $(member .hops.mean)"
[[ $(member '.routing_ms > 0') == true ]] || fail "routing took no time"

# Several runs at the same time, from different folders and without --out.
pids=()
for number in 1 2 3 4; do
  mkdir "$scratch/side$number"
  (cd "$scratch/side$number" && exec "$bin/dry_run" "$scratch/mesh.net" --engine sssp --patterns 50) >"$scratch/side$number.txt" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  wait "$pid" || fail "a dry run beside others failed: $(cat "$scratch"/side?.txt)"
done
for number in 2 3 4; do
  same_entries "$scratch"/side1/out/*/routing.lft "$scratch/side$number"/out/*/routing.lft
done

# A comparison. An engine that the user names must succeed; ftree does not support a mesh.
dry_run 5 --engine minhop --engine ftree --engine lash --out "$scratch/table"
said stdout '^minhop +0\.[0-9]{4} \+- 0\.[0-9]{4} '
said stdout '^lash +0\.[0-9]{4} \+- 0\.[0-9]{4} .* no '
said stdout '^ftree +no tables'
said stderr "did not use engine 'ftree' but 'minhop'"
[[ -s $scratch/table/lash/routing.lft && ! -e $scratch/table/ftree/routing.lft ]] || fail "wrong tables are there"
dry_run 0 --engine minhop --engine sssp --out "$scratch/table" --json
[[ $(jq -r '.[].engine' "$scratch/stdout" | paste -sd ' ') == 'minhop sssp' ]] || fail "$(<"$scratch/stdout")"

# Input files are not overwritten, whatever name they have.
cp "$scratch/text/opensm.conf" "$scratch/opensm.conf"
ln -s "$scratch/text/opensm.conf" "$scratch/link.conf"
for conf in text/opensm.conf link.conf; do
  dry_run 2 --engine minhop --out "$scratch/text" --conf "$scratch/$conf"
  said stderr "opensm.conf' is one of the files in --out|link.conf' is one of"
  expect_same "$scratch/text/opensm.conf" "$scratch/opensm.conf"
done
cp "$scratch/table/minhop/opensm.conf" "$scratch/opensm.conf"
dry_run 2 --engine minhop --engine sssp --out "$scratch/table" --conf "$scratch/table/minhop/opensm.conf"
expect_same "$scratch/table/minhop/opensm.conf" "$scratch/opensm.conf"
cp "$scratch/mesh.net" "$scratch/text/topology.net"
expect 2 '' "$bin/dry_run" "$scratch/text/topology.net" --engine minhop --out "$scratch/text"
[[ -s $scratch/text/topology.net && -s $scratch/text/routing.lft ]] || fail "an input was taken away"

# Earlier results must not be mistaken for new ones.
expect 5 '' "$bin/dry_run" "$scratch/mesh.net" --engine ftree --out "$scratch/text"
[[ ! -e $scratch/text/routing.lft && ! -e $scratch/text/report.txt ]] || fail "old results are still there"
nothing_runs || fail "something still runs"

# A port list is simulated like a net file.
expect 0 '' "$bin/dry_run" "$PSSP_SOURCE_DIR/tests/fabric/formats/other_commands/02-ibnetdiscover-ports.txt" --engine minhop --patterns 50 --out "$scratch/ports"
said stdout '^ +links +32, 16 of them between switches'
