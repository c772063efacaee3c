#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/trial/table_score.h"

namespace pssp {

struct ComparedEngine {
  std::string name;
  std::optional<TableScore> score;  ///< nothing: it made no tables
};

/// Engines side by side, and what the columns are. `folder`: where tables and logs are.
std::string comparison_table(const std::vector<ComparedEngine>& engines, const std::string& folder);

}  // namespace pssp
