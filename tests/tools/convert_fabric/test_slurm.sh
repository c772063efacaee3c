#!/usr/bin/env bash
# convert_fabric --to slurm: Slurm's controller accepts the file of every fabric without an error, and knows each node once.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
PATH=$bin:$PATH
cd "$scratch"
trap 'end_slurm; clean_up' EXIT

# named PREFIX: renames the hosts of the net file on standard input to PREFIX1 .., in another order than the file's.
named() { awk -v name="$1" '/^(Ca|Hca)\t/ { ++n; sub(/# ".*"/, sprintf("# \"%s%d mlx5_0\"", name, n * 7919 % 100003)) } { print }'; }

# control NODES: starts a controller with these nodes and topology.conf. Prints its messages without times, and writes its
# topology to tree.
control() {
  local log=$scratch/slurmctld.log
  rm -rf state "$log"
  mkdir state
  write_slurm_conf
  sed -i "/^NodeName/d; s/^PartitionName=.*/TopologyPlugin=topology\/tree\nPartitionName=all Nodes=ALL Default=YES State=UP/" slurm.conf
  printf 'NodeName=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 State=FUTURE\n' "$1" $((port + 1)) >>slurm.conf
  started=()
  start_controller -c
  wait_until answers
  end_slurm
  sed 's/^\[[^]]*\] //' "$log" | grep -v 'gettimeofday' | sort -u >said
}
answers() { scontrol show topology >"$scratch/tree" 2>&1 && grep -q ^SwitchName= "$scratch/tree"; }

# taken NAME FABRIC OPTION...: the controller must accept the file. Errors that also occur with a single switch are ignored.
taken() {
  local name=$1 fabric=$2 list
  expect 0 '' convert_fabric "$fabric" --to slurm -o topology.conf "${@:3}"
  cp stderr "$name.said"
  sed -n 's/^SwitchName=[^ ]* Nodes=//p' topology.conf >lists
  list=$(paste -sd, lists)
  cp topology.conf "$name.conf"
  control "$list"
  grep -i error said >errors || true
  ! grep -vxFf usual errors >new || fail "$name: $(head -n 3 new)"
  # Slurm prints every line, and its own parser expands the nodes.
  expect_equal "$name: switches" "$(grep -c . tree)" "$(grep -c '^SwitchName' "$name.conf")"
  expect_equal "$name, nodes twice" "$(scontrol show hostnames "$list" | sort | uniq -d | wc -l)" 0
  scontrol show hostnames "$list" | sort >of_slurm
}

# usual: errors of a controller that are unrelated to the topology.
printf 'SwitchName=s1 Nodes=n1\n' >topology.conf
control n1
grep -i error said | sort -u >usual || true

# expect_nodes NAME DESCRIPTION NET: the topology file must have exactly the nodes of NET, each once and in lower case. The first
# group of the regular expression DESCRIPTION is the node name.
expect_nodes() {
  sed -nE "s/^(Ca|Hca)\t.*# \"$2 *\".*/\2/p" "$3" | grep -vxE 'localhost|ubuntu' | tr '[:upper:]' '[:lower:]' | sort -u >expected
  expect_same of_slurm expected "$1: nodes of Slurm's file and of the fabric"
}

declare -A kinds=([chic]=chic [deimos]=deimos [thunderbird]=thunderbird [xgft8]='xgft 8,8,8 1,4,4' [torus]='torus 6x6x4 --hosts 1')
for name in "${!kinds[@]}"; do
  # shellcheck disable=SC2086  # words of a kind
  make_topo ${kinds[$name]} 2>/dev/null | named node >"$name.net"
  taken "$name" "$name.net"
  expect_nodes "$name" '(node[0-9]+) mlx5_0' "$name.net"
done
expect_line chic.conf '^SwitchName=leaf-1 Nodes=node'
expect_equal 'levels of xgft8' "$(grep -c 'Switches=' xgft8.conf)" 9 # eight of the middle, and the top
for name in deimos torus; do
  expect_line "$name.said" 'is not a tree'
  expect_equal "levels of $name" "$(grep -c 'Switches=' "$name.conf")" 1
done

# Two islands in one file, each with its own top switches.
make_topo k-ary-n-tree 4 2 2>/dev/null | named a >a.net
make_topo k-ary-n-tree 2 3 2>/dev/null | sed 's/"S0/"T0/g; s/"H0/"I0/g' | named b >b.net
sed -i '/^\(vendid\|devid\|sysimgguid\|switchguid\|caguid\)/d; s/([0-9a-fx]*)//' a.net b.net
cat a.net b.net >islands.net
taken islands islands.net
expect_nodes islands '([ab][0-9]+) mlx5_0' islands.net
expect_equal 'tops of two islands' "$(grep -c '^SwitchName=top' islands.conf)" 2

