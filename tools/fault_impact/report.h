#pragma once

// The reports of fault_impact.

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
  std::vector<Impact> impacts{};  ///< by descending loss of bandwidth
};

/// By descending loss; stable.
void sort_by_loss(std::vector<Impact>& impacts);

/// Summary and the ten worst faults; faults that disconnect hosts, and those without tables, are
/// listed separately.
std::string to_text(const FaultReport& report);
/// The complete report.
std::string to_json(const FaultReport& report);

}  // namespace pssp
