#!/usr/bin/env bash
# Cables with both ends in one switch or between two adapters are compared like all others. Blanks around names are ignored.
# Adapters count even if their names differ.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
compare() { expect "$1" "$2" "$bin/compare_fabric" "${@:3}"; }
# with CABLE...: prints two leaves below a spine, with cables inside the first leaf, given as "30 31".
with() {
  local a b
  printf 'Switch 40 "L1" # "leaf1"\n[1] "H1"[1] # "n1 mlx5_0" 4xHDR\n[21] "SP"[1] # "spine1" 4xHDR\n'
  while read -r a b; do
    printf '[%d] "L1"[%d] # "leaf1" 4xHDR\n[%d] "L1"[%d] # "leaf1" 4xHDR\n' "$a" "$b" "$b" "$a"
  done < <((($# == 0)) || printf '%s\n' "$@")
  printf '\nSwitch 40 "L2" # "leaf2"\n[1] "H2"[1] # "n2 mlx5_0" 4xHDR\n[21] "SP"[2] # "spine1" 4xHDR\n'
  printf '\nSwitch 40 "SP" # "spine1"\n[1] "L1"[21] # "leaf1" 4xHDR\n[2] "L2"[21] # "leaf2" 4xHDR\n'
  printf '\nCa 1 "H1" # "n1 mlx5_0"\n[1] "L1"[1] # "leaf1" 4xHDR\n\nCa 1 "H2" # "n2 mlx5_0"\n[1] "L2"[1] # "leaf2" 4xHDR\n'
  # Two adapters back to back.
  printf '\nCa 1 "B1" # "b1 mlx5_0"\n[1] "B2"[1] # "b2 mlx5_0" 4xHDR\n\nCa 1 "B2" # "b2 mlx5_0"\n[1] "B1"[1] # "b1 mlx5_0" 4xHDR\n'
}
with >plan.topo
with '30 31' >extra.topo
with '30 32' >moved.topo
with '30 31' '33 34' >two.topo
compare 0 '^5 of 5 planned cables are in place, 5 cables in the fabric, 0 statements$' plan.topo plan.topo
compare 7 '^extra: leaf1 port 30 - leaf1 port 31: this cable is not in the plan$' plan.topo extra.topo
said stdout '^5 of 5 planned cables are in place, 6 cables in the fabric, 1 statement$'
compare 7 '^missing: leaf1 port 30 - leaf1 port 31$' extra.topo plan.topo
compare 7 '^moved: leaf1 port 30 is at leaf1 port 32, planned port 31$' extra.topo moved.topo
said stdout '^5 of 6 planned cables are in place'
compare 0 '^7 of 7 planned' two.topo two.topo
with '30 33' '31 34' >crossed.topo
compare 7 '^swapped: ' two.topo crossed.topo
sed '/"B1"\|"B2"/d' plan.topo >without_pair.topo
compare 7 '' plan.topo without_pair.topo
said stdout '^missing node: b1 mlx5_0'
with '30 30' | awk '!seen[$0]++ || !/"L1"\[30\]/' >plug.topo
compare 0 'warning: 1 ports are cabled to themselves \(loopback plugs\) and are not compared, e.g. leaf1 port 30' plan.topo plug.topo
expect 0 '' "$bin/convert_fabric" two.topo -o two.csv
compare 0 '^7 of 7 planned' two.csv two.topo

# Blanks around names.
sed -E 's/# "([a-z0-9]*)"/# " \1 "/' two.topo >blanks.topo
compare 0 '^7 of 7 planned' two.topo blanks.topo
compare 0 '^7 of 7 planned' two.csv blanks.topo

# Eight nodes with four adapters at four leaves; one node has two adapters with other names, another node lacks one.
nodes() {
  local leaf node adapter
  for leaf in 0 1 2 3; do
    printf '\nSwitch 40 "L%d" # "leaf%d"\n' "$leaf" "$leaf"
    for node in 0 1 2 3 4 5 6 7; do
      adapter=mlx5_$leaf
      ((node != 5 || leaf < 2)) || adapter=mlx5_1$leaf
      ((node != $1 || leaf != 3)) || continue
      printf '[%d] "H%d%d"[1] # "dgx%03d %s" 4xHDR\n' $((node + 1)) "$node" "$leaf" "$node" "$adapter"
    done
  done
  for node in 0 1 2 3 4 5 6 7; do
    for leaf in 0 1 2 3; do
      adapter=mlx5_$leaf
      ((node != 5 || leaf < 2)) || adapter=mlx5_1$leaf
      ((node != $1 || leaf != 3)) || continue
      printf '\nCa 1 "H%d%d" # "dgx%03d %s"\n[1] "L%d"[%d] # "leaf%d" 4xHDR\n' "$node" "$leaf" "$node" "$adapter" "$leaf" $((node + 1)) "$leaf"
    done
  done
}
nodes 99 >renamed.net
compare 0 ': 0 statements$' --rules renamed.net
nodes 2 >lacking.net
compare 7 '^fewer rails: 1 node is without mlx5_3, which 7 peers have: dgx002$' --rules lacking.net
nodes 5 >both.net
compare 7 '^fewer rails: 1 node is down to 3 of 4 adapters; 7 peers have all: dgx005$' --rules both.net
