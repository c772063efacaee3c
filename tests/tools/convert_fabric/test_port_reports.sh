#!/usr/bin/env bash
# The reports of the stock ibnetdiscover -p and iblinkinfo, in each of their forms, have the same nodes, links, rates and LIDs as
# the output of ibnetdiscover for the same simulated fabric.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover iblinkinfo
cd "$scratch"

# links NET: prints a line for each end of a link in a net file: description, port, remote description, remote port.
links() {
  awk -F '"' '
    /^(Switch|Ca|Rt)/ { id = $2; name[id] = $4; next }
    /^\[/ { split($0, part, /[][]/); near[++n] = id; port[n] = part[2]; far[n] = $2; rest = $3; sub(/^\[/, "", rest); sub(/\].*/, "", rest); far_port[n] = rest }
    END { for (i = 1; i <= n; i++) printf "%s %s %s %s\n", name[near[i]], port[i], name[far[i]], far_port[i] }' "$1" | sort
}
# nodes NET: prints the descriptions and LIDs of switches and adapter ports.
nodes() { grep -oE '^(Switch|Ca|Rt).*|^\[.* lid [0-9]+ lmc.*' "$1" | awk '/^S|^C|^R/ { split($0, q, "\""); name = q[4] } match($0, / lid [0-9]+/) { print name, substr($0, RSTART + 5, RLENGTH - 5) }' | sort -u; }

RANDOM=4 fabric=0
for spec in 'xgft 4,4 1,3 --permute-ports' 'torus 3x3 --hosts 2 --permute-ports' 'random-regular 8 --degree 3 --hosts 2 --permute-ports'; do
  # shellcheck disable=SC2086  # several words
  "$bin/make_topo" $spec --seed "$((RANDOM % 100))" -o made.net 2>/dev/null
  dir=$scratch/fabric$((++fabric))
  simulate "$dir" "$scratch/made.net"
  sweep_once "$dir" minhop
  host=$(<"$dir/state/host")
  in_fabric "$dir" "$host" ibnetdiscover >found.topo 2>/dev/null
  expect 0 '' "$bin/convert_fabric" found.topo -o found.net
  links found.net >found.links
  nodes found.net >found.nodes
  check test -s found.links -a -s found.nodes
  for command in 'ibnetdiscover -p' 'iblinkinfo' 'iblinkinfo -l' 'iblinkinfo --switches-only'; do
    # shellcheck disable=SC2086  # the command is words
    in_fabric "$dir" "$host" $command >report.txt 2>/dev/null
    expect 0 '' "$bin/convert_fabric" report.txt -o report.net
    links report.net >report.links
    nodes report.net >report.nodes
    expect_same found.links report.links "links of $command of $spec"
    expect_same found.nodes report.nodes "LIDs of $command of $spec"
  done
  # With tables of the same fabric, the evaluation is the same.
  dump_tables "$dir" minhop.lft
  in_fabric "$dir" "$host" ibnetdiscover -p >report.txt 2>/dev/null
  for topology in found.topo report.txt; do
    "$bin/eval_lft" minhop.lft "$topology" --patterns 20 --no-ceiling --json 2>/dev/null | jq -S 'del(.seconds, .files, .topology, .tables, .warnings) | .ebb // .' >"$topology.json"
  done
  expect_same found.topo.json report.txt.json "evaluation of $spec"
  stop_simulation "$dir"
done
