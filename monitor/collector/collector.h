#pragma once

// Reads the counters of all ports of a map repeatedly; each sweep gives a Snapshot.
//
// To read the code of monitor/, start here, and continue with monitor/counters/snapshot.h and
// monitor/service/routes.h.

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "monitor/collector/sweep_work.h"
#include "monitor/counters/event.h"
#include "monitor/counters/rates.h"
#include "wire/exchange.h"
#include "wire/get_request.h"

namespace pssp {

struct CollectorOptions {
  bool hosts = true;           ///< false: only ports of switches are asked
  unsigned verify_nodes = 30;  ///< number of sweeps between two checks of the GUID of a node; >= 1
  std::chrono::nanoseconds interval{0};  ///< a sweep that takes longer is late; 0: no sweep is late
  std::uint64_t m_key = 0;
  std::uint64_t sweeps_before = 0;  ///< the number of the first sweep is one larger
};

/// Must be used by one thread. The exchange may hold other dialogues at the same time. `port` must
/// be the port of the exchange; it counts the sent requests.
///
///   collector.set_map(map);
///   collector.begin();
///   while (collector.step(deadline)) ...;
///   SnapshotPointer snapshot = collector.finish();
class Collector {
 public:
  using Clock = Exchange::Clock;

  Collector(Exchange& exchange, const GetOnlyPort& port, const CollectorOptions& options,
            Exchange::Now now = Clock::now);
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  /// Sets the map from the next sweep on. Must not be called during a sweep. State of nodes is kept
  /// by GUID.
  void set_map(std::shared_ptr<const FabricMap> map);

  /// Changes the pace from the next sweep on.
  void set_pace(std::chrono::nanoseconds interval, unsigned verify_nodes) noexcept {
    options_.interval = interval;
    options_.verify_nodes = verify_nodes;
  }

  /// Begins a sweep. A map must be set.
  void begin();
  /// Continues the dialogues of the exchange until the sweep ends (false) or until `deadline`.
  /// Throws the errors of the port.
  bool step(Clock::time_point deadline);
  bool busy() const noexcept { return open_ != 0; }
  /// The finished sweep, without impossible differences.
  SnapshotPointer finish();

  /// The events since the last call.
  std::vector<MonitorEvent> take_events() { return std::exchange(events_, {}); }
  /// True once after an event that requires a new discovery.
  bool take_wish_for_discovery() { return std::exchange(wants_discovery_, false); }

 private:
  using TargetKey = std::pair<Guid, PortNumber>;
  using Target = std::shared_ptr<SweepTarget>;

  std::vector<Target> targets_of(const FabricMap& map);
  void keep_state(std::vector<Target>& fresh);
  void begin_target(const Target& target, std::size_t index);
  void probe(const Target& target);
  void ask_ticks(SweepTarget& target);
  void begin_ticks();
  void ticks_over(TickDialogue& dialogue);
  void note_ticks();
  void begin_ports(SweepTarget& target);
  void target_over(TargetDialogue& dialogue);
  void probe_over(TargetDialogue& dialogue);
  void port_over(PortDialogue& dialogue);
  void doubt(SweepTarget& target);
  void note_lid(SweepTarget& before, SweepTarget& now);
  void set_status(const SweepTarget& target, PortStatus status);
  void note_silence();
  void note_doubts();
  void take_out_nonsense();
  void note_differences(std::uint32_t port, const PortDifference& difference);
  void note_full_waits();
  void flush_frequent_events();
  void add_event(EventKind kind, const SweepTarget& target, std::string text);
  void add_port_event(EventKind kind, std::uint32_t port, const std::string& text);
  std::string name_of_node(Guid guid) const;
  std::int64_t now_ns() const;

  Exchange& exchange_;
  const GetOnlyPort& port_;
  CollectorOptions options_;
  Exchange::Now now_;
  PortDialogue::Now reading_time_;
  PortDialogue::Over port_is_over_;

  std::shared_ptr<const FabricMap> map_;
  std::vector<Target> targets_;  // by first port
  std::vector<SweepTarget*> target_of_port_;

  std::uint64_t sweep_;
  std::shared_ptr<Snapshot> current_;
  SnapshotPointer previous_;
  std::uint64_t sent_before_ = 0, timed_out_before_ = 0;
  std::int64_t ended_ns_ = 0;  // end of the last finished dialogue
  std::size_t open_ = 0;       // unfinished dialogues of the sweep
  std::deque<TargetDialogue> target_dialogues_;
  std::deque<PortDialogue> port_dialogues_;
  struct Probe {
    Target target;  // keeps the target alive
    std::unique_ptr<TargetDialogue> dialogue;
  };
  std::map<const SweepTarget*, Probe> probes_;  // of silent targets; independent of sweeps
  std::vector<std::unique_ptr<TargetDialogue>> ended_probes_;

  /// For all nodes of a device type.
  struct TickAnswers {
    unsigned silent = 0;
    bool any = false;
  };
  std::deque<std::shared_ptr<SweepTarget>> tick_queue_;
  std::vector<std::shared_ptr<SweepTarget>> tick_adapters_;  // until a switch reports its ticks
  bool switch_said_ticks_ = false;
  std::vector<std::unique_ptr<TickDialogue>> tick_dialogues_;  // independent of sweeps, as probes
  std::vector<std::unique_ptr<TickDialogue>> ended_ticks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, TickAnswers> tick_answers_;

  std::vector<MonitorEvent> events_;
  std::map<EventKind, std::vector<MonitorEvent>> frequent_events_;  // of this sweep
  bool wants_discovery_ = false;
  bool reported_full_waits_ = false;
};

/// A sweep of a fabric that cannot be reached: every port that would be asked is silent. It begins
/// now. O(ports).
SnapshotPointer unanswered_sweep(std::shared_ptr<const FabricMap> map, std::uint64_t sweep,
                                 bool hosts);

}  // namespace pssp
