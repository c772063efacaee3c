#!/usr/bin/env bash
# route_lft --kinds and eval_lft --kinds: who serves is told by a file, and what is wrong with it by its line.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
"$bin/make_topo" xgft 8,4 1,4 --lids -o tree.net 2>/dev/null
printf 'io H00007 H00015\nio H000[23-31,23]\n' >kinds
expect 0 '11 hosts of 1 kinds' "$bin/route_lft" -e dmodk tree.net --kinds kinds -o told.lft
expect 0 'servers: 11 of the hosts, by their kind' "$bin/eval_lft" told.lft tree.net --kinds kinds -n 10 --structured-suite
expect 0 'servers: 4 of the hosts, the last of each switch' "$bin/eval_lft" told.lft tree.net -n 10 --structured-suite

printf 'io H00007\n\nmds H00007\n' >two
expect 4 "two:3: host 'H00007' is of kind 'mds' here and of kind 'io' in two:1" "$bin/route_lft" -e dmodk tree.net --kinds two -o x.lft
printf 'io H00099\n' >unknown
expect 4 "unknown:1: the fabric has no host 'H00099'" "$bin/route_lft" -e dmodk tree.net --kinds unknown -o x.lft
expect 4 'unknown:1: ' "$bin/eval_lft" told.lft tree.net --kinds unknown
printf 'io\n' >none
expect 3 "none:1: no hosts are of kind 'io'" "$bin/eval_lft" told.lft tree.net --kinds none
expect 3 'missing' "$bin/route_lft" -e dmodk tree.net --kinds missing -o x.lft
expect 2 'node_types_file concerns only opensm' "$bin/route_lft" -e dmodk tree.net -s node_types_file=/x -o x.lft
