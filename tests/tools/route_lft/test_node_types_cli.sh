#!/usr/bin/env bash
# route_lft --node-types and eval_lft --node-types: a file specifies the servers, and errors in it are reported with their line.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
"$bin/make_topo" xgft 8,4 1,4 --lids -o tree.net 2>/dev/null
printf 'io H00007 H00015\nio H000[23-31,23]\n' >types
expect 0 '11 hosts of 1 node types' "$bin/route_lft" -e dmodk tree.net --node-types types -o told.lft
expect 0 'servers: 11 of the hosts, by their node type' "$bin/eval_lft" told.lft tree.net --node-types types -n 10 --structured-suite
expect 0 'servers: 4 of the hosts, the last host of each switch' "$bin/eval_lft" told.lft tree.net -n 10 --structured-suite

printf 'io H00007\n\nmds H00007\n' >two
expect 4 "two:3: host 'H00007' is of node type 'mds' here and of node type 'io' in two:1" "$bin/route_lft" -e dmodk tree.net --node-types two -o x.lft
printf 'io H00099\n' >unknown
expect 4 "unknown:1: the fabric has no host 'H00099'" "$bin/route_lft" -e dmodk tree.net --node-types unknown -o x.lft
expect 4 'unknown:1: ' "$bin/eval_lft" told.lft tree.net --node-types unknown
printf 'io\n' >none
expect 3 "none:1: node type 'io' has no hosts" "$bin/eval_lft" told.lft tree.net --node-types none
expect 3 'missing' "$bin/route_lft" -e dmodk tree.net --node-types missing -o x.lft
expect 2 'node_types_file concerns only opensm' "$bin/route_lft" -e dmodk tree.net -s node_types_file=/x -o x.lft
