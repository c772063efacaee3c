#pragma once

// Tracks which nodes may get jobs: since when a node is unfit, and whether it should be drained.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/analysis/drain_guard.h"
#include "monitor/analysis/fit_rules.h"
#include "monitor/analysis/node_ports.h"
#include "monitor/counters/event.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

class FitWatch {
 public:
  FitWatch(FitSettings settings, NodeNameRule rule, std::int64_t memory_s)
      : positions_(std::move(rule), memory_s), guard_(settings) {}

  void set_limits(FitSettings settings) noexcept { guard_.set_limits(settings); }

  /// Takes a map that an earlier process stored at this time. Must be called before the first
  /// sweep; several maps in ascending order of time.
  void restore_positions(const FabricMap& map, std::int64_t time_ms);
  /// Takes the states that an earlier process stored: rows of `node_fitness`, including those that
  /// ended within the last hour. Must be called after restore_positions().
  void restore(const std::vector<VerdictRecord>& rows);

  /// The restored states of the nodes of the last map, for programs that only read the history.
  FitList standing() const;

  /// Takes the next sweep; `has_verdicts` is false before the first verdicts exist. O(nodes *
  /// log(nodes) + verdicts); O(ports * log(ports)) for a new map.
  void add(const FitEvidence& evidence, bool has_verdicts);

  /// The result of the last sweep; never null.
  const std::shared_ptr<const FitList>& list() const noexcept { return list_; }
  /// Rows that began or ended since the last call.
  std::vector<VerdictRecord> take_changes() { return std::exchange(changes_, {}); }
  /// Nodes that became unfit but must not be drained; at most one event for each sweep.
  std::vector<MonitorEvent> take_events() { return std::exchange(events_, {}); }

 private:
  /// The state of a node with the level watch or bad. It is kept while the level is unknown.
  struct State {
    Level level = Level::watch;
    DrainAdvice advice = DrainAdvice::none;
    std::int64_t since_ms = 0;
    PortKey port;
    std::string reason;
  };

  void take(NodeFit& fit, std::int64_t time_ms);
  void advise(std::vector<NodeFit>& fits, std::int64_t time_ms);
  void report_held_back(const std::vector<std::string>& names, std::int64_t time_ms);
  void record(const State& state, std::optional<std::int64_t> until_ms);

  NodePorts positions_;
  DrainGuard guard_;
  std::map<std::string, State> states_;        // by name
  std::map<std::string, std::int64_t> since_;  // by name, for the levels good and unknown
  std::vector<std::string> turned_;            // nodes that became watch or bad in this sweep
  std::shared_ptr<const FitList> list_ = std::make_shared<const FitList>();
  std::vector<VerdictRecord> changes_;
  std::vector<MonitorEvent> events_;
  bool has_begun_ = false;
};

}  // namespace pssp
