#!/usr/bin/env bash
# convert_fabric --to slurm: a controller of Slurm takes the file of every fabric without a complaint, and has each node once.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
PATH=$bin:$PATH
cd "$scratch"
trap 'end_slurm; clean_up' EXIT

# named PREFIX: the net file on standard input, its hosts called PREFIX1 .. in an order that is none of the file's.
named() { awk -v name="$1" '/^(Ca|Hca)\t/ { ++n; sub(/# ".*"/, sprintf("# \"%s%d mlx5_0\"", name, n * 7919 % 100003)) } { print }'; }

# control NODES PLUGIN: what a controller says of these nodes and of topology.conf, without times; and what it has, in tree.
control() {
  local log=$scratch/slurmctld.log
  rm -rf state "$log"
  mkdir state
  write_slurm_conf
  sed -i "/^NodeName/d; s/^PartitionName=.*/TopologyPlugin=topology\/$2\nPartitionName=all Nodes=ALL Default=YES State=UP/" slurm.conf
  printf 'NodeName=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 State=FUTURE\n' "$1" $((port + 1)) >>slurm.conf
  started=()
  start_controller -c
  wait_until answers
  end_slurm
  sed 's/^\[[^]]*\] //' "$log" | grep -v 'gettimeofday' | sort -u >said
}
answers() { [[ $(scontrol show topology 2>&1 | tee "$scratch/tree") == SwitchName=* ]] || { [[ $2 == none ]] && scontrol ping | grep -q UP; }; }

# taken NAME FABRIC OPTION...: the controller takes the file. A controller with one switch says which errors are not of this.
taken() {
  local name=$1 fabric=$2 list
  expect 0 '' convert_fabric "$fabric" --to slurm -o topology.conf "${@:3}"
  cp stderr "$name.said"
  sed -n 's/^SwitchName=[^ ]* Nodes=//p' topology.conf >lists
  list=$(paste -sd, lists)
  SLURM_CONF=/dev/null scontrol show hostnames "$list" 2>/dev/null | sort >of_slurm || true
  cp topology.conf "$name.conf"
  control "$list" tree
  grep -i error said >errors || true
  ! grep -vxFf usual errors >new || fail "$name: $(head -n 3 new)"
  # Slurm prints every line back; its own parser says which nodes are in them.
  diff <(sed 's/ Level=.*\(Nodes\)=/ \1=/' tree | grep -c .) <(grep -c '^SwitchName' "$name.conf") || fail "$name: other switches"
  expect_equal "$name, nodes twice" "$(scontrol show hostnames "$list" | sort | uniq -d | wc -l)" 0
  scontrol show hostnames "$list" | sort >of_slurm
}

# usual: errors of a controller that knows nothing of switches to complain of.
printf 'SwitchName=s1 Nodes=n1\n' >topology.conf
control n1 tree
grep -i error said | sort -u >usual || true

# expect_nodes NAME PREFIX NET: those that the topology file has, no others.
expect_nodes() {
  sed -n "s/^\(Ca\|Hca\)\t.*# \"\($2[0-9]*\) .*/\2/p" "$3" | sort >expected
  diff of_slurm expected >difference || fail "$1: other nodes than in the fabric: $(head -n 3 difference)"
}

declare -A kinds=([chic]=chic [deimos]=deimos [thunderbird]=thunderbird [xgft8]='xgft 8,8,8 1,4,4' [torus]='torus 6x6x4 --hosts 1')
for name in "${!kinds[@]}"; do
  # shellcheck disable=SC2086  # words of a kind
  make_topo ${kinds[$name]} 2>/dev/null | named node >"$name.net"
  taken "$name" "$name.net"
  expect_nodes "$name" node "$name.net"
done
expect_line chic.conf '^SwitchName=leaf-1 Nodes=node'
expect_equal 'levels of xgft8' "$(grep -c 'Switches=' xgft8.conf)" 9 # eight of the middle, and the top
for name in deimos torus; do
  expect_line "$name.said" 'is no tree'
  expect_equal "levels of $name" "$(grep -c 'Switches=' "$name.conf")" 1
done

# Two islands in one file, each with its top.
make_topo k-ary-n-tree 4 2 2>/dev/null | named a >a.net
make_topo k-ary-n-tree 2 3 2>/dev/null | sed 's/"S0/"T0/g; s/"H0/"I0/g' | named b >b.net
sed -i '/^\(vendid\|devid\|sysimgguid\|switchguid\|caguid\)/d; s/([0-9a-fx]*)//' a.net b.net
cat a.net b.net >islands.net
taken islands islands.net
expect_equal 'tops of two islands' "$(grep -c '^SwitchName=top' islands.conf)" 2

# The two saved fabrics, all rails and one.
fabrics=${PSSP_FABRICS_DIR:-$PSSP_SOURCE_DIR/../shared/fabrics}
for name in ndr-40-switches hdr-666-switches; do
  if [[ ! -r $fabrics/$name.ibnetdiscover ]]; then
    echo "skipped: $name is not here (PSSP_FABRICS_DIR says where saved fabrics are)"
    continue
  fi
  taken "$name" "$fabrics/$name.ibnetdiscover"
  taken "$name, one rail" "$fabrics/$name.ibnetdiscover" --rails 0
done
echo 'every file is taken'
