#pragma once

// The answers of simulate_application.

#include <optional>
#include <string>
#include <vector>

#include "applications/schedule/playing.h"

namespace pssp {

struct TablesTime {
  std::string tables;  ///< file; empty: no tables
  PlayResult result;
};

struct ApplicationReport {
  std::string application;  ///< as it was asked for
  std::string network, order;
  std::uint64_t seed = 0;
  std::uint32_t ranks = 0;
  std::uint64_t messages = 0;
  double bytes = 0;
  MessageCosts costs{};
  LinkSharing sharing = LinkSharing::equal;
  std::optional<PlayTime> crossbar{};  ///< none without links
  std::vector<TablesTime> runs{};
};

/// A line for each of the tables.
std::string to_text(const ApplicationReport& report);
/// The same with the end of each rank.
std::string to_json(const ApplicationReport& report);

}  // namespace pssp
