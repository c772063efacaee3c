// The flows that leave a switch get at most the capacity of its output channels, and a channel
// without flows carries nothing. A switch sends each destination over one of its channels,
// independent of the source; so the destinations outside fall into one class per channel, and for
// random destinations, the number of flows in a class is hypergeometric. The load of a class,
// min(capacity, flows * rate of a host), is concave in the size of the class; so the best division
// is the even one, or for different rates the one that assigns each destination to the channel that
// gains most.
//
// The number of flows that leave the switch is random, too: a bisection is a random perfect
// matching with random directions. Its hosts are matched one after the other, which gives the
// distribution without factorials.

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "evaluator/metrics/ceiling.h"

namespace pssp {
namespace {

/// The relevant properties of a switch: equal switches are computed once.
struct Kind {
  std::size_t hosts = 0;
  double host_rate = 0;              // the fastest
  std::vector<double> capacities{};  // of its channels, ascending
  // NOLINTNEXTLINE(modernize-use-nullptr): the comparison with 0 is the compiler's own
  friend auto operator<=>(const Kind&, const Kind&) = default;
};

using Distribution = std::vector<double>;

/// Distribution of the number of pairs with one end among `marked` of `all` points, all of them
/// matched.
Distribution crossing_pairs(std::size_t marked, std::size_t all) {
  // by remaining marked points, then by pairs so far
  std::vector<Distribution> left(marked + 1, Distribution(marked + 1, 0.0));
  left[marked][0] = 1;
  for (std::size_t r = marked; r > 0; --r) {
    for (std::size_t crossing = 0; crossing + r <= marked; ++crossing) {
      const double here = left[r][crossing];
      const std::size_t outside = all - marked - crossing;
      if (here == 0 || r - 1 + outside == 0) continue;
      const double within = static_cast<double>(r - 1) / static_cast<double>(r - 1 + outside);
      if (r >= 2) left[r - 2][crossing] += here * within;
      if (outside > 0) left[r - 1][crossing + 1] += here * (1 - within);
    }
  }
  return left[0];
}

/// Adds the distribution of the flows out of a switch times `weight`, and returns the mean number
/// of flows inside the switch.
double add_leaving(std::size_t hosts, std::size_t all, double weight, Distribution& leaving) {
  const Distribution crossing = crossing_pairs(hosts, all);
  double inside = 0;
  for (std::size_t pairs = 0; pairs < crossing.size(); ++pairs) {
    if (crossing[pairs] == 0) continue;
    inside += weight * crossing[pairs] * static_cast<double>(hosts - pairs) / 2;
    double coins = weight * crossing[pairs];  // that none of them leaves
    for (std::size_t i = 0; i < pairs; ++i) coins /= 2;
    for (std::size_t out = 0; out <= pairs; ++out) {
      leaving[out] += coins;
      coins *= static_cast<double>(pairs - out) / static_cast<double>(out + 1);
    }
  }
  return inside;
}

/// Mean load of a channel with `size` of the `outside` destinations.
double carried(double capacity, double host_rate, std::size_t size, std::size_t outside,
               const Distribution& leaving) {
  double sum = 0;
  for (std::size_t flows = 1; flows < leaving.size() && flows <= outside; ++flows) {
    if (leaving[flows] == 0) continue;
    // P(0 flows in the class), then P(1) ... while the channel is not full.
    double probability = 1;
    for (std::size_t i = 0; i < flows; ++i) {
      if (outside - size < i + 1) probability = 0;
      probability *= static_cast<double>(outside - size - std::min(i, outside - size)) /
                     static_cast<double>(outside - i);
    }
    double unused = 0;
    if (probability == 0) {
      // Some flow is certainly in the class; the bound stays valid without the exact numbers.
      sum += leaving[flows] * std::min(capacity, static_cast<double>(flows) * host_rate);
      continue;
    }
    for (std::size_t x = 0; x <= flows; ++x) {
      const double load = static_cast<double>(x) * host_rate;
      if (load >= capacity) break;
      unused += probability * (capacity - load);
      // From x to x + 1 flows of the class.
      if (size < x + 1 || flows < x + 1) break;
      const double others =
          static_cast<double>(outside - size) - static_cast<double>(flows - x) + 1;
      probability *= static_cast<double>(size - x) * static_cast<double>(flows - x) /
                     (static_cast<double>(x + 1) * others);
    }
    sum += leaving[flows] * (capacity - unused);
  }
  return sum;
}

/// Mean total load if the destinations are divided optimally over channels of different capacities.
double best_division(const Kind& kind, std::size_t outside, const Distribution& leaving) {
  // Channels of equal capacity get equal numbers, to within one.
  std::map<double, std::size_t> channels;
  for (const double capacity : kind.capacities) ++channels[capacity];
  if (channels.size() == 1) {
    const std::size_t count = kind.capacities.size();
    const std::size_t more = outside % count;
    const auto of = [&](std::size_t size) {
      return carried(kind.capacities.front(), kind.host_rate, size, outside, leaving);
    };
    return static_cast<double>(more) * of(outside / count + 1) +
           static_cast<double>(count - more) * of(outside / count);
  }
  struct Group {
    double capacity;
    std::size_t channels, size = 0, larger = 0;  // `larger` of them have size + 1
    double now = 0, next = 0;
  };
  std::vector<Group> groups;
  groups.reserve(channels.size());
  for (const auto& [capacity, count] : channels) {
    groups.push_back(
        {capacity, count, 0, 0, 0, carried(capacity, kind.host_rate, 1, outside, leaving)});
  }
  for (std::size_t i = 0; i < outside; ++i) {
    Group& best = *std::ranges::max_element(
        groups, {}, [](const Group& group) { return group.next - group.now; });
    if (++best.larger < best.channels) continue;
    best.larger = 0;
    ++best.size;
    best.now = best.next;
    if (best.size < outside)
      best.next = carried(best.capacity, kind.host_rate, best.size + 1, outside, leaving);
  }
  double sum = 0;
  for (const Group& group : groups) {
    sum += static_cast<double>(group.channels - group.larger) * group.now +
           static_cast<double>(group.larger) * group.next;
  }
  return sum;
}

/// Mean bandwidth, summed over the flows that its hosts send in a bisection of `all` hosts.
double sent_by(const Kind& kind, std::size_t all) {
  Distribution leaving(kind.hosts + 1, 0.0);
  double inside = 0;
  if (all % 2 == 0) {
    inside = add_leaving(kind.hosts, all, 1, leaving);
  } else {
    const double left_out = static_cast<double>(kind.hosts) / static_cast<double>(all);
    inside = add_leaving(kind.hosts - 1, all - 1, left_out, leaving);
    if (kind.hosts < all) inside += add_leaving(kind.hosts, all - 1, 1 - left_out, leaving);
  }
  double sum = inside * kind.host_rate;
  if (!kind.capacities.empty() && kind.hosts < all) {
    sum += best_division(kind, all - kind.hosts, leaving);
  }
  return sum;
}

}  // namespace

double one_stage_ceiling(const Fabric& fabric) {
  std::vector<Kind> switches(fabric.switch_count());
  for (const EndPortId host : fabric.endpoints()) {
    Kind& kind = switches[fabric.end_port(host).attached.value()];
    ++kind.hosts;
    kind.host_rate = std::max(kind.host_rate, 1 / fabric.end_port_cost(host));
  }
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    switches[fabric.channel_tail()[c]].capacities.push_back(1 / fabric.channel_cost()[c]);
  }
  std::map<Kind, double> known;
  const std::size_t all = fabric.endpoints().size();
  double sum = 0;
  for (Kind& kind : switches) {
    if (kind.hosts == 0) continue;
    std::ranges::sort(kind.capacities);
    const auto [place, is_new] = known.try_emplace(kind, 0.0);
    if (is_new) place->second = sent_by(kind, all);
    sum += place->second;
  }
  const std::size_t flows = all / 2;
  return sum / static_cast<double>(flows);
}

std::optional<Ceiling> bandwidth_ceiling(const Fabric& fabric, const CeilingOptions& options) {
  if (fabric.endpoints().size() < 2) return std::nullopt;
  Ceiling ceiling;
  if (options.one_lid) ceiling.one_stage = one_stage_ceiling(fabric);
  if (options.effort != 0) ceiling.adaptive = adaptive_ceiling(fabric, options);
  return ceiling;
}

}  // namespace pssp
