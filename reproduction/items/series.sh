#!/usr/bin/env bash
# series.sh BISECTIONS ENGINE,.. SIZE=WORDS..: bandwidth over the size of a fabric, and a picture with one line per engine.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need gnuplot

bisections=$1
IFS=, read -ra engines <<<"$2"
shift 2
printf 'hosts %s\n' "${engines[*]}" >"$work/table"
for each; do
  read -ra words <<<"${each#*=}"
  net=$(fabric "${words[@]}")
  row=$(grep -cE '^(Hca|Ca)' "$net")
  for engine in "${engines[@]}"; do
    answer=$(kept eval_lft "$(tables_of "$net" "$engine")" "$net" -n "$bisections" --no-structured-suite --no-ceiling --no-credit-loops --worst-pairs 0 --json)
    mean=$(jq .ebb.mean "$answer")
    value "${each%%=*} $engine" "$mean" "$(jq .ebb.stderr "$answer")"
    row+=" $mean"
  done
  printf '%s\n' "$row" >>"$work/table"
done
gnuplot -e "set terminal svg size 640,400; set output '$OUT/bandwidth.svg'; set key autotitle columnhead bottom left; set logscale x 2;
  set xlabel 'hosts'; set ylabel 'effective bisection bandwidth'; set yrange [0:1];
  plot for [column = 2:$((${#engines[@]} + 1))] '$work/table' using 1:column with linespoints"
