#!/usr/bin/env bash
# The plugin of this build inside the stock opensm, and the default comparison of dry_run.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip "this build has no plugin"
mesh 5 4 >"$scratch/mesh.net"
for engine in pssp p2ssp meshdor updown; do
  expect 0 '' "$bin/dry_run" "$scratch/mesh.net" --engine "$engine" --out "$scratch/$engine" --patterns 100 --json
  [[ $(jq -r '.engine_used,.hosts,.unreachable_pairs,.forwarding_loops' "$scratch/stdout" | paste -sd ' ') == "$engine 20 0 0" ]] ||
    fail "$(<"$scratch/stdout")"
done
# Hosts at a spine and at a leaf module of a director, with shuffled ports and GUIDs: opensm must identify the same tree, on one
# lane.
for seed in 1 2; do
  "$bin/make_topo" xgft 6,6,3 1,3,3 --upper-hosts 3 --permute-ports --shuffle-guids --seed "$seed" -o "$scratch/upper.net" 2>/dev/null
  for engine in dmodk heal best; do
    expect 0 '' "$bin/dry_run" "$scratch/upper.net" --engine "$engine" --out "$scratch/upper" --patterns 20 --json
    [[ $(jq -r '.engine_used,.hosts,.unreachable_pairs,.credit_loop' "$scratch/stdout" | paste -sd ' ') == "$engine 108 0 false" ]] ||
      fail "$engine with hosts above the leaves, seed $seed: $(jq -c '[.engine_used, .hosts, .unreachable_pairs, .credit_loop]' "$scratch/stdout")"
  done
done
# A fabric that is not a mesh, here a star of four switches, goes to the next engine in the list.
{
  printf 'Switch\t4 "M"\n[1]\t"A"[1]\n[2]\t"B"[1]\n[3]\t"C"[1]\n\n'
  for leaf in A B C; do
    printf 'Switch\t4 "%s"\n[1]\t"M"[%d]\n[2]\t"H%s"[1]\n\nHca\t1 "H%s"\n[1]\t"%s"[2]\n\n' "$leaf" "$(($(printf '%d' "'$leaf") - 64))" \
      "$leaf" "$leaf" "$leaf"
  done
} >"$scratch/star.net"
expect 0 '' "$harness/start_ibsim.sh" "$scratch/star.net"
expect 0 '' "$harness/start_osm.sh" meshdor,pssp
said stdout '^subnet up, engine pssp, '
expect 5 '' "$harness/start_osm.sh" meshdor
said stderr "did not use engine 'meshdor' but 'minhop'"
# A wrong option does not stop the routing: the plugin ignores it and logs an error.
expect 0 '' "$harness/start_osm.sh" --set no_such_option=1 pssp
said stdout '^subnet up, engine pssp, '
said stderr '^ERR 7A11: option no_such_option=1: unknown'
expect 0 '' "$harness/stop_ibsim.sh"

# Without arguments dry_run generates a fabric and compares five engines.
cd "$scratch"
expect 0 '' "$bin/dry_run" --patterns 100
for engine in pssp p2ssp sssp ftree minhop; do
  said stdout "^$engine +0\.[0-9]{4} \+- "
done
# If ftree refuses the fabric, this is no failure, because the user did not select ftree.
expect 0 '' "$bin/dry_run" "$scratch/mesh.net" --patterns 100
said stdout '^ftree +no tables'
