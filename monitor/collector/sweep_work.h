#pragma once

// The requests to the nodes of a sweep. A target is a LID that answers requests: a switch for all
// of its ports, or an adapter port for itself. If necessary, one dialogue first asks the target for
// its identity and capabilities. Then there is one dialogue with each port, so that several
// requests to a large switch are in flight.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "monitor/counters/snapshot.h"
#include "wire/dialogue.h"
#include "wire/performance/port_counters.h"
#include "wire/subnet/node_info.h"

namespace pssp {

/// The tick of a node for its ports with this lane speed.
struct StatedTick {
  std::uint32_t megabits_per_lane = 0;
  std::optional<std::uint8_t> tick;  ///< of PortSamplesControl; nothing: the node did not answer
};

/// A LID and the ports that are read through it. Exists for many sweeps.
struct SweepTarget : std::enable_shared_from_this<SweepTarget> {
  Guid guid = 0;        ///< of the node
  PortNumber port = 0;  ///< of an adapter; 0: a switch
  Lid lid = no_lid;
  std::vector<std::uint32_t> ports;  ///< indices into FabricMap::ports: the ports to read

  std::optional<PerformanceInfo> info;  ///< nothing: not requested yet, or must be requested again
  std::vector<StatedTick> ticks;        ///< one for each requested speed
  bool ticks_due = true;                ///< the ports may have new speeds
  std::uint64_t verified = 0;           ///< sweep of the last successful GUID check; 0: none
  bool suspicious = false;              ///< verify in the next sweep, regardless of the schedule
  bool wrong = false;                   ///< another node answered here
  bool silent = false;                  ///< did not answer the last request
  std::uint64_t comparable_since = 0;   ///< as in Snapshot
  unsigned backed_off = 0;              ///< sweeps between two requests while it is silent
  unsigned skip = 0;                    ///< sweeps until the next request
};

/// Bytes that a port can send in a tick of PortXmitWait; 0: the node did not report the length of a
/// tick.
std::uint16_t tick_bytes_of(const SweepTarget& target, const MapNode& node, const MapPort& port);

/// The answers of a port.
struct PortReading {
  PortStatus status = PortStatus::not_active;
  std::int64_t read_ns = 0;
  CounterMask known = 0, saturated = 0, narrow = 0;
  CounterValues values{};
};

/// The counters that a node with these capabilities has.
CounterMask counters_of(const PerformanceInfo& info);
/// Combines the answers of a port; `narrow` or `extended` is null if it was not requested. The
/// caller sets the time and the status.
PortReading reading_of(const PerformanceInfo& info, const PortCounters* narrow,
                       const PortCounters* extended);

/// A sweep waits for every node, so it repeats a request once. A node that does not answer is then
/// probed outside the sweeps, which is as good as another retry. Nodes answer within microseconds,
/// so the first try waits half as long, and nodes that become silent delay a sweep by one and a
/// half timeouts.
class SweepDialogue : public Dialogue {
 public:
  unsigned most_retries() const final { return 1; }
  std::chrono::milliseconds timeout(std::chrono::milliseconds usual, unsigned tries) const final {
    return tries == 0 ? std::max(usual / 2, std::chrono::milliseconds(1)) : usual;
  }
};

/// Requests the identity (if `verify`) and the capabilities (if the target has no info).
class TargetDialogue final : public SweepDialogue {
 public:
  /// Called once at the end, with or without all answers.
  using Over = std::function<void(TargetDialogue&)>;

  TargetDialogue(SweepTarget& target, bool verify, std::uint64_t m_key, Over over);

  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

  SweepTarget& target() noexcept { return target_; }
  /// GUID of the node that answered instead of the expected one; 0 if there was none.
  Guid found() const noexcept { return found_; }
  bool answered() const noexcept { return answered_; }
  /// The node answers that it has no counters.
  bool refused() const noexcept { return refused_; }

 private:
  enum class Step { identity, info, done };

  SweepTarget& target_;
  Step step_;
  std::uint64_t m_key_;
  Over over_;
  Guid found_ = 0;
  bool answered_ = false, refused_ = false;
};

/// Requests the length of a tick of PortXmitWait from one port of each new speed, and stores the
/// answer, or that there is none.
class TickDialogue final : public SweepDialogue {
 public:
  /// Called once at the end.
  using Over = std::function<void(TickDialogue&)>;

  TickDialogue(std::shared_ptr<SweepTarget> target, const FabricMap& map, Over over);

  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

  SweepTarget& target() noexcept { return *target_; }
  bool nothing_to_ask() const noexcept { return asked_.empty(); }
  bool answered() const noexcept { return answered_; }

 private:
  struct Question {
    PortNumber port;
    std::uint32_t megabits_per_lane;
  };
  void enter(std::optional<std::uint8_t> tick);

  std::shared_ptr<SweepTarget> target_;  // a new map may leave the target only to this dialogue
  Over over_;
  std::vector<Question> asked_;
  std::size_t at_ = 0;
  bool answered_ = false;
};

/// The counters of one port.
class PortDialogue final : public SweepDialogue {
 public:
  using Now = std::function<std::int64_t()>;
  using Over = std::function<void(PortDialogue&)>;

  /// `number` is 0 .. 254. Sends no request if the target is silent; the status of the reading is
  /// then also `silent`.
  PortDialogue(SweepTarget& target, std::uint32_t port, PortNumber number, const Now& now,
               const Over& over);

  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

  SweepTarget& target() noexcept { return *target_; }
  std::uint32_t port() const noexcept { return port_; }
  const PortReading& reading() const noexcept { return reading_; }

 private:
  enum class Step : std::uint8_t { narrow, extended, done };

  void finish(PortStatus status);

  SweepTarget* target_;
  const Now* now_;
  const Over* over_;
  std::uint32_t port_;
  PortNumber number_;
  Step step_;
  bool reported_ = false;
  PortCounters narrow_;
  PortReading reading_;
};

}  // namespace pssp
