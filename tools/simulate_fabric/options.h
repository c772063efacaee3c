#pragma once

// The command line of simulate_fabric.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/traffic/traffic_file.h"

namespace pssp {

/// `--cc-vary NAME=V1,V2`
struct VariedParameter {
  std::string name;
  std::vector<std::string> values;
};

struct SimulateOptions {
  std::vector<std::string> files;  ///< tables and topology, or one file that has both
  std::string scenario;            ///< instead of files and traffic; empty: none

  // What is sent; exactly one.
  std::string traffic, pattern;
  bool bisect = false, uniform = false;
  std::optional<unsigned> incast;
  std::uint64_t bytes = 1U << 20;  ///< of a message of a pattern

  std::vector<std::string> sets;                           ///< of congestion control
  std::vector<VariedParameter> varied;                     ///< of the last of the sets
  std::vector<std::string> compared;                       ///< other tables
  std::string service_levels, sl_to_vl;                    ///< files; empty: none
  std::vector<std::pair<std::string, std::string>> model;  ///< values by name, as given
  std::optional<std::uint32_t> packet_bytes;
  TrafficTimes times;

  double precision =
      0;  ///< half of a 95 % interval, of the mean; 0: as many seeds as were asked for
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t most_bytes = std::uint64_t{4} << 30;
  std::uint64_t most_events = 0;

  std::string series;  ///< file; empty: none
  std::vector<std::string> series_of;
  std::string select = "*";
  std::string csv, plot, heat;  ///< files; empty: none
  bool json = false, check = false, quiet = false;
  bool progress = true;
  unsigned victims = 10, top = 10;
  std::string output = "-";
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<SimulateOptions> parse_simulate_options(int argc, const char* const* argv);

}  // namespace pssp
