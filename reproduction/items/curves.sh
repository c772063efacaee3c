#!/usr/bin/env bash
# curves.sh SCENARIO off|on: throughput of single hosts over time, as a picture, and the lowest and highest mean of those that send to the hotspot.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need gnuplot

series() {
  simulate_fabric --scenario "$1" --series "$work/series.csv" --series-of flows -o "$work/report" --no-progress --quiet -j 1 &&
    cat "$work/series.csv"
}
rows=$(kept series "$1")
run=$([[ $2 == off ]] && printf off || printf thesis-start)
awk -F , -v run="$run" 'NR > 1 && $1 == run && $4 == "flow" { print $5 "," $3 "," $6 }' "$rows" >"$work/flows.csv"
awk -F , '{ sum[$1] += $3; if (!($1 in first) || $2 < first[$1]) first[$1] = $2; if ($2 > last) last = $2; ++n[$1] }
  END { for (flow in sum) printf "%s\t%.4f\t\tGByte/s\n", flow, sum[flow] / (last * (n[flow] + 1) / n[flow]) / 1e9 }' "$work/flows.csv" | sort >"$work/means"
cat "$work/means" >>"$OUT/values.tsv"
value flows "$(wc -l <"$work/means")"
gnuplot -e "set terminal svg size 720,420; set output '$OUT/curves.svg'; set datafile separator ','; set key outside; set xlabel 's'; set ylabel 'bytes a sample';
  plot for [flow in \"$(cut -f 1 "$work/means" | sed 's/ .*//' | paste -sd ' ')\"] '< grep \"^'.flow.' \" $work/flows.csv' using 2:3 with lines title flow"
