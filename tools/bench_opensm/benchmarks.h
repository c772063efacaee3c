#pragma once

// The benchmarks of the thesis (docs/reference/bench-opensm.md), in its own words, and their
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
/// By name, which must exist.
const Benchmark& benchmark(std::string_view name);

/// Milliseconds over the iterations.
struct Milliseconds {
  double mean = 0, least = 0, most = 0;
};

/// The result of a benchmark for one fabric, engine and event.
struct BenchResult {
  std::string size, engine, event;
  unsigned hosts = 0, switches = 0;
  std::vector<std::string> used;  ///< engines that OpenSM used
  unsigned iterations = 0;
  std::vector<Milliseconds> columns;  ///< those of the benchmark
};

/// The index of a name; a new name is appended.
std::size_t place_of(std::vector<std::string>& names, const std::string& name);

/// In the order of first occurrence of fabrics and engines, then of events.
std::vector<BenchResult> results_of(const Benchmark& benchmark, std::span<const SweepRecord> sweeps,
                                    std::string_view series);

}  // namespace pssp
