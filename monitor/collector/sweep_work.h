#pragma once

// What is said to the nodes of a sweep. A target is a LID that is asked: a switch for all of its
// ports, an adapter port for itself. First comes, where it is due, one dialogue with the target
// (who are you, what can you count), then one with each of its ports, so that several are on their
// way to a large switch.

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

/// What a node said of the ticks of its ports with so fast lanes.
struct StatedTick {
  std::uint32_t megabits_per_lane = 0;
  std::optional<std::uint8_t> tick;  ///< of PortSamplesControl; nothing: it said none
};

/// A LID and those who are read through it. Lives from sweep to sweep.
struct SweepTarget : std::enable_shared_from_this<SweepTarget> {
  Guid guid = 0;        ///< of the node
  PortNumber port = 0;  ///< of an adapter; 0: a switch
  Lid lid = no_lid;
  std::vector<std::uint32_t> ports;  ///< indices into FabricMap::ports: those to be asked

  std::optional<PerformanceInfo> info;  ///< nothing: not asked yet, or it must be asked again
  std::vector<StatedTick> ticks;        ///< of each speed that was asked about
  bool ticks_due = true;                ///< there may be other speeds now
  std::uint64_t verified = 0;           ///< sweep in which its GUID was right; 0: never
  bool suspicious = false;              ///< verify in the next sweep, whatever the schedule says
  bool wrong = false;                   ///< another node answered here
  bool silent = false;                  ///< did not answer when it was asked last
  std::uint64_t comparable_since = 0;   ///< as in Snapshot
  unsigned backed_off = 0;              ///< sweeps between two questions while it is silent
  unsigned skip = 0;                    ///< sweeps until it is asked again
};

/// Bytes that a port can send in a tick of PortXmitWait; 0: its node did not say how long one is.
std::uint16_t tick_bytes_of(const SweepTarget& target, const MapNode& node, const MapPort& port);

/// What a port answered.
struct PortReading {
  PortStatus status = PortStatus::not_active;
  std::int64_t read_ns = 0;
  CounterMask known = 0, saturated = 0, narrow = 0;
  CounterValues values{};
};

/// What a node that can count so says of its counters.
CounterMask counters_of(const PerformanceInfo& info);
/// What the answers of a port say; `narrow` or `extended` is null where it was not asked. The time
/// and the status are for the caller.
PortReading reading_of(const PerformanceInfo& info, const PortCounters* narrow,
                       const PortCounters* extended);

/// A sweep waits for every node, so it repeats a request once; whoever is silent then is probed
/// beside the sweeps, and that is as good as another retry. Nodes answer within microseconds: the
/// first try waits half as long, so that nodes that fall silent hold a sweep up by one time-out and
/// a half.
class SweepDialogue : public Dialogue {
 public:
  unsigned most_retries() const final { return 1; }
  std::chrono::milliseconds timeout(std::chrono::milliseconds usual, unsigned tries) const final {
    return tries == 0 ? std::max(usual / 2, std::chrono::milliseconds(1)) : usual;
  }
};

/// Who are you, and what can you count? `verify` asks the first, a target without info the second.
class TargetDialogue final : public SweepDialogue {
 public:
  /// Called once when it is over: all is answered, or not.
  using Over = std::function<void(TargetDialogue&)>;

  TargetDialogue(SweepTarget& target, bool verify, std::uint64_t m_key, Over over);

  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

  SweepTarget& target() noexcept { return target_; }
  /// Of the wrong node, where one answered.
  Guid found() const noexcept { return found_; }
  bool answered() const noexcept { return answered_; }
  /// The node answers, and says that it counts nothing.
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

/// How long is a tick of PortXmitWait? Asks one port of each speed that is new, and enters what it
/// says, or that it says nothing.
class TickDialogue final : public SweepDialogue {
 public:
  /// Called once when it is over.
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

  std::shared_ptr<SweepTarget> target_;  // which a new map may leave to this alone
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

  /// `number` is 0 .. 254. Asks nothing once the target has turned out silent: then the reading's
  /// status is `silent`, too.
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
