#!/usr/bin/env bash
# The plugin's log at OpenSM's default level has one report for each routing, and only lines whose code or topic is documented.
# The runs include refusals, wrong options, faults and unusable files.
# shellcheck disable=SC2016  # Markdown has backquotes
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

page=$PSSP_SOURCE_DIR/docs/reference/log-messages.md
sed -n 's/^| `\(ERR 7A..\)` .*/\1/p' "$page" | sort >"$scratch/codes"
sed -n 's/^| `\([a-z ]*:\)` .*/\1/p' "$page" | sort >"$scratch/topics"

# All codes that the plugin can log are documented, and each of its errors has a code.
mapfile -t sources < <(find "$PSSP_SOURCE_DIR/osm_plugin" "$PSSP_SOURCE_DIR/routing/options" -name '*.c' -o -name '*.h' -o -name '*.cpp')
grep -oh '\(ERR \|= 0x\)7A[0-9A-F][0-9A-F]' "${sources[@]}" | sed 's/^= 0x/ERR /' | sort -u >"$scratch/used"
expect_equal 'codes without a row on the page' "$(comm -23 "$scratch/used" "$scratch/codes")" ''
expect_equal 'files that write to the log by themselves' "$(grep -lE 'osm_log\(|OSM_LOG_(ERROR|INFO)' "${sources[@]}")" \
  "$PSSP_SOURCE_DIR/osm_plugin/opensm_log.cpp"

# log_of DIR: prints what the plugin logged by default in one or more sweeps, without timestamps, and checks each line.
log_of() {
  local line
  sed -n 's/^[^>]* 0x0[12] -> osmpssp: //p' "$1/opensm.log" >"$1/lines"
  while read -r line; do
    if [[ $line =~ ^(ERR\ 7A..):\  ]]; then
      grep -qxF "${BASH_REMATCH[1]}" "$scratch/codes" || fail "not on the page: $line"
    else
      grep -qxF "${line%%: *}:" "$scratch/topics" || fail "not on the page: $line"
    fi
  done <"$1/lines"
  expect_equal "reports of routings in $1" "$(grep -c '^routing: engine=' "$1/lines" || true)" \
    "$(grep -cE ' (best|pssp) tables configured on all switches' "$1/opensm.log" || true)"
}

make_tree 4 2 3 2 >"$scratch/tree.net"
make_ring 6 2 >"$scratch/ring.net"
plugin_options='nonsense=1 stable=off stable.least_gain=5'
route "$scratch/tree" best "$scratch/tree.net"
log_of "$scratch/tree"
expect_equal 'lines of a good routing' "$(sed 's/: .*//' "$scratch/tree/lines" | sort)" $'ERR 7A11\noption without effect\nrouting'

plugin_options="capacity_file=$scratch/none service_level_dump=$scratch/no/such/folder"
route "$scratch/ring" dmodk,pssp "$scratch/ring.net"
log_of "$scratch/ring"
expect_equal 'lines of a routing in trouble' "$(sed 's/: .*//' "$scratch/ring/lines" | LC_ALL=C sort | uniq -c | sed 's/^ *//')" \
  $'1 ERR 7A20\n1 ERR 7A22\n2 ERR 7A25\n1 ERR 7A26\n1 routing'

# Each value of the report is a single word.
awk '/^routing: / { for (i = 2; i <= NF; i++) if ($i !~ /^[a-z_]+=[^ =]+$/) { print; exit 1 } }' "$scratch"/*/lines ||
  fail 'the report is not of the form key=value'
# The page lists the keys of the report in their order.
expect_equal 'keys on the page' \
  "$(sed -n '/^| key | /,/^$/s/^| \(`[^|]*`\) |.*/\1/p' "$page" | tr -d '\`,' | tr ' ' '\n')" \
  "$(grep -h '^routing: ' "$scratch/tree/lines" | tr ' ' '\n' | sed -n 's/=.*//p')"
