#pragma once

// The option service_level_dump: a file with the service levels of the tables that OpenSM uses. The
// file exists only while these tables come from an engine of the plugin.

#include <filesystem>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/service_levels.h"
#include "osm_plugin/log_message.h"

namespace pssp {

class LevelDump {
 public:
  /// `path` must be absolute; if it is empty, there is no dump, and all functions do nothing.
  explicit LevelDump(std::filesystem::path path) : path_(std::move(path)) {}

  bool wanted() const noexcept { return !path_.empty(); }
  const std::filesystem::path& path() const noexcept { return path_; }

  /// Writes the levels. On failure, removes the previous dump, which no longer applies. Returns the
  /// messages for the log; none on success.
  std::vector<LogMessage> write(const Fabric& fabric, const ServiceLevels& levels);

  /// Removes the dump; `why` gives the reason in the log. A file of the same name that is no dump
  /// stays, and is reported once.
  std::vector<LogMessage> remove(const std::string& why);

 private:
  std::filesystem::path path_;
  bool warned_untrusted_ = false;
};

}  // namespace pssp
