#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/trial/table_score.h"

namespace pssp {

struct ComparedEngine {
  std::string name;
  std::optional<TableScore> score;  ///< none: it made no tables
};

/// A table of the engines with explanations. `folder`: folder of tables and logs.
std::string comparison_table(const std::vector<ComparedEngine>& engines, const std::string& folder);

}  // namespace pssp
