#pragma once

// The file of capacities that the daemon writes: its thread that judges hands texts over, the one
// that waits for signals writes them, so that no sweep waits for a disk.

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "monitor/analysis/capacity_feedback.h"
#include "monitor/configuration/verdict_settings.h"

namespace pssp {

class CapacityOutput {
 public:
  /// Nothing is ever written where the settings name no file.
  explicit CapacityOutput(const VerdictSettings& settings);

  bool is_wanted() const noexcept { return !file_.empty(); }
  /// Of the thread that judges.
  void offer(const CapacityPlan& plan, std::int64_t time_ms);
  /// Why the file is not as it should be; empty: it is.
  std::string problem() const;

  /// Writes what is there to be written; of the thread that waits.
  void write();

 private:
  std::filesystem::path file_;
  CapacityPacer pacer_;
  mutable std::mutex mutex_;
  std::optional<std::string> text_;
  std::string problem_, write_problem_;
};

}  // namespace pssp
