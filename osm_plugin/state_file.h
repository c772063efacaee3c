#pragma once

// The file in OpenSM's cache folder that preserves an engine's routing across restarts.

#include <filesystem>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "osm_plugin/routing_state.h"

namespace pssp {

/// The path of the engine's state file.
std::filesystem::path state_path(const std::filesystem::path& folder, std::string_view engine);

class StateFile {
 public:
  /// `options`: digest of the engine's options; a state with other options is not used. If `folder`
  /// is empty, there is no file, and all functions do nothing.
  StateFile(const std::filesystem::path& folder, std::string_view engine,
            const DigestValue& options);

  /// Returns the stored routing at the first call if it belongs to this fabric; later calls return
  /// nothing. Writes a line for the log to `said` unless there is no file.
  std::optional<RoutingState> take(const Fabric& fabric, std::string& said);

  /// Stores a routing. Returns the reason of a failure if the previous call did not fail; else
  /// empty.
  std::string keep(const RoutingStateView& state);

  /// Returns whether the request file for a new baseline was touched since the last call or, at the
  /// first call, since construction. A file that already existed at construction is no request.
  /// Returns false if the folder is empty.
  bool is_new_baseline_asked();
  const std::filesystem::path& asking_file() const noexcept { return asking_; }

  const DigestValue& options() const noexcept { return options_; }

 private:
  std::filesystem::path path_, asking_;
  DigestValue options_;
  std::optional<std::filesystem::file_time_type> asked_at_;  // none: the file did not exist
  bool is_taken_ = false;
  bool has_failed_ = false;
};

}  // namespace pssp
