#!/usr/bin/env bash
# bandwidth.sh BISECTIONS NAME=WORDS.. -- ENGINE..: effective bisection bandwidth of fabrics of make_topo with the tables of our engines and of
# OpenSM's; the gain of pssp over minhop; and the number of OpenSM's engines whose tables are usable. If there is only one fabric, the names of
# the values do not contain its name.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

bisections=$1
shift
fabrics=()
while [[ $1 != -- ]]; do
  fabrics+=("$1")
  shift
done
shift
for each in "${fabrics[@]}"; do
  read -ra words <<<"${each#*=}"
  name="${each%%=*} "
  ((${#fabrics[@]} > 1)) || name=
  net=$(fabric "${words[@]}")
  declare -A mean=()
  usable=0
  for engine; do
    lft=$(tables_of "$net" "$engine")
    answer=$(kept eval_lft "$lft" "$net" -n "$bisections" --no-structured-suite --no-ceiling --no-credit-loops --worst-pairs 0 --json)
    mean[$engine]=$(jq .ebb.mean "$answer")
    value "$name$engine" "${mean[$engine]}" "$(jq .ebb.stderr "$answer")"
    is_ours "$engine" || [[ $(jq .usable "$answer") != true ]] || usable=$((usable + 1))
  done
  value "${name}engines of OpenSM with usable tables" "$usable"
  [[ -z ${mean[minhop]:-} || -z ${mean[pssp]:-} ]] ||
    value "${name}gain" "$(awk -v a="${mean[minhop]}" -v b="${mean[pssp]}" 'BEGIN { print 100 * (b / a - 1) }')" '' %
done
