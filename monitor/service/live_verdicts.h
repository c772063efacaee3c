#pragma once

// Converts the verdicts of the daemon to the data of its pages.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "monitor/analysis/verdict_watch.h"
#include "monitor/api/live_facts.h"

namespace pssp {

VerdictLevel displayed_level(Level level);
VerdictView displayed_verdict(const StandingVerdict& verdict);
/// Ports whose maintenance has not ended.
std::vector<MaintenanceView> displayed_maintenance(const std::vector<MaintainedPort>& ports,
                                                   std::int64_t time_ms);

/// The list of ports in maintenance, which people edit while the daemon runs.
class MaintenanceList {
 public:
  /// Throws like read_maintenance(). If the name is empty, there is no list.
  explicit MaintenanceList(std::filesystem::path file);

  /// The new list if the file has changed since the last call. Returns nullopt if the file has not
  /// changed or cannot be read; in the second case the last list stays, and problem() has the
  /// reason.
  std::optional<std::vector<MaintainedPort>> update();
  const std::vector<MaintainedPort>& ports() const noexcept { return ports_; }
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::filesystem::path file_;
  std::filesystem::file_time_type written_;
  std::vector<MaintainedPort> ports_;
  std::string problem_;
};

}  // namespace pssp
