#pragma once

// Finds the subnet managers: reads SMInfo from the master, whose LID is in the PortInfo of this
// program's port, and from all other ports that report a manager.

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "monitor/counters/event.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/counters/manager_status.h"
#include "wire/exchange.h"

namespace pssp {

/// For one thread. Sends one request after another, because time does not matter.
class ManagerWatch final : public Dialogue {
 public:
  /// The exchange must outlive it.
  ManagerWatch(Exchange& exchange, std::uint64_t m_key) : exchange_(exchange), m_key_(m_key) {}

  /// Begins the requests; not while they are running. The map must outlive the requests.
  void begin(std::shared_ptr<const FabricMap> map);
  bool busy() const noexcept { return busy_; }
  /// True once after the last request since begin().
  bool take_done() { return std::exchange(done_, false); }
  const ManagerStatus& status() const noexcept { return status_; }
  /// The changes since the last call.
  std::vector<MonitorEvent> take_events() { return std::exchange(events_, {}); }
  /// True once after the master sent so many requests since the last round that it may have made a
  /// heavy sweep.
  bool take_wish_for_discovery() { return std::exchange(wants_discovery_, false); }

  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

 private:
  enum class Step { own_port, master, other };

  void record(const MadAnswer* answer);
  void finish();
  void compare_masters(const ManagerStatus& before);
  bool has_swept_all(const ManagerRecord& was, const ManagerRecord& is) const;
  void compare_others(const ManagerStatus& before);
  void add_event(EventKind kind, const ManagerRecord& record, const std::string& text);
  std::string name_of(const ManagerRecord& record) const;

  Exchange& exchange_;
  std::uint64_t m_key_;
  std::shared_ptr<const FabricMap> map_;
  Step step_ = Step::own_port;
  std::deque<Lid> to_ask_;
  bool busy_ = false, done_ = false;
  bool asked_before_ = false, wants_discovery_ = false;
  unsigned standing_still_ = 0;  // number of rounds without an increase of the activity count
  Lid last_lid_ = no_lid;
  ManagerStatus status_, fresh_;
  std::vector<MonitorEvent> events_;
};

}  // namespace pssp
