// A changed entry at switch s affects exactly the switches whose packets pass s: the switches
// upstream of it, which are the same before and after, since a packet's path to s does not depend
// on the entry of s. If the new entry leads to one of them, all of them are in a loop (or lead into
// it); otherwise all get the state of the switch that s now leads to.
//
// Each switch counts the hosts whose packets pass it. For this LID, a dependency from the channel
// out of u to the channel out of v, to which u leads, exists while the count of u is positive. A
// change moves the hosts upstream of s from the old path to the new one.

#include "evaluator/rerouting/changing_tree.h"

#include <algorithm>

namespace pssp {

DependencyNumbers::DependencyNumbers(const Fabric& fabric) : fabric_(fabric) {
  first_.reserve(fabric.channel_count() + 1);
  first_.push_back(0);
  for (const std::uint32_t head : fabric.channel_head()) {
    first_.push_back(first_.back() + fabric.first_channel()[head + 1] -
                     fabric.first_channel()[head]);
  }
}

std::uint32_t DependencyNumbers::first_of(std::uint32_t number) const noexcept {
  const auto behind = std::upper_bound(first_.begin(), first_.end(), number);
  return static_cast<std::uint32_t>(behind - first_.begin() - 1);
}

ChangingTree::ChangingTree(const Fabric& fabric, const DependencyNumbers& numbers)
    : fabric_(fabric),
      numbers_(numbers),
      out_(fabric.switch_count()),
      at_end_(fabric.switch_count()),
      state_(fabric.switch_count()),
      weight_(fabric.switch_count()),
      first_child_(fabric.switch_count()),
      next_child_(fabric.switch_count()),
      previous_child_(fabric.switch_count()),
      is_upstream_(fabric.switch_count(), 0) {}

void ChangingTree::begin(const ForwardingTables& tables, Lid lid,
                         std::span<const std::uint32_t> hosts) {
  lid_ = lid;
  delivery_ = fabric_.delivery(lid);
  hosts_ = hosts;
  events_.clear();
  std::ranges::fill(first_child_, nowhere);
  std::ranges::fill(state_, RouteState::loop);
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    point(s, lid <= tables.max_lid() ? tables.at(SwitchId(s), lid) : no_port);
    link(s);
  }
  // Removes everything that leads to an end, like a subtree; the rest is in loops.
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (out_[s] != nowhere) continue;
    collect_upstream(s);
    for (const std::uint32_t u : upstream_) state_[u] = state_behind(s);
    leave_loop(s);
  }
}

void ChangingTree::change(std::uint32_t at_switch, PortNumber port) {
  collect_upstream(at_switch);
  const RouteState was = state_[at_switch];
  if (was != RouteState::loop) {
    add_events_at(at_switch, -1);
    move_weight(at_switch, weight_[at_switch], false);
  }
  unlink(at_switch);
  point(at_switch, port);
  link(at_switch);
  const RouteState now = state_behind(at_switch);
  for (const std::uint32_t u : upstream_) state_[u] = now;
  if (was == RouteState::loop) {
    if (now != RouteState::loop) leave_loop(at_switch);
  } else if (now == RouteState::loop) {
    enter_loop(at_switch);
  } else {
    add_events_at(at_switch, 1);
    move_weight(at_switch, weight_[at_switch], true);
  }
}

void ChangingTree::point(std::uint32_t s, PortNumber port) {
  const PortTarget target = fabric_.behind(SwitchId(s), port);
  out_[s] = target.kind == PortTarget::Kind::channel ? target.index : nowhere;
  at_end_[s] = delivery_.at.valid() && s == delivery_.at.value() && port == delivery_.port;
}

void ChangingTree::link(std::uint32_t s) {
  if (out_[s] == nowhere) return;
  const std::uint32_t to = fabric_.channel_head()[out_[s]];
  previous_child_[s] = nowhere;
  next_child_[s] = first_child_[to];
  if (first_child_[to] != nowhere) previous_child_[first_child_[to]] = s;
  first_child_[to] = s;
}

void ChangingTree::unlink(std::uint32_t s) {
  if (out_[s] == nowhere) return;
  if (previous_child_[s] != nowhere) {
    next_child_[previous_child_[s]] = next_child_[s];
  } else {
    first_child_[fabric_.channel_head()[out_[s]]] = next_child_[s];
  }
  if (next_child_[s] != nowhere) previous_child_[next_child_[s]] = previous_child_[s];
}

/// Each switch precedes those that lead to it.
void ChangingTree::collect_upstream(std::uint32_t s) {
  for (const std::uint32_t each : upstream_) is_upstream_[each] = 0;
  upstream_.assign(1, s);
  is_upstream_[s] = 1;
  for (std::size_t i = 0; i < upstream_.size(); ++i) {
    for (std::uint32_t u = first_child_[upstream_[i]]; u != nowhere; u = next_child_[u]) {
      if (is_upstream_[u] != 0) continue;
      is_upstream_[u] = 1;
      upstream_.push_back(u);
    }
  }
}

/// The dependency of the channel out of s on the next channel.
void ChangingTree::add_event(std::uint32_t s, std::int32_t change) {
  if (weight_[s] == 0 || out_[s] == nowhere) return;
  const std::uint32_t next = out_[fabric_.channel_head()[out_[s]]];
  if (next != nowhere) events_.push_back({numbers_.number(out_[s], next), change});
}

/// The dependencies that involve the entry of s, except those after the next switch.
void ChangingTree::add_events_at(std::uint32_t s, std::int32_t change) {
  add_event(s, change);
  for (std::uint32_t u = first_child_[s]; u != nowhere; u = next_child_[u]) add_event(u, change);
}

/// Adds or removes hosts on the complete path that begins with the entry of `from`.
void ChangingTree::move_weight(std::uint32_t from, std::uint64_t weight, bool is_added) {
  if (weight == 0) return;
  for (std::uint32_t s = from; out_[s] != nowhere;) {
    s = fabric_.channel_head()[out_[s]];
    const bool was_empty = weight_[s] == 0;
    if (is_added) {
      weight_[s] += weight;
      if (was_empty) add_event(s, 1);
    } else {
      if (weight_[s] == weight) add_event(s, -1);
      weight_[s] -= weight;
    }
  }
}

/// The new state of all switches upstream of s.
RouteState ChangingTree::state_behind(std::uint32_t s) const {
  if (out_[s] == nowhere) return at_end_[s] != 0 ? RouteState::arrives : RouteState::no_route;
  const std::uint32_t next = fabric_.channel_head()[out_[s]];
  return is_upstream_[next] != 0 ? RouteState::loop : state_[next];
}

/// The switches upstream of s form a tree again.
void ChangingTree::leave_loop(std::uint32_t s) {
  for (const std::uint32_t u : upstream_) weight_[u] = hosts_[u];
  for (std::size_t i = upstream_.size(); i > 1; --i) {
    const std::uint32_t u = upstream_[i - 1];
    weight_[fabric_.channel_head()[out_[u]]] += weight_[u];
  }
  for (const std::uint32_t u : upstream_) add_event(u, 1);
  move_weight(s, weight_[s], true);
}

/// Removes the dependencies that add_events_at(s) does not cover.
void ChangingTree::enter_loop(std::uint32_t s) {
  for (const std::uint32_t u : upstream_) {
    if (u != s && fabric_.channel_head()[out_[u]] != s) add_event(u, -1);
  }
}

}  // namespace pssp
