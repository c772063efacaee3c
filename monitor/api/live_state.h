#pragma once

// The data that the web thread serves: the newest sweep with all related data, as one immutable
// object that the thread of the sweeps publishes. A view never changes while it is in use.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "monitor/api/activity.h"
#include "monitor/api/live_facts.h"
#include "monitor/api/recent_sweep.h"
#include "monitor/counters/rates.h"

namespace pssp {

inline constexpr std::size_t recent_sweeps = 60;
inline constexpr std::size_t recent_events = 1000;

/// Use of one channel, the direction that leaves a port.
struct ChannelUseView {
  bool known = false;
  double bytes_per_s = 0, packets_per_s = 0;
  double utilisation = -1;    ///< below 0 if unknown
  double waiting_share = -1;  ///< below 0 if unknown
};
/// Limits of docs/reference/monitor.md, "Utilization".
inline constexpr double hot_utilisation = 0.8, held_up_share = 0.3;

/// The interval of the history that a view covers: since < time <= until.
struct SpanView {
  std::string level;  ///< "memory", "raw", "5min", "hour"
  std::int64_t since_ms = 0, until_ms = 0;
};

struct LiveView {
  SnapshotPointer snapshot;
  std::vector<PortDifference> differences;  ///< by port of the map
  LiveFacts facts;
  std::shared_ptr<const std::vector<std::string>> names;   ///< names of nodes, sanitized
  std::vector<std::shared_ptr<const RecentSweep>> recent;  ///< oldest first
  std::vector<ActivityPoint> activity;                     ///< of the last hour, oldest first
  std::vector<VerdictLevel> levels;                        ///< the worst verdict of each port
  std::vector<std::uint32_t> channels;                     ///< cabled ports, ascending
  std::vector<ChannelUseView> use;                         ///< of each element of `channels`
  std::uint64_t late_sweeps = 0, sweeps = 0, mads = 0, timed_out = 0, implausible = 0;
  std::optional<SpanView> past;  ///< unset for the last sweep

  const FabricMap& map() const noexcept { return *snapshot->map; }
  const std::string& name_of_port(std::uint32_t port) const {
    return (*names)[map().ports[port].node];
  }
};
using LiveViewPointer = std::shared_ptr<const LiveView>;

/// If the port itself was not read, uses the receive counters of the other end of its cable.
ChannelUseView channel_use(const LiveView& view, std::uint32_t port);

/// A view of a past interval: names, levels, channels and their use, without absolute values of
/// counters. `sweep` is its number; `verdicts` are those in force at its end. O(ports).
LiveViewPointer past_view(std::shared_ptr<const FabricMap> map, std::uint64_t sweep, SpanView span,
                          std::vector<PortDifference> differences,
                          std::vector<VerdictView> verdicts);
/// A view of the interval that contains the time, among the sweeps in memory; null if there is
/// none.
LiveViewPointer recent_view(const LiveView& now, std::int64_t time_ms);

/// Functions may be called from any thread.
class LiveState {
 public:
  /// Publishes the next sweep. Snapshots must come in order from one thread. O(ports).
  void publish(SnapshotPointer snapshot, LiveFacts facts);
  /// Counts that an event invalidates are removed from the recent sweeps with the next publish().
  void add_event(MonitorEvent event);

  /// Null before the first sweep.
  LiveViewPointer view() const;
  /// The last events, oldest first; never null.
  std::shared_ptr<const std::vector<NumberedEvent>> events() const;

  /// Sets the one callback that is called after each publish() and add_event(), on their thread; it
  /// must be quick.
  void on_change(std::function<void()> callback);

 private:
  void tell() const;
  void take_back(std::vector<std::shared_ptr<const RecentSweep>>& recent);

  mutable std::mutex mutex_;
  LiveViewPointer view_;
  std::shared_ptr<const std::vector<NumberedEvent>> events_ =
      std::make_shared<const std::vector<NumberedEvent>>();
  std::vector<MonitorEvent> doubts_;  // events since the last sweep that invalidate counts
  std::uint64_t next_event_ = 1;
  std::function<void()> changed_;
};

}  // namespace pssp
