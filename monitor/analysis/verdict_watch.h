#pragma once

// Tracks verdicts over time: when each began and when it ended. A level rises at once and falls
// only after a whole window below it, so that an intermittent problem is reported once.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/analysis/error_origin.h"
#include "monitor/analysis/lost_links.h"
#include "monitor/analysis/maintenance.h"
#include "monitor/analysis/port_windows.h"
#include "monitor/counters/incident.h"
#include "monitor/counters/verdict_record.h"

namespace pssp {

struct StandingVerdict {
  Verdict verdict;  ///< `port` is an index into the map of the last sweep
  std::int64_t since_ms = 0;
};

/// A finding about a port that does not come from counters. The port is named by keys that stay
/// valid when the map changes.
struct PortFinding {
  PortKey port;
  Level level = Level::watch;
  std::string what;  ///< link_cabling
  std::string reason;
};

class VerdictWatch {
 public:
  explicit VerdictWatch(VerdictSettings settings);

  /// Takes the verdicts that were in force when an earlier process ended; the time until one of
  /// them can improve starts again. `peers` has the other ends of cables that are down, by port.
  /// Must be called before the first sweep.
  void restore(const std::vector<VerdictRecord>& standing,
               const std::map<PortKey, IncidentPort>& peers);
  /// Effective from the next sweep. The verdicts of these ports, and of the other ends of their
  /// cables, end.
  void set_maintenance(std::vector<MaintainedPort> ports) { maintenance_ = std::move(ports); }

  /// Changes the limits from the next sweep on; windows and files stay unchanged.
  void set_limits(const VerdictSettings& settings);
  /// Effective with the next sweep: discards the counts and ends the verdicts of these ports,
  /// because they belong to another device. Number 0 means all ports of the node.
  void forget(Guid node, PortNumber number) { forgotten_.push_back({node, number}); }

  /// Effective from the next sweep until other findings are set. At most one for a port and `what`.
  void set_findings(std::vector<PortFinding> findings) { findings_ = std::move(findings); }

  /// The forwarding tables, for the search of the origin of errors. May be null.
  void set_tables(LiveTablesPointer tables) { tables_ = std::move(tables); }

  /// Takes the next sweep; there are verdicts from the second sweep on. O(ports * log(verdicts)).
  void add(const SnapshotPointer& snapshot);
  bool has_verdicts() const noexcept { return has_verdicts_; }

  /// Verdicts of ports that have a cable, or that should have an active link; by urgency().
  const std::vector<StandingVerdict>& standing() const noexcept { return standing_; }
  /// All current verdicts, including those of ports whose cable or node is absent at the moment.
  std::vector<VerdictRecord> records() const;
  /// Verdicts that began, changed their value or ended since the last call.
  std::vector<VerdictRecord> take_changes() { return std::exchange(changes_, {}); }

 private:
  struct Key {
    Guid node = 0;
    PortNumber port = 0;
    std::string what;
    bool is_unknown = false;  ///< stored separately, beside the earlier verdict on the counter
    friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT(modernize-use-nullptr)
  };
  struct State {
    Level level = Level::good;
    std::int64_t since_ms = 0;
    std::int64_t reached_ns = 0;  ///< monotonic clock: last time at this level
    double value = 0, limit = 0;
    std::string reason;
    bool seen = false;  ///< reported in this sweep at this level or above
  };
  using States = std::map<Key, State>;
  struct Fall {
    std::int64_t ns = 0;
    std::uint64_t count = 0;
  };

  void evaluate(const Snapshot& snapshot);
  void evaluate_links(const Snapshot& snapshot);
  void take_findings(const Snapshot& snapshot);
  void forget_what_was_doubtful(const Snapshot& snapshot);
  bool is_maintained(const Snapshot& snapshot, PortKey port) const;
  bool is_maintained(const Snapshot& snapshot, std::uint32_t port) const;
  void note_flaps(const Snapshot& snapshot, const std::vector<PortDifference>& differences);
  void add_flap_verdict(const Snapshot& snapshot, std::uint32_t port, std::vector<Verdict>& to);
  void take(const Snapshot& snapshot, Verdict&& verdict);
  void let_fall(const Snapshot& snapshot);
  void end(States::iterator at, std::int64_t time_ms);
  bool has_reading(const Snapshot& snapshot, const Key& key) const;
  std::int64_t window_ns(const Key& key) const;
  void list(const Snapshot& snapshot);

  VerdictSettings settings_;
  std::vector<MaintainedPort> maintenance_;
  std::vector<PortFinding> findings_;
  SnapshotPointer before_;
  PortWindows short_, long_;
  LostLinks links_;
  std::map<PortKey, std::vector<Fall>> falls_;  // within the last flaps_s
  States states_;
  std::vector<StandingVerdict> standing_;
  std::vector<VerdictRecord> changes_;
  LiveTablesPointer tables_;
  std::vector<PortKey> forgotten_;  // number 0 means all ports of the node
  bool has_verdicts_ = false;
};

}  // namespace pssp
