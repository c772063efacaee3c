#pragma once

// The subnet manager is told that its file changed, and waited for until the switches hold what the
// file says.

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
  /// Throws Error(fabric_access) where it is not there.
  explicit Manager(const ManagerOptions& options);

  /// With the process that it is, so that whoever reads them later finds the same one.
  const ManagerOptions& options() const noexcept { return options_; }
  /// Nothing where a command reaches it.
  const std::optional<OpensmProcess>& process() const noexcept { return process_; }
  const OpensmSettings& settings() const noexcept { return settings_; }
  /// The engine whose tables are in force by its log; empty where the log does not say.
  std::string engine_in_force() const;

  /// Makes it read its file again. Throws Error(fabric_access).
  void reload();

  /// After reload(): waits until its log says that the tables of engine `file` are configured and
  /// the subnet is up, and the switches hold the tables of `file`. Where the log says nothing, what
  /// the switches hold counts alone. Throws Error(verification_failed), saying what is otherwise.
  void wait_for(const LftFile& file, LiveFabric& fabric);
  /// After reload(), without the file: the engine that is in force then. Throws
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
