#pragma once

// Makes advice for the daemon: when it is asked for, and now and then by itself. One at a time, on
// a thread of its own that yields to all others.

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "monitor/api/advice_source.h"
#include "monitor/configuration/configuration.h"

namespace pssp {

class AdviceDesk final : public AdviceSource {
 public:
  /// Throws Error(usage) for engines that there are not.
  AdviceDesk(std::filesystem::path database, AnalysisSettings settings);

  AdviceState state() const override;
  bool start(const AdviceRequest& request) override;

 private:
  void run(const std::stop_token& stop);
  /// What is to be done next; nothing: to end.
  std::optional<AdviceRequest> wait(const std::stop_token& stop);
  void make(const AdviceRequest& request, const std::stop_token& stop);

  const std::filesystem::path database_;
  const AnalysisSettings settings_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<AdviceRequest> asked_;
  AdviceState state_;
  std::jthread thread_;  // ends first
};

}  // namespace pssp
