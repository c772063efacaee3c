#!/usr/bin/env bash
# pattern.sh PATTERN RANKS: the pairs of sender and receiver in each level of a pattern, as eval_lft prints them.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

net=$(fabric xgft 4,4 1,4)
printed=$(kept eval_lft "$(tables "$net" pssp)" "$net" --ptrn "$1" --commsize "$2" --no-shuffle --printptrn --num-runs 1)
# A level is between two lines of equals signs. Its pairs have no order, so they are sorted.
awk '/^=+$/ { inside = !inside; level += inside; next } inside && $2 == "->" { print level, $1, $3 }' "$printed" | sort -n -k 1,1 -k 2,2 -k 3,3 >"$work/pairs"
value levels "$(cut -d ' ' -f 1 "$work/pairs" | sort -u | wc -l)"
level=0
awk '{ pairs[$1] = pairs[$1] " " $2 ">" $3 } $1 > last { last = $1 } END { for (i = 1; i <= last; ++i) print substr(pairs[i], 2) }' "$work/pairs" |
  while read -r pairs; do
    ((++level))
    value "level $level" "$pairs"
  done
