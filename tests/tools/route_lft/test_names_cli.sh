#!/usr/bin/env bash
# Node descriptions that look like lines of other formats do not change the tables. For output files of other commands the
# programs name the command to use instead.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
samples=$here/../../fabric/formats/other_commands

cd "$scratch"
"$bin/make_topo" xgft 2,2 1,2 --lids -o plain.net
"$bin/route_lft" --engine pssp plain.net -o plain.lft
# Prints the tables without the names.
entries() { sed -E "s/ #.*//; s/ \('.*//" "$1"; }

while IFS= read -r name; do
  printf '%s\n' "$name" >name
  # Give every node this name.
  awk -v name="$name" '{ if (match($0, /# .*"/) && !/^#/) {
      first = index($0, "# ") + 2 + index(substr($0, index($0, "# ") + 2), "\"") - 1
      rest = $0; sub(/.*"/, "", rest)
      print substr($0, 1, first) name "\"" rest
    } else print }' plain.net >named.net
  check grep -qF -- "$name" named.net
  expect 0 '' "$bin/route_lft" --engine pssp named.net -o named.lft
  expect_equal "tables of nodes named '$name'" "$(entries named.lft)" "$(entries plain.lft)"
  expect 0 '' "$bin/eval_lft" named.net named.lft
done <<'NAMES'
Unicast lids [
Unicast lids [0x0-0x18] of switch DR path slid 0
24 valid lids dumped
24 lids dumped
Multicast mlids [
Switch 36 "S-
dump_ucast_routes: Switch 0x0000000000200000
LID    : Port : Hops : Optimal
x ==( 4X 2.5 Gbps Active/ LinkUp)==>
{ CA Ports:01 SystemGUID:1 NodeGUID:2
submodules:
SDR - CA devid 0x1
a,StartDevice,EndDevice
') # (Switch portguid 0x7: '
NAMES

# Output of other commands: each program names the kind of the file, the line that shows it, and the command to use.
cp "$samples"/* .
for command in "$bin/route_lft --engine pssp -o out.lft" "$bin/eval_lft" "$bin/convert_fabric -o out.dot"; do
  # shellcheck disable=SC2086  # the command is words
  of_another_command() { expect 3 "$2.*run 'ibnetdiscover'" $command "$1"; }
  of_another_command ibswitches.txt 'a list of nodes without links '
done

# A node without a link sees only itself.
lone='04-only-the-own-node.topo: ibnetdiscover saw only the node it ran on \("gpu-node-17 HCA-1"\); its port has no link. Run it on a connected node'
expect 3 "$lone" "$bin/route_lft" --engine pssp 04-only-the-own-node.topo -o out.lft
expect 3 "$lone" "$bin/eval_lft" 04-only-the-own-node.topo plain.lft
expect 3 "$lone" "$bin/convert_fabric" 04-only-the-own-node.topo -o out.net
[[ ! -e out.lft && ! -e out.net ]] || fail 'a refused file has an output'

# A fabric without switches cannot be routed.
printf 'Ca\t1 "a"\nCa\t1 "b"\n' >down.net
expect 5 '2 adapters and no switch: there is nothing to route' "$bin/route_lft" --engine pssp down.net -o out.lft
