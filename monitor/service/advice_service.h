#pragma once

// Makes advice for the daemon: when it is asked for, and now and then by itself. One at a time, on
// a thread of its own that yields to all others.

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "monitor/analysis/advice.h"
#include "monitor/api/advice_source.h"
#include "monitor/configuration/configuration.h"

namespace pssp {

class AdviceService final : public AdviceSource {
 public:
  /// What settings say, as advice takes it. Throws Error(usage) for engines that there are not.
  using ReadSettings = std::function<AdviceOptions(const AnalysisSettings& settings)>;

  /// Throws as `read`.
  AdviceService(std::filesystem::path database, AnalysisSettings settings, ReadSettings read);

  AdviceState state() const override;
  bool start(const AdviceRequest& request) override;

 private:
  void run(const std::stop_token& stop);
  AdviceOptions options_for(const std::string& engines) const;
  /// What is to be done next; nothing: to end.
  std::optional<AdviceRequest> wait(const std::stop_token& stop);
  void make(const AdviceRequest& request, const std::stop_token& stop);

  const std::filesystem::path database_;
  const AnalysisSettings settings_;
  const ReadSettings read_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<AdviceRequest> asked_;
  AdviceState state_;
  std::jthread thread_;  // ends first
};

}  // namespace pssp
