#!/usr/bin/env bash
# examples/better_tables.sh distinguishes tables that could be better from those that could not, and passes errors on.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without jq
export PATH=$bin:$PATH
example=$PSSP_SOURCE_DIR/examples/better_tables.sh
cd "$scratch"

# Cables are missing, so best gains over engines that ignore the structure.
make_topo chic --permute-ports --lids --seed 3 --kill-links 20 -o fabric.topo 2>err
route_lft -e best fabric.topo -o good.lft 2>err
route_lft -e p2ssp fabric.topo -o today.lft 2>err
expect 0 'bandwidth today .* -?[0-9.]+ % more$' "$example" fabric.topo good.lft
expect 1 'bandwidth today .* [0-9.]+ % more$' "$example" fabric.topo today.lft
# The caller can set the threshold.
expect 0 'more$' "$example" fabric.topo today.lft 500
expect 2 '^usage' "$example" fabric.topo
expect 3 'no.lft' "$example" fabric.topo no.lft
