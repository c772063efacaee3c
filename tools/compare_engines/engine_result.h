#pragma once

// The result of one engine on the fabric.

#include <optional>
#include <string>
#include <vector>

#include "tools/trial/table_score.h"

namespace pssp {

/// Of an application as it was asked for (docs/reference/simulate-app.md).
struct ApplicationTime {
  std::string application;
  double time_ns = 0;
  double ratio = 1;  ///< relative to a crossbar of the same hosts
};

struct EngineResult {
  std::string engine;  ///< as specified
  std::string name;
  bool is_opensms = false;
  unsigned lmc = 0;   ///< 2^lmc LIDs per host
  std::string state;  ///< routed, refused, cut off, failed
  std::vector<std::string> reasons;
  std::string directory;
  std::string note;  ///< LIDs that differ from the topology's; empty: none
  long seconds = 0;
  std::optional<TableScore> score;  ///< of the tables
  std::optional<TableDifference> difference;
  std::vector<ApplicationTime> applications;  ///< with usable tables, in the order of the options
};

}  // namespace pssp