# The two saved fabrics, with all rails and with one, which is that with the lowest number in each family of names.
declare -A first_rail=([ndr-40-switches]='HCA-1|mlx5_0' [hdr-666-switches]='HCA-2|mlx5_0')
fabrics=${PSSP_FABRICS_DIR:-$PSSP_SOURCE_DIR/../shared/fabrics}
for name in "${!first_rail[@]}"; do
  if [[ ! -r $fabrics/$name.ibnetdiscover ]]; then
    echo "skipped: $name is not here (PSSP_FABRICS_DIR says where saved fabrics are)"
    continue
  fi
  taken "$name" "$fabrics/$name.ibnetdiscover"
  expect_nodes "$name" '([^ ]+) [^ ]+' "$fabrics/$name.ibnetdiscover"
  taken "$name, one rail" "$fabrics/$name.ibnetdiscover" --rails 0
  expect_nodes "$name, one rail" "([^ ]+) (${first_rail[$name]})" "$fabrics/$name.ibnetdiscover"
done
# Debian's Slurm does not read topology.yaml, so the test checks the keys, and that each topology has each node once.
if python3 -c 'import yaml' 2>/dev/null; then
  expect 0 '' convert_fabric chic.net -o topology.yaml --slurm-topology near:tree --slurm-topology rows:block=20 --slurm-topology all:flat
  python3 - topology.yaml <<'END' || fail 'topology.yaml'
import sys, yaml
near, rows, flat = yaml.safe_load(open(sys.argv[1]))
assert [near["topology"], rows["topology"], flat["topology"]] == ["near", "rows", "all"]
assert [each["cluster_default"] for each in (near, rows, flat)] == [True, False, False]
assert flat["flat"] is True and set(flat) == {"topology", "cluster_default", "flat"}
switches, named, children = near["tree"]["switches"], set(), set()
for each in switches:
    assert set(each) in ({"switch", "nodes"}, {"switch", "children"}) and all(isinstance(v, str) for v in each.values())
    assert each["switch"] not in named
    named.add(each["switch"])
assert len(switches) == 44 + 22 + 1 and "children" in switches[-1]
assert rows["block"]["block_sizes"] == [20]
assert all(set(each) == {"block", "nodes"} for each in rows["block"]["blocks"])
print(*[each["nodes"] for each in switches if "nodes" in each], sep=",", file=open("near", "w"))
print(*[each["nodes"] for each in rows["block"]["blocks"]], sep=",", file=open("rows", "w"))
END
  for name in near rows; do
    scontrol show hostnames "$(cat "$name")" | sort >of_slurm
    expect_nodes "$name" '(node[0-9]+) mlx5_0' chic.net
  done
else
  echo 'skipped: topology.yaml (python3-yaml is not installed)'
fi

# Refused options.
expect 2 'needs --blocks' convert_fabric chic.net --to slurm-block -o no.conf
expect 2 'is for --to slurm-block' convert_fabric chic.net --to slurm --blocks 4 -o no.conf
expect 2 'rails is for --to slurm' convert_fabric chic.net --rails 0 -o no.net
expect 2 'is for --to slurm-yaml' convert_fabric chic.net --to slurm --slurm-topology a:tree -o no.conf
for wrong in a a:bush a:tree: a:flat:0 a:block=0 a:block=x :tree 'a b:tree' a:tree:0:1; do
  expect 2 'expected NAME:tree' convert_fabric chic.net --to slurm-yaml --slurm-topology "$wrong" -o no.yaml
done
expect 2 "duplicate name 'a'" convert_fabric chic.net --to slurm-yaml --slurm-topology a:tree --slurm-topology a:flat -o no.yaml
expect 2 'no node is left for the scheduler' convert_fabric chic.net --to slurm --nodes nobody -o no.conf
expect 2 'blocks of 529 nodes' convert_fabric chic.net --to slurm-block --blocks 529 -o no.conf
check [ ! -e no.conf ] && check [ ! -e no.yaml ]
printf 'NodeName=Node7919 Arch=x86_64 State=IDLE\nNodeName=elsewhere State=DOWN\n' >nodes
expect 0 '527 nodes of the fabric are left out' convert_fabric chic.net --to slurm --from-slurm nodes -o one.conf
expect_line stderr '1 nodes of Slurm are left out'
expect_line one.conf '^SwitchName=leaf-1 Nodes=Node7919$'
echo 'every file is taken'
