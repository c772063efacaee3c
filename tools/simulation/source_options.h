#pragma once

// Common options of simulating programs for fabric, traffic and model.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/traffic/traffic_file.h"
#include "tools/kit/command_line.h"
#include "tools/simulation/model_options.h"

namespace pssp {

struct SourceOptions : ModelOptions {
  std::vector<std::string> files;  ///< tables and topology, or one file with both
  std::string scenario;            ///< replaces files and traffic; empty: none

  // The traffic; exactly one kind.
  std::vector<std::string> traffic;  ///< files
  std::string pattern;
  bool bisect = false, uniform = false;
  std::optional<unsigned> incast;
  std::uint64_t bytes = 1U << 20;  ///< of a message of a pattern

  std::vector<std::string> compared;  ///< other tables
  std::optional<std::uint32_t> packet_bytes;
  TrafficTimes times;
  std::uint64_t most_bytes = std::uint64_t{4} << 30;
  std::uint64_t most_events = 0;
};

/// Options that are interpreted after parsing.
struct SourceTexts : ModelTexts {
  std::string traffic;  ///< of programs with one file
  std::string bytes, packet, duration, warmup, sample, most_bytes;
};

/// Declares them, the files first. `several`: --traffic can be repeated.
void add_traffic_options(CommandLine& line, SourceOptions& options, SourceTexts& texts,
                         bool several);
/// The model, and the limits of a run.
void add_run_options(CommandLine& line, SourceOptions& options, SourceTexts& texts);

/// Called after parse(). Throws Error(usage), also unless exactly one option specifies the traffic,
/// or if files are missing or too many.
void take_source_texts(const SourceTexts& texts, SourceOptions& options);

}  // namespace pssp
