#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operations/diagnosis/rate_unit.h"
#include "tools/diagnosis/measured_fabric.h"

namespace pssp {

struct SlowOptions {
  std::string tables, topology;
  std::vector<std::string> rates;
  NodeChoiceOptions fabric;
  std::optional<double> full;
  RateUnit unit;  ///< of lines without a unit
  bool both_ways = false;
  std::string next;  ///< file for the next round; empty: none
  std::uint64_t seed = 1;
  std::string database;                 ///< of the monitor; empty: none
  std::string since, until, recording;  ///< the time range in it
  bool json = false;
  std::string output = "-";
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<SlowOptions> parse_slow_options(int argc, const char* const* argv);

}  // namespace pssp
