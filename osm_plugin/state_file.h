#pragma once

// The file in OpenSM's cache folder that keeps an engine's routing over a restart.

#include <filesystem>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "osm_plugin/routing_state.h"

namespace pssp {

/// Where the state of that engine is kept.
std::filesystem::path state_path(const std::filesystem::path& folder, std::string_view engine);

class StateFile {
 public:
  /// `options`: of what the engine is told; a state made under others is not used. With an empty
  /// folder there is no file, and all calls do nothing.
  StateFile(const std::filesystem::path& folder, std::string_view engine,
            const DigestValue& options);

  /// What was kept, if it is of this fabric, the first time that it is asked for; nothing later on.
  /// `said` gets a line for the log, unless there is no file.
  std::optional<RoutingState> take(const Fabric& fabric, std::string& said);

  /// Keeps a routing. The reason where that fails, and did not the last time; else empty.
  std::string keep(const RoutingStateView& state);

  /// Whether somebody has touched the file beside it by which a new baseline is asked for, since
  /// the last call or, at the first one, since this object was made. A file that was there before
  /// asks for nothing. With an empty folder no one can.
  bool is_new_baseline_asked();
  const std::filesystem::path& asking_file() const noexcept { return asking_; }

  const DigestValue& options() const noexcept { return options_; }

 private:
  std::filesystem::path path_, asking_;
  DigestValue options_;
  std::optional<std::filesystem::file_time_type> asked_at_;  // none: there was no such file
  bool is_taken_ = false;
  bool has_failed_ = false;
};

}  // namespace pssp
