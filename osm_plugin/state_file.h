#pragma once

// The file in OpenSM's cache folder that preserves an engine's routing across restarts.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "osm_plugin/routing_state.h"
#include "osm_plugin/state_writer.h"

namespace pssp {

/// The path of the engine's state file.
std::filesystem::path state_path(const std::filesystem::path& folder, std::string_view engine);

class StateFile {
 public:
  /// `options`: of what the engine is told; a state made under others is not used. With an empty
  /// folder there is no file, and all calls do nothing. `report` as for StateWriter.
  StateFile(const std::filesystem::path& folder, std::string_view engine,
            const DigestValue& options, std::function<void(const std::string&)> report = {});

  /// Returns the stored routing at the first call if it belongs to this fabric; later calls return
  /// nothing. Writes a line for the log to `said` unless there is no file.
  std::optional<RoutingState> take(const Fabric& fabric, std::string& said);

  /// Copies the routing, and writes it to the file in a thread. O(entries).
  void keep(const RoutingStateView& state);

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
  std::function<void(const std::string&)> report_;
  std::unique_ptr<StateWriter> writer_;  // null: no file
};

}  // namespace pssp
