#!/usr/bin/env bash
# curves.sh SCENARIO off|on: throughput of single hosts over time, as a picture, and means during the time in which all hosts send: of each flow, of
# the fastest flow to the hotspot H552, of the receivers H552 and H542, and of the victim without congestion control.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need gnuplot

series() {
  simulate_fabric --scenario "$1" --series "$work/series.csv" --series-of flows,hosts -o "$work/report" --no-progress --quiet -j 1 &&
    cat "$work/series.csv"
}
rows=$(kept series "$1")
run=$([[ $2 == off ]] && printf off || printf thesis-start)
# rows_of RUN KIND: prints name, time and bytes of each row.
rows_of() { awk -F , -v run="$1" -v kind="$2" 'NR > 1 && $1 == run && $4 == kind { print $5 "," $3 "," $6 }' "$rows"; }
# means: prints the mean of each name in such rows in GByte/s, since the start of the last flow of the scenario. Times are those of the
# beginnings of samples.
means() {
  awk -F , -v from=0.05 '{ if ($2 >= from - 1e-9) { sum[$1] += $3; ++n[$1] } if ($2 > last) last = $2; times[$2] }
    END { for (name in sum) printf "%s\t%.4f\t\tGByte/s\n", name, sum[name] / n[name] / (last / (length(times) - 1)) / 1e9 }' | sort
}
rows_of "$run" flow >"$work/flows.csv"
means <"$work/flows.csv" >"$work/means"
cat "$work/means" >>"$OUT/values.tsv"
rows_of "$run" host | grep -E '^(H552|H542),' | means | sed 's/\t/ receives\t/' >"$work/receivers"
cat "$work/receivers" >>"$OUT/values.tsv"
value 'H552 above H542' "$(awk -F '\t' '{ mean[substr($1, 1, 4)] = $2 } END { print mean["H552"] - mean["H542"] }' "$work/receivers")" '' GByte/s
value 'highest of those to the hotspot' "$(grep -e '-> H552	' "$work/means" | cut -f 2 | sort -rn | sed -n 1p)" '' GByte/s
value 'H512 -> H542 without control' "$(rows_of off flow | means | sed -n 's/^H512 -> H542\t\([^\t]*\).*/\1/p')" '' GByte/s
value flows "$(wc -l <"$work/means")"
gnuplot -e "set terminal svg size 720,420; set output '$OUT/curves.svg'; set datafile separator ','; set key outside; set xlabel 's'; set ylabel 'bytes a sample';
  plot for [flow in \"$(cut -f 1 "$work/means" | sed 's/ .*//' | paste -sd ' ')\"] '< grep \"^'.flow.' \" $work/flows.csv' using 2:3 with lines title flow"
