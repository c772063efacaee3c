#pragma once

// Makes the subnet manager read its changed file, and waits until the switches hold its tables.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "fabric/formats/lft_file.h"
#include "tools/deploy_tables/live_fabric.h"
#include "tools/deploy_tables/log_tail.h"
#include "tools/deploy_tables/opensm_process.h"

namespace pssp {

class Manager {
 public:
  /// Throws Error(fabric_access) if it is not running.
  explicit Manager(const ManagerOptions& options);

  /// Includes the process, so that later readers find the same one.
  const ManagerOptions& options() const noexcept { return options_; }
  /// None if it is reached by a command.
  const std::optional<OpensmProcess>& process() const noexcept { return process_; }
  const OpensmSettings& settings() const noexcept { return settings_; }
  /// The engine whose tables are in force according to the log; empty if unknown.
  std::string engine_in_force() const;

  /// Makes it read its file again. Throws Error(fabric_access).
  void reload();

  /// After reload(): waits until the log reports that the tables of engine `file` are configured
  /// and the subnet is up, and the switches hold the tables of `file`. If the log reports nothing,
  /// only the tables of the switches count. Throws Error(verification_failed), naming the
  /// difference.
  void wait_for(const LftFile& file, LiveFabric& fabric);
  /// After reload() without the file: returns the engine that is then in force. Throws
  /// Error(verification_failed).
  std::string wait_for_another_engine();

 private:
  using Clock = std::chrono::steady_clock;

  bool sweep_is_over();
  std::string errors() const;

  ManagerOptions options_;
  std::optional<OpensmProcess> process_;
  OpensmSettings settings_;
  std::filesystem::path log_file_;
  LogTail log_;
};

}  // namespace pssp
