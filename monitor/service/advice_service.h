#pragma once

// Computes advice for the daemon, on request and at regular intervals. Computations run one at a
// time, on a separate thread of low priority.

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
  /// Converts settings to options of advice. Throws Error(usage) for unknown engines.
  using ReadSettings = std::function<AdviceOptions(const AnalysisSettings& settings)>;

  /// Throws like `read`.
  AdviceService(std::filesystem::path database, AnalysisSettings settings, ReadSettings read);

  AdviceState state() const override;
  bool start(const AdviceRequest& request) override;

 private:
  void run(const std::stop_token& stop);
  AdviceOptions options_for(const std::string& engines) const;
  /// The next request; nullopt if the thread must end.
  std::optional<AdviceRequest> wait(const std::stop_token& stop);
  void make(const AdviceRequest& request, const std::stop_token& stop);

  const std::filesystem::path database_;
  const AnalysisSettings settings_;
  const ReadSettings read_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<AdviceRequest> asked_;
  AdviceState state_;
  std::jthread thread_;  // last member, so that it is destroyed first
};

}  // namespace pssp
