#pragma once

// Maintains the routes to one LID while single entries change.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Edges of the channel dependency graph, numbered: (c1, c2), where c2 leaves the switch that c1
/// leads to.
class DependencyNumbers {
 public:
  explicit DependencyNumbers(const Fabric& fabric);
  std::uint32_t count() const noexcept { return first_.back(); }
  /// O(1).
  std::uint32_t number(std::uint32_t c1, std::uint32_t c2) const noexcept {
    return first_[c1] + c2 - fabric_.first_channel()[fabric_.channel_head()[c1]];
  }
  /// O(log channels).
  std::uint32_t first_of(std::uint32_t number) const noexcept;
  std::uint32_t second_of(std::uint32_t number, std::uint32_t c1) const noexcept {
    return number - first_[c1] + fabric_.first_channel()[fabric_.channel_head()[c1]];
  }

 private:
  const Fabric& fabric_;
  std::vector<std::uint32_t> first_;  // by channel
};

/// A dependency that appears or disappears for this LID.
struct DependencyEvent {
  std::uint32_t dependency = 0;
  std::int32_t change = 0;
};

enum class RouteState : std::uint8_t { arrives, no_route, loop };

/// Reusable for many LIDs; allocates memory only once.
class ChangingTree {
 public:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  ChangingTree(const Fabric& fabric, const DependencyNumbers& numbers);

  /// Starts with these entries; `hosts`: senders by switch, whose routes count. O(switches).
  void begin(const ForwardingTables& tables, Lid lid, std::span<const std::uint32_t> hosts);
  /// Changes one entry. O(switches upstream + length of the routes).
  void change(std::uint32_t at_switch, PortNumber port);

  RouteState state(std::uint32_t at_switch) const noexcept { return state_[at_switch]; }
  /// Switches whose state may have changed in the last change().
  std::span<const std::uint32_t> touched() const noexcept { return upstream_; }
  /// Changes of dependencies since begin(), or since the caller has cleared them, for routes that
  /// end. Routes in a loop are a credit loop themselves, and are not included.
  std::vector<DependencyEvent>& events() noexcept { return events_; }

 private:
  void point(std::uint32_t s, PortNumber port);
  void link(std::uint32_t s);
  void unlink(std::uint32_t s);
  void collect_upstream(std::uint32_t s);
  void add_event(std::uint32_t s, std::int32_t change);
  void add_events_at(std::uint32_t s, std::int32_t change);
  void move_weight(std::uint32_t from, std::uint64_t weight, bool is_added);
  RouteState state_behind(std::uint32_t s) const;
  void leave_loop(std::uint32_t s);
  void enter_loop(std::uint32_t s);

  const Fabric& fabric_;
  const DependencyNumbers& numbers_;
  Lid lid_ = no_lid;
  Delivery delivery_;
  std::span<const std::uint32_t> hosts_;
  std::vector<std::uint32_t> out_;    // channel by switch; nowhere: none
  std::vector<std::uint8_t> at_end_;  // by switch: its entry delivers the packet
  std::vector<RouteState> state_;
  std::vector<std::uint64_t> weight_;  // hosts whose routes pass; only for switches outside loops
  std::vector<std::uint32_t> first_child_, next_child_, previous_child_;
  std::vector<std::uint32_t> upstream_;  // last change: the switch and all that lead to it
  std::vector<std::uint8_t> is_upstream_;
  std::vector<DependencyEvent> events_;
};

}  // namespace pssp
