#pragma once

// What compare_engines knows of one engine on the fabric.

#include <optional>
#include <string>
#include <vector>

#include "tools/trial/table_score.h"

namespace pssp {

/// Of an application as it was asked for (docs/reference/simulate_application.md).
struct ApplicationTime {
  std::string application;
  double time_ns = 0;
  double ratio = 1;  ///< to that on a crossbar of the same hosts
};

struct EngineResult {
  std::string engine;  ///< as it was named
  std::string name;
  bool is_opensms = false;
  unsigned lmc = 0;   ///< 2^lmc LIDs a host
  std::string state;  ///< routed, refused, cut off, failed
  std::vector<std::string> reasons;
  std::string directory;
  std::string note;  ///< LIDs that differ from the topology's; empty: none
  long seconds = 0;
  std::optional<TableScore> score;  ///< of what was routed
  std::optional<TableDifference> difference;
  std::vector<ApplicationTime> applications;  ///< of usable tables, in the order of the options
};

}  // namespace pssp
