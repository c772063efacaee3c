// All pictures and tables of bars are matrices with names; groups and bars are in the order of
// first occurrence.

#include "tools/bench_opensm/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text_table.h"
#include "evaluator/pictures/drawing_programs.h"

namespace pssp {
namespace {

/// Keeps the first value of a group and bar.
void set(Bars& bars, const std::string& group, const std::string& bar, double value) {
  const std::size_t row = place_of(bars.groups, group), column = place_of(bars.bars, bar);
  bars.values.resize(bars.groups.size());
  for (auto& values : bars.values) values.resize(bars.bars.size());
  if (!bars.values[row][column]) bars.values[row][column] = value;
}

/// A fabric by its number of hosts, and its name if several have the same number.
std::string size_label(const BenchResult& result, std::span<const BenchResult> all) {
  const bool is_alone = std::none_of(all.begin(), all.end(), [&](const BenchResult& each) {
    return each.hosts == result.hosts && each.size != result.size;
  });
  const std::string hosts = fmt::format("{} hosts", result.hosts);
  return is_alone ? hosts : hosts + ", " + file_name(result.size);
}

constexpr const char* drawing = R"gnuplot(set datafile separator "\t"
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
array colours[10] = ["#1f6fb2", "#e08214", "#4d9221", "#b2182b", "#762a83", \
                     "#80b1d3", "#fdb863", "#a6d96a", "#f4a582", "#9aa5b1"]
plot for [i = 2 : columns] $data using i:xtic(1) \
     linecolor rgb colours[(i - 2) % 10 + 1] title columnheader(i)
)gnuplot";

}  // namespace

std::string file_name(const std::string& size) { return size.substr(size.rfind('/') + 1); }

Bars phase_bars(std::span<const BenchResult> total_time, std::string_view engine) {
  std::vector<BenchResult> rows;
  for (const BenchResult& each : total_time)
    if (each.engine == engine) rows.push_back(each);
  const Benchmark& phases = benchmark("Subnet_Total_Time");
  Bars bars;
  for (const BenchResult& row : rows) {
    for (std::size_t i = 0; i < phases.columns.size(); ++i)
      set(bars, size_label(row, rows), std::string(phases.columns[i].name), row.columns[i].mean);
  }
  return bars;
}

Bars engine_bars(std::span<const BenchResult> results, const Benchmark& benchmark,
                 std::string_view column) {
  const auto found =
      std::find_if(benchmark.columns.begin(), benchmark.columns.end(),
                   [column](const BenchColumn& each) { return each.name == column; });
  const auto place = static_cast<std::size_t>(found - benchmark.columns.begin());
  Bars bars;
  for (const BenchResult& row : results)
    set(bars, size_label(row, results), row.engine, row.columns[place].mean);
  return bars;
}

Bars placement_bars(std::span<const BenchResult> total_time) {
  Bars bars;
  // Engines in the order of the first placement, placements in the order of occurrence.
  for (const BenchResult& row : total_time)
    set(bars, row.engine, row.size, row.columns.back().mean);
  return bars;
}

Bars hop_bars(std::span<const HopRecord> hops) {
  std::vector<std::string> sizes;
  std::vector<std::string> engines;  // the first of each size
  std::vector<double> pairs;
  std::set<unsigned> lengths;
  for (const HopRecord& each : hops) {
    const std::size_t size = place_of(sizes, each.size);
    if (size == engines.size()) {
      engines.push_back(each.engine);
      pairs.push_back(0);
    }
    if (engines[size] != each.engine) continue;
    pairs[size] += static_cast<double>(each.pairs);
    lengths.insert(each.hops);
  }
  Bars bars;
  for (const unsigned length : lengths) bars.groups.push_back(std::to_string(length));
  for (const std::string& size : sizes) bars.bars.push_back(file_name(size));
  bars.values.assign(bars.groups.size(), std::vector<std::optional<double>>(bars.bars.size()));
  for (const HopRecord& each : hops) {
    const std::size_t size = place_of(sizes, each.size);
    if (engines[size] != each.engine || pairs[size] == 0) continue;
    bars.values[place_of(bars.groups, std::to_string(each.hops))][size] =
        100 * static_cast<double>(each.pairs) / pairs[size];
  }
  return bars;
}

std::string bars_text(const Bars& bars, const std::string& heading) {
  std::vector<TableRow> rows{{heading}};
  rows.front().insert(rows.front().end(), bars.bars.begin(), bars.bars.end());
  for (std::size_t i = 0; i < bars.groups.size(); ++i) {
    rows.push_back({bars.groups[i]});
    for (const std::optional<double>& value : bars.values[i])
      rows.back().push_back(value ? fmt::format("{:.2f}", *value) : "-");
  }
  return text_table(rows);
}

std::string bars_data(const Bars& bars) {
  std::string text = "group";
  for (const std::string& bar : bars.bars) text += "\t" + gnuplot_cell(bar);
  for (std::size_t i = 0; i < bars.groups.size(); ++i) {
    text += "\n" + gnuplot_cell(bars.groups[i]);
    for (const std::optional<double>& value : bars.values[i])
      text += value ? fmt::format("\t{}", *value) : "\tNaN";
  }
  return text + "\n";
}

std::string bars_script(const Bars& bars, const std::string& subject, const std::string& unit,
                        bool logarithmic, const std::string& kind) {
  return fmt::format(
             "kind = '{}'\nsubject = {}\nunit = {}\nlogarithmic = {}\ncolumns = {}\n"
             "$data << END_OF_DATA\n{}END_OF_DATA\n",
             kind, gnuplot_literal(subject), gnuplot_literal(unit), logarithmic ? 1 : 0,
             bars.bars.size() + 1, bars_data(bars)) +
         drawing;
}

}  // namespace pssp
