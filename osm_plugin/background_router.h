#pragma once

// Runs an engine in a thread of the plugin, so that OpenSM never waits for it. OpenSM first gets
// interim or repaired tables; when the engine's tables are ready, the plugin requests a sweep that
// uses them (docs/reference/plugin.md, Background).
//
// The thread works only on copies of the fabric and of the chooser. If the fabric changes in the
// meantime, the tables in force are repaired. The engine's tables are then repaired for the current
// fabric, so that frequent changes do not make the engine start again.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "osm_plugin/table_chooser.h"
#include "routing/options/plugin_options.h"

namespace pssp {

class BackgroundRouter {
 public:
  struct Setup {
    BackgroundMode mode = BackgroundMode::off;
    std::uint64_t most_bytes = 0;         ///< memory limit of the engine, which has no other limit
    std::function<void()> request_sweep;  ///< called from the thread
  };

  /// `chooser` must outlive the router. `log` may be called from the thread.
  BackgroundRouter(TableChooser& chooser, Setup setup, LogSink log);
  /// Stops the thread and waits until the engine has finished its current step.
  ~BackgroundRouter();
  BackgroundRouter(const BackgroundRouter&) = delete;
  BackgroundRouter& operator=(const BackgroundRouter&) = delete;

  /// As TableChooser::choose(), but without the engine if applies_to(fabric). The caller adopts the
  /// tables.
  Choice choose(const Fabric& fabric, const LaneSupply& supply, ChoiceLimits limits);

  /// Whether the engine runs in the background on this fabric.
  bool applies_to(const Fabric& fabric) const;
  /// Whether the engine is running now.
  bool is_running() const;
  /// Stops the engine and discards its result. May be called from any thread; does not wait.
  void cancel() noexcept;

 private:
  /// The result of the thread.
  struct Outcome {
    std::unique_ptr<TableChooser> chooser = {};  ///< has adopted the tables; null: no tables
    std::vector<LogMessage> log = {};
  };
  struct Job;

  Choice choose_with_outcome(const Fabric& fabric, const LaneSupply& supply,
                             const ChoiceLimits& limits, const RoutingContext& now);
  std::optional<Outcome> take_outcome();
  void start(const Fabric& fabric, const LaneSupply& supply, const ChoiceLimits& limits,
             const RoutingContext& now);
  void run(const std::stop_token& stop, Job& job) noexcept;
  Outcome route(const std::stop_token& stop, Job& job) const;

  TableChooser& chooser_;
  Setup setup_;
  LogSink log_;
  RoutingContext context_;   // of the last run of the engine
  bool has_failed_ = false;  // the last run produced no tables

  mutable std::mutex mutex_;  // protects all members below
  bool is_running_ = false;
  std::optional<Outcome> outcome_;
  std::jthread thread_;
};

}  // namespace pssp
