#pragma once

// The benchmarks of the thesis (docs/reference/bench_opensm.md), in its own words, and their
// results.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench_opensm/measurements.h"

namespace pssp {

/// Some phases under one heading.
struct BenchColumn {
  std::string_view name;
  std::vector<SweepPhase> phases;
};

struct Benchmark {
  std::string_view name;
  std::vector<std::string_view> events;  ///< sweeps that count
  std::vector<BenchColumn> columns;
};

const std::vector<Benchmark>& all_benchmarks();
/// By its name, which must be one of theirs.
const Benchmark& benchmark(std::string_view name);

/// Milliseconds over the iterations.
struct Milliseconds {
  double mean = 0, least = 0, most = 0;
};

/// What a benchmark measured on one fabric with one engine after one event.
struct BenchResult {
  std::string size, engine, event;
  unsigned hosts = 0, switches = 0;
  std::vector<std::string> used;  ///< engines that routed
  unsigned iterations = 0;
  std::vector<Milliseconds> columns;  ///< as the benchmark has them
};

/// The place of a name among those that came before; a new one is put behind them.
std::size_t place_of(std::vector<std::string>& names, const std::string& name);

/// In the order of fabrics and engines, as they came first, and events.
std::vector<BenchResult> results_of(const Benchmark& benchmark, std::span<const SweepRecord> sweeps,
                                    std::string_view series);

}  // namespace pssp
