# Groups of bars. Called with -e "data='...'; kind='svg|png'; subject='...'; unit='...'; logarithmic=0|1". The first
# line of the data names the bars, the first column the groups.
set datafile separator "\t"
set encoding utf8
if (kind eq "png") { set terminal pngcairo size 900, 480 font "Sans,10" noenhanced
} else { set terminal svg size 900, 480 font "Sans,12" noenhanced background "white" }
set title subject
set ylabel unit
set style data histograms
set style histogram clustered gap 1
set style fill solid 1.0 noborder
set boxwidth 0.9
set grid ytics linecolor "#dddddd"
set border 3 linecolor "#808080"
set tics nomirror
set key outside right top
if (logarithmic) { set logscale y
} else { set yrange [0 : *] }
array colours[10] = ["#1f6fb2", "#e08214", "#4d9221", "#b2182b", "#762a83", "#80b1d3", "#fdb863", "#a6d96a", "#f4a582", "#9aa5b1"]
columns = system("head -n 1 '" . data . "' | awk -F '\t' '{ print NF }'") + 0
plot for [i = 2 : columns] data using i:xtic(1) linecolor rgb colours[(i - 2) % 10 + 1] title columnheader(i)
