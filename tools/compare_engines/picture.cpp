// Engines from the worst to the best, since gnuplot counts upwards; columns: position, name,
// origin, mean, low and high end of the interval, index, milliseconds, state. The plugin's engines
// are blue.

#include "tools/compare_engines/picture.h"

#include <fmt/format.h>

#include <filesystem>

#include "evaluator/pictures/drawing_programs.h"

namespace pssp {
namespace {

constexpr const char* panels = R"gnuplot(set datafile separator "\t"
set encoding utf8
stats $data using 1 name "PLACE" nooutput
stats $data using 7 name "INDEX" nooutput
stats $data using 8 name "MS" nooutput
rows = PLACE_records
# The last two panels range over powers of ten; bars begin at a power below the shortest.
power_below(value) = value > 0 ? 10.0 ** (ceil(log10(value)) - 1) : 0.1
index_low = exists("INDEX_min") ? power_below(INDEX_min / 3) : 1
ms_low = exists("MS_min") ? power_below(MS_min) : 1
height = 150 + 24 * rows
if (kind eq "png") { set terminal pngcairo size 1200, height font "Sans,10" noenhanced
} else { set terminal svg size 1200, height font "Sans,11" noenhanced background "white" }
set multiplot layout 1, 3 title subject \
    margins screen 0.09, 0.97, 60.0 / height, 1 - 62.0 / height spacing screen 0.05, 0
set yrange [-0.6 : rows - 0.4]
set style fill solid 1.0 noborder
set grid xtics linecolor "#dddddd"
set label 1 "blue: engines of the plugin, grey: opensm's own" \
    at screen 0.09, 16.0 / height textcolor "#606060"
set border 3 linecolor "#808080"
set tics nomirror
unset key
is_own(origin) = origin eq "opensm"
colour(origin) = is_own(origin) ? 0x9aa5b1 : 0x1f6fb2
half = 0.36
at_least_low(number) = column(number) < low ? low : column(number)

set title "effective bisection bandwidth (95 % interval)"
set xrange [0 : *]
set ytics () scale 0
set for [i = 0 : rows - 1] ytics add ("" i)
plot $data using (column(4) / 2.0):1:(column(4) / 2.0):(half):(colour(strcol(3))):ytic(2) \
         with boxxyerror linecolor rgb variable, \
     $data using 4:1:5:6 with xerrorbars linecolor "black" pointtype 0 linewidth 1.5, \
     $data using (0.0):1:(strcol(9) eq "routed" ? "" : strcol(9)) \
         with labels left offset 1, 0 textcolor "#b03030"
unset label 1

set format y ""
set format x "%g"
set logscale x
# 1 / 0 draws nothing, also when no engine has anything to draw.
set title "edge forwarding index (logarithmic, lower is better)"
set xrange [index_low : *]
low = index_low
plot $data using (at_least_low(7)):1:(low):(at_least_low(7)): \
         (column(1) - half):(column(1) + half):(colour(strcol(3))) \
         with boxxyerror linecolor rgb variable, \
     1 / 0

set title "routing phase of opensm, ms (logarithmic)"
set xrange [ms_low : *]
low = ms_low
plot $data using (at_least_low(8)):1:(low):(at_least_low(8)): \
         (column(1) - half):(column(1) + half):(colour(strcol(3))) \
         with boxxyerror linecolor rgb variable, \
     1 / 0
unset multiplot
)gnuplot";

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "NaN";
}

/// `name`: label of the row.
std::string data_row(std::size_t place, const EngineResult& result, const std::string& name) {
  std::string numbers = "NaN\tNaN\tNaN\tNaN\tNaN";
  if (result.score && result.score->bandwidth && result.score->interval) {
    const TableScore& score = *result.score;
    numbers = fmt::format("{}\t{}\t{}\t{}\t{}", *score.bandwidth, score.interval->low,
                          score.interval->high, cell(score.index), score.routing_ms);
  }
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", place, gnuplot_cell(name),
                     result.is_opensms ? "opensm" : "plugin", numbers, result.state);
}

}  // namespace

std::string picture_script(const EngineComparison& comparison, const std::string& kind) {
  const std::vector<std::size_t> order = ranked(comparison.results);
  std::string rows;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const EngineResult& result = comparison.results[order[order.size() - 1 - place]];
    rows += data_row(place, result,
                     comparison.lmcs.size() == 1
                         ? result.engine
                         : fmt::format("{}, lmc {}", result.engine, result.lmc));
  }
  const std::string subject = std::filesystem::path(comparison.topology).filename().string();
  return fmt::format("kind = '{}'\nsubject = {}\n$data << END_OF_DATA\n{}END_OF_DATA\n", kind,
                     gnuplot_literal(subject), rows) +
         panels;
}

}  // namespace pssp
