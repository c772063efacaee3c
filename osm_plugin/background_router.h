#pragma once

// Lets an engine work in a thread of the plugin, so that OpenSM never waits for it: OpenSM gets
// interim tables, or the repaired ones, and the engine's tables in a later sweep, which is
// requested when they are ready (docs/reference/plugin.md, Background).
//
// The thread works on copies alone: of the fabric and of the chooser. Faults that come meanwhile
// are repaired in the tables in force; the engine's tables are then repaired for the fabric as it
// is, so that no work is lost however often the fabric changes.

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
    std::uint64_t most_bytes = 0;         ///< that the engine may need; it has no other limit
    std::function<void()> request_sweep;  ///< called from the thread
  };

  /// `chooser` must outlive the router. `log` may be called from the thread.
  BackgroundRouter(TableChooser& chooser, Setup setup, LogSink log);
  /// Ends the thread, and waits for it: as long as a step of the engine takes.
  ~BackgroundRouter();
  BackgroundRouter(const BackgroundRouter&) = delete;
  BackgroundRouter& operator=(const BackgroundRouter&) = delete;

  /// TableChooser::choose(); on fabrics that background routing applies to, without the engine. The
  /// caller adopts the tables.
  Choice choose(const Fabric& fabric, const LaneSupply& supply, ChoiceLimits limits);

  /// Whether OpenSM does not wait for the engine on that fabric.
  bool applies_to(const Fabric& fabric) const;
  /// Whether the engine works at present.
  bool is_running() const;
  /// Ends the work, and drops what it has led to. From any thread; does not wait.
  void cancel() noexcept;

 private:
  /// What the thread leaves.
  struct Outcome {
    std::unique_ptr<TableChooser> chooser = {};  ///< has adopted the tables; null: there are none
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
  RoutingContext context_;   // of the last work
  bool has_failed_ = false;  // the last work led to no tables

  mutable std::mutex mutex_;  // of all below
  bool is_running_ = false;
  std::optional<Outcome> outcome_;
  std::jthread thread_;
};

}  // namespace pssp
