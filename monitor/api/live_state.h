#pragma once

// What the web thread shows: the newest sweep with all that belongs to it, as one immutable object
// that the thread of the sweeps hands over. Whoever holds a view is disturbed by no one.

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

/// Of one channel, the direction that leaves a port.
struct ChannelUseView {
  bool known = false;
  double bytes_per_s = 0, packets_per_s = 0;
  double utilisation = -1;    ///< below 0: unknown
  double waiting_share = -1;  ///< likewise
};
/// Limits of docs/reference/monitor.md, "Utilization".
inline constexpr double hot_utilisation = 0.8, held_up_share = 0.3;

/// The interval of the history that a view is of: since < time <= until.
struct SpanView {
  std::string level;  ///< "memory", "raw", "5min", "hour"
  std::int64_t since_ms = 0, until_ms = 0;
};

struct LiveView {
  SnapshotPointer snapshot;
  std::vector<PortDifference> differences;  ///< by port of the map
  LiveFacts facts;
  std::shared_ptr<const std::vector<std::string>> names;   ///< of nodes, clean
  std::vector<std::shared_ptr<const RecentSweep>> recent;  ///< oldest first
  std::vector<ActivityPoint> activity;                     ///< of the last hour, oldest first
  std::vector<VerdictLevel> levels;                        ///< the worst verdict of each port
  std::vector<std::uint32_t> channels;                     ///< cabled ports, ascending
  std::vector<ChannelUseView> use;                         ///< of each of `channels`
  std::uint64_t late_sweeps = 0, sweeps = 0, mads = 0, timed_out = 0, implausible = 0;
  std::optional<SpanView> past;  ///< nothing: it is the last sweep

  const FabricMap& map() const noexcept { return *snapshot->map; }
  const std::string& name_of_port(std::uint32_t port) const {
    return (*names)[map().ports[port].node];
  }
};
using LiveViewPointer = std::shared_ptr<const LiveView>;

/// Where the port itself was not read the other end of its cable says what came in there.
ChannelUseView channel_use(const LiveView& view, std::uint32_t port);

/// A view of an interval that is past: names, levels, channels and their use, without absolute
/// values of counters. `sweep` numbers it; verdicts are those that stood at its end. O(ports).
LiveViewPointer past_view(std::shared_ptr<const FabricMap> map, std::uint64_t sweep, SpanView span,
                          std::vector<PortDifference> differences,
                          std::vector<VerdictView> verdicts);
/// Of the sweeps that are in memory, the interval that holds the time; null where none does.
LiveViewPointer recent_view(const LiveView& now, std::int64_t time_ms);

/// Functions may be called from any thread.
class LiveState {
 public:
  /// The next sweep. Snapshots come in order from one thread. O(ports).
  void publish(SnapshotPointer snapshot, LiveFacts facts);
  /// What an event takes back goes from the recent sweeps with the next publish().
  void add_event(MonitorEvent event);

  /// Null before the first sweep.
  LiveViewPointer view() const;
  /// The last ones, oldest first; never null.
  std::shared_ptr<const std::vector<NumberedEvent>> events() const;

  /// Called after each publish() and add_event(), on their thread; it must be quick. One only.
  void on_change(std::function<void()> callback);

 private:
  void tell() const;
  void take_back(std::vector<std::shared_ptr<const RecentSweep>>& recent);

  mutable std::mutex mutex_;
  LiveViewPointer view_;
  std::shared_ptr<const std::vector<NumberedEvent>> events_ =
      std::make_shared<const std::vector<NumberedEvent>>();
  std::vector<MonitorEvent> doubts_;  // since the last sweep
  std::uint64_t next_event_ = 1;
  std::function<void()> changed_;
};

}  // namespace pssp
