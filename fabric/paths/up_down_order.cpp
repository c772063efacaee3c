#include "fabric/paths/up_down_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "fabric/paths/hop_distances.h"

namespace pssp {
namespace {

std::vector<std::uint64_t> hops_to_endpoints(const Fabric& fabric) {
  std::vector<std::uint64_t> sum(fabric.switch_count(), 0);
  HopDistances distances(fabric);
  for (std::uint32_t t = 0; t < fabric.switch_count(); ++t) {
    const std::uint64_t endpoints = fabric.endpoints_per_switch()[t];
    if (endpoints == 0) continue;
    distances.search(SwitchId(t));
    for (const std::uint32_t s : distances.order()) sum[s] += endpoints * distances.distance()[s];
  }
  return sum;
}

std::vector<std::vector<std::uint32_t>> islands_of(const Fabric& fabric) {
  std::vector<std::vector<std::uint32_t>> islands;
  std::vector<std::uint8_t> is_known(fabric.switch_count(), 0);
  HopDistances distances(fabric);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (is_known[s] != 0) continue;
    distances.search(SwitchId(s));
    islands.emplace_back(distances.order().begin(), distances.order().end());
    for (const std::uint32_t other : islands.back()) is_known[other] = 1;
  }
  return islands;
}

}  // namespace

UpDownOrder::UpDownOrder(std::vector<std::uint32_t> highest_first)
    : highest_first_(std::move(highest_first)), place_(highest_first_.size()) {
  for (std::uint32_t i = 0; i < highest_first_.size(); ++i) place_[highest_first_[i]] = i;
}

void UpDownOrder::move_past(std::uint32_t s, std::uint32_t other) {
  const auto at = [this](std::uint32_t place) { return highest_first_.begin() + place; };
  const auto [first, last] = std::minmax({place_[s], place_[other]});  // copies
  if (place_[s] > place_[other]) {
    std::rotate(at(first), at(last), at(last + 1));
  } else {
    std::rotate(at(first), at(first + 1), at(last + 1));
  }
  for (std::uint32_t i = first; i <= last; ++i) place_[highest_first_[i]] = i;
}

bool is_summit(const Fabric& fabric, const UpDownOrder& order, std::uint32_t s) {
  const auto head = fabric.channel_head();
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    if (order.is_above(head[c], s)) return false;
  }
  return true;
}

UpDownOrder usable_order(const Fabric& fabric, std::span<const std::uint32_t> highest_first) {
  std::vector<std::uint32_t> place(fabric.switch_count());
  for (std::uint32_t i = 0; i < highest_first.size(); ++i) {
    if (highest_first[i] < place.size()) place[highest_first[i]] = i;
  }
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> is_waiting(fabric.switch_count(), 0);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> waiting;
  const auto wait = [&](std::uint32_t s) {
    if (is_waiting[s] == 0) waiting.push(place[s]);
    is_waiting[s] = 1;
  };
  for (const std::uint32_t highest : highest_first) {
    if (highest >= fabric.switch_count()) continue;
    wait(highest);
    while (!waiting.empty()) {
      const std::uint32_t s = highest_first[waiting.top()];
      waiting.pop();
      order.push_back(s);
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        wait(fabric.channel_head()[c]);
      }
    }
  }
  return UpDownOrder(std::move(order));
}

OrderGrower::OrderGrower(const Fabric& fabric, unsigned roots)
    : fabric_(fabric), hops_(hops_to_endpoints(fabric)) {
  for (const std::vector<std::uint32_t>& island : islands_of(fabric)) choose_roots(island, roots);
}

void OrderGrower::choose_roots(const std::vector<std::uint32_t>& island, std::size_t count) {
  const auto less_central = [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(hops_[a], a) < std::tie(hops_[b], b);
  };
  std::vector<std::uint32_t> roots{*std::min_element(island.begin(), island.end(), less_central)};
  std::vector<std::uint32_t> to_roots(fabric_.switch_count(), unreachable_distance);
  HopDistances distances(fabric_);
  while (roots.size() < std::min(count, island.size())) {
    distances.search(SwitchId(roots.back()));
    for (const std::uint32_t s : island) {
      to_roots[s] = std::min(to_roots[s], distances.distance()[s]);
    }
    const auto less_remote = [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(to_roots[a], hops_[a], b) < std::tie(to_roots[b], hops_[b], a);
    };
    roots.push_back(*std::max_element(island.begin(), island.end(), less_remote));
  }
  root_count_ = std::max(root_count_, roots.size());
  roots_.push_back(std::move(roots));
}

UpDownOrder OrderGrower::grow(std::size_t root, Growth growth) const {
  std::vector<std::uint32_t> order;
  for (const std::vector<std::uint32_t>& roots : roots_) {
    append(roots[std::min(root, roots.size() - 1)], growth, order);
  }
  return UpDownOrder(std::move(order));
}

/// Dijkstra's algorithm with a cost that depends on the growth: constant, the hops from the root,
/// or the time since the neighbor was ordered.
void OrderGrower::append(std::uint32_t root, Growth growth,
                         std::vector<std::uint32_t>& order) const {
  struct Waiting {
    std::int64_t measure;
    std::uint64_t hops;
    std::uint32_t at;
    bool operator>(const Waiting& other) const {
      return std::tie(measure, hops, at) > std::tie(other.measure, other.hops, other.at);
    }
  };
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  std::vector<std::uint8_t> is_ordered(fabric_.switch_count(), 0);
  waiting.push({0, hops_[root], root});
  while (!waiting.empty()) {
    const Waiting next = waiting.top();
    waiting.pop();
    if (is_ordered[next.at] != 0) continue;
    is_ordered[next.at] = 1;
    order.push_back(next.at);
    std::int64_t measure = 0;
    if (growth == Growth::near_first) measure = next.measure + 1;
    if (growth == Growth::deep_first) measure = -static_cast<std::int64_t>(order.size());
    const auto first = fabric_.first_channel();
    for (std::uint32_t c = first[next.at]; c < first[next.at + 1]; ++c) {
      const std::uint32_t other = fabric_.channel_head()[c];
      if (is_ordered[other] == 0) waiting.push({measure, hops_[other], other});
    }
  }
}

}  // namespace pssp
