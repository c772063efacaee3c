#!/usr/bin/env bash
# bounds.sh PATTERN RUNS NAME=WORDS:ENGINE..: optimistic and pessimistic bandwidth of a pattern with several rounds, relative to a crossbar.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

pattern=$1 runs=$2
shift 2
for each; do
  what=${each#*=}
  read -ra words <<<"${what%:*}"
  net=$(fabric "${words[@]}")
  answer=$(kept eval_lft "$(tables_of "$net" "${what##*:}")" "$net" --ptrn "$pattern" --num-runs "$runs" --metric bounds --json)
  value "${each%%=*}" "$(jq .bounds.optimistic.bandwidth_of_crossbar "$answer")" "$(jq .bounds.optimistic.bandwidth.stderr "$answer")"
  value "${each%%=*} pessimistic" "$(jq '.bounds.pessimistic.bandwidth_of_crossbar // .bounds.pessimistic.bandwidth.mean' "$answer")"
done
