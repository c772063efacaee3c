#pragma once

// Between the verdicts of the daemon and what its pages show of them.

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
/// Those whose end is still to come.
std::vector<MaintenanceView> displayed_maintenance(const std::vector<MaintainedPort>& ports,
                                                   std::int64_t time_ms);

/// The list of ports in maintenance, which people change while the daemon runs.
class MaintenanceList {
 public:
  /// Throws as read_maintenance() does. An empty name: there is no list.
  explicit MaintenanceList(std::filesystem::path file);

  /// Reads the file where it is another one than at the last look; nothing where it is the same, or
  /// cannot be read: then the last list stays and problem() says why.
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
