#pragma once

// The data of the pictures: a value for each group and bar, none without a measurement.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench_opensm/benchmarks.h"

namespace pssp {

struct Bars {
  std::vector<std::string> bars, groups;
  std::vector<std::vector<std::optional<double>>> values;  ///< [group][bar]
};

/// Figures 3.6 to 3.10 of the thesis: the phases of one engine over the sizes.
Bars phase_bars(std::span<const BenchResult> total_time, std::string_view engine);
/// Figures 3.11, 3.12, 3.15: a column of all engines over the sizes.
Bars engine_bars(std::span<const BenchResult> results, const Benchmark& benchmark,
                 std::string_view column);
/// Figure 3.13: the same hosts on one switch or on many.
Bars placement_bars(std::span<const BenchResult> total_time);
/// Figure 3.14: percentage of the pairs, for the first engine that routed the fabric. Other engines
/// differ if their paths are not minimal.
Bars hop_bars(std::span<const HopRecord> hops);

/// The part of a fabric's name after the last slash.
std::string file_name(const std::string& size);

/// A table with this heading, numbers with two decimals.
std::string bars_text(const Bars& bars, const std::string& heading);
/// Columns separated by tabs, with a line of headings.
std::string bars_data(const Bars& bars);
/// A gnuplot script including its data.
std::string bars_script(const Bars& bars, const std::string& subject, const std::string& unit,
                        bool logarithmic, const std::string& kind);

}  // namespace pssp
