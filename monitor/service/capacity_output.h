#pragma once

// The file of capacities that the daemon writes. The thread that evaluates verdicts provides the
// texts, and the thread that waits for signals writes them, so that no sweep waits for a disk.

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "monitor/analysis/capacity_feedback.h"
#include "monitor/configuration/verdict_settings.h"

namespace pssp {

class CapacityOutput {
 public:
  /// Nothing is written if the settings name no file.
  explicit CapacityOutput(const VerdictSettings& settings);

  bool is_wanted() const noexcept { return !file_.empty(); }
  /// Called by the thread that evaluates verdicts.
  void offer(const CapacityPlan& plan, std::int64_t time_ms);
  /// Why the file is not up to date; empty if it is.
  std::string problem() const;

  /// Writes a pending text; called by the thread that waits for signals.
  void write();

 private:
  std::filesystem::path file_;
  CapacityPacer pacer_;
  mutable std::mutex mutex_;
  std::optional<std::string> text_;
  std::string problem_, write_problem_;
};

}  // namespace pssp
