#pragma once

// The option service_level_dump: a file that holds the service levels of the tables that OpenSM has
// from an engine of ours, or is not there.

#include <filesystem>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/service_levels.h"
#include "osm_plugin/log_message.h"

namespace pssp {

class LevelDump {
 public:
  /// An absolute path; empty: there is no dump, and all calls do nothing.
  explicit LevelDump(std::filesystem::path path) : path_(std::move(path)) {}

  bool wanted() const noexcept { return !path_.empty(); }
  const std::filesystem::path& path() const noexcept { return path_; }

  /// Writes the levels. Where that fails the dump before, which they have made untrue, is removed.
  /// What is to be said: nothing when all went well.
  std::vector<LogMessage> write(const Fabric& fabric, const ServiceLevels& levels);

  /// Removes a dump of ours, because `why`. A file of the same name that is not ours stays, which
  /// is said once.
  std::vector<LogMessage> remove(const std::string& why);

 private:
  std::filesystem::path path_;
  bool warned_untrusted_ = false;
};

}  // namespace pssp
