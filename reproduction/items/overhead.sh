#!/usr/bin/env bash
# overhead.sh NAME SHARE_OF_TREES SHARE_OF_NEIGHBOURS: communication overhead in per cent that follows from the cells of the paper's table; mean of
# three systems.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

awk -F '\t' -v name="$1" -v trees="$2" -v neighbours="$3" '
  BEGIN { split(".699 .713 .574", tree, " "); split(".624 .607 .374", neighbour, " "); split("Ranger Atlas Thunderbird", systems, " ") }
  { for (s = 1; s <= 3; ++s) if ($1 == name " " systems[s] && $5 != "shown") { ++n; sum += (100 - $2) / (trees * (1 - tree[s]) + neighbours * (1 - neighbour[s])) } }
  END { printf "%s\t%.4f\t\t%%\n", name, sum / n }' "$(dirname "$0")/../published/M23.tsv" >>"$OUT/values.tsv"
