#pragma once

// The answers of fault_impact.

#include <string>
#include <vector>

#include "tools/fault_impact/impact.h"

namespace pssp {

struct FaultReport {
  std::string tables;  ///< file
  std::string repair;  ///< "stable", "scratch:pssp", "none"
  std::uint64_t patterns = 0;
  std::uint64_t seed = 0;
  TableState intact{};
  std::vector<Impact> impacts{};  ///< by loss of bandwidth, the largest first
};

/// By loss, the largest first; of equals as they were.
void sort_by_loss(std::vector<Impact>& impacts);

/// Summary and the ten worst; faults that cut hosts off and those that no tables were found for are
/// listed apart.
std::string to_text(const FaultReport& report);
/// All of it.
std::string to_json(const FaultReport& report);

}  // namespace pssp
