#pragma once

// Which nodes may get jobs, over time: since when each may not, and whether it is to be drained.

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

  /// Where nodes were when an earlier process ended, at that time. Before the first sweep; several
  /// maps by ascending times.
  void restore_positions(const FabricMap& map, std::int64_t time_ms);
  /// What it had said: rows of `node_fitness`, those that ended within the last hour among them.
  /// After the places.
  void restore(const std::vector<VerdictRecord>& rows);

  /// As it was restored, of the places that were looked at last: for those who only read.
  FitList standing() const;

  /// The next sweep; `has_verdicts`: whether anybody judges already. O(nodes log nodes +
  /// verdicts), of another map O(ports log ports).
  void add(const FitEvidence& evidence, bool has_verdicts);

  /// Of the last sweep; never null.
  const std::shared_ptr<const FitList>& list() const noexcept { return list_; }
  /// Rows that began or ended since the last call.
  std::vector<VerdictRecord> take_changes() { return std::exchange(changes_, {}); }
  /// At most one a sweep: nodes that turned unfit and are not to be drained.
  std::vector<MonitorEvent> take_events() { return std::exchange(events_, {}); }

 private:
  /// What is said of a node beside `yes`. Of a node that no one can judge for a while it stays.
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
  std::map<std::string, std::int64_t> since_;  // of those that are `yes` or unknown
  std::vector<std::string> turned_;            // unfit in this sweep
  std::shared_ptr<const FitList> list_ = std::make_shared<const FitList>();
  std::vector<VerdictRecord> changes_;
  std::vector<MonitorEvent> events_;
  bool has_begun_ = false;
};

}  // namespace pssp
