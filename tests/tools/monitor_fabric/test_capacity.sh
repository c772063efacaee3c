#!/usr/bin/env bash
# From verdicts to routing: verdicts in a database become a capacity file, with which no route uses the bad link.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
monitor=$bin/monitor_fabric
[[ -x $monitor ]] || skip 'monitor_fabric is not built'
cd "$scratch"
"$PSSP_BUILD_DIR/tests/write_history" plain.db 3
expect 0 '' "$monitor" nodes -d plain.db --json
# A cable between two switches in a tree of 8 switches, 16 hosts and 16 cables between switches.
expect 0 '' "$monitor" export -d plain.db --topology-at now -o fabric.net
cables() {
  awk '/^switchguid/ { guid = $1; sub(/switchguid=/, "", guid); sub(/\(.*/, "", guid); next } /^[a-z]*guid/ { guid = "" } guid != "" && /^\[/ && $2 ~ /^"S/ { print guid, $1 }' fabric.net |
    tr -d '[]'
}
cables >ends_of_cables
expect_equal 'ends of cables between switches' "$(wc -l <ends_of_cables)" 32
read -r guid port <ends_of_cables

"$PSSP_BUILD_DIR/tests/write_history" one.db 3 0 "$guid:$port:link_downed"
expect 0 '1 of 16 links between switches' "$monitor" capacity -d one.db -o capacities
expect_equal 'first line' "$(head -n 1 capacities | cut -c 1-32)" '# pssp capacity 1 monitor_fabric'
expect_equal 'the link' "$(grep -v '^#' capacities | cut -d ' ' -f 3)" 0
expect 0 '0 of 16 links' "$monitor" capacity -d plain.db -o none

# Entries that leave by either end of the link.
uses() {
  awk -v ends="$1" 'BEGIN { split(ends, end, " ") }
    /^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") at = $(i + 1) }
    /^0x/ { for (e in end) { split(end[e], part, ":"); if (at == part[1] && $2 + 0 == part[2] + 0) ++count } }
    END { print count + 0 }' "$2"
}
expect 0 '' "$bin/route_lft" -e pssp fabric.net -o nominal.lft
expect 0 '1 of them are avoided' "$bin/route_lft" -e pssp fabric.net --capacity capacities -o lowered.lft
link=$(awk -v g="$guid" -v p="$port" '$1 == g && $2 == p { print $1 ":" $2 }' ends_of_cables)
(($(uses "$link" nominal.lft) > 0)) || fail "the link $link carries nothing anyway"
expect_equal "entries by the link $link" "$(uses "$link" lowered.lft)" 0
expect 0 '' "$bin/eval_lft" lowered.lft fabric.net --capacity capacities -n 10 --json
check jq -e '.unreachable_pairs == 0' stdout >null

# Percentages are configured; other kinds of damage halve the capacity.
"$PSSP_BUILD_DIR/tests/write_history" errors.db 3 0 "$guid:$port:symbol_errors"
expect 0 '' "$monitor" capacity -d errors.db
expect_equal 'half' "$(grep -v '^#' stdout | cut -d ' ' -f 3)" 50
printf '[verdicts]\ncapacity_bad_percent = 20\n' >percent.conf
expect 0 '' "$monitor" capacity -d errors.db --config percent.conf
expect_equal 'a fifth' "$(grep -v '^#' stdout | cut -d ' ' -f 3)" 20

# At most one link in ten is lowered, unless the limit is raised; readers refuse such a file even then.
mapfile -t two < <(awk 'NR == 1 { print $1 ":" $2 ":link_downed"; first = $1 } $1 != first { print $1 ":" $2 ":link_downed"; exit }' ends_of_cables)
"$PSSP_BUILD_DIR/tests/write_history" two.db 3 0 "${two[@]}"
expect 4 'links between switches would have less capacity' "$monitor" capacity -d two.db -o too_many
[[ ! -e too_many ]] || fail 'a file was written that was refused'
expect 0 '' "$monitor" capacity -d two.db -o too_many --force
expect 4 'would have less capacity' "$bin/route_lft" -e pssp fabric.net --capacity too_many -o x.lft
expect 3 '' "$monitor" capacity -d "$scratch/none.db"
expect 2 'needs a database' "$monitor" serve --config <(printf '[verdicts]\ncapacity_file = /x\n')
