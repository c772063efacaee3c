// Three kinds of switches that ignore forwarding tables and use all ports of minimal paths.
//
// flow: flows are placed one after the other, in a random order from the seed; at each switch, each
// flow takes the port with the least load so far, of equal ports a random one. This is local
// knowledge: load farther along the path is not considered.
//
// hash: a flow is divided into equal parts, and each part takes a random port at each switch, as
// with hash functions of headers. Loads count parts as integers, so that sums do not depend on the
// order, and one part counts exactly as one flow.
//
// spray: the packets of a flow divide evenly over all ports at each switch. All flows to one switch
// divide alike after they meet, so they are followed together, from the farthest switch to the
// nearest; in the reverse order, the fullest link behind each switch is found.
//
// A level can consist of several blocks, which are all added and then looked up in the same order.
// The random choices of a flow depend on its index in the level, so parts are drawn again instead
// of being stored; the paths of `flow` depend on all earlier flows, and are stored.

#include "evaluator/flows/adaptive_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/printable.h"
#include "base/random.h"

namespace pssp {
namespace {

constexpr std::uint64_t purpose_of_levels = 0x61646170;  // "adap"
constexpr std::uint64_t purpose_of_order = 1;
constexpr std::uint64_t purpose_of_parts = 2;
constexpr double no_bandwidth = std::numeric_limits<double>::infinity();

std::uint32_t parse_parts(std::string_view text) {
  std::uint32_t parts = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), parts);
  if (failure == std::errc() && end == text.data() + text.size() && parts >= 1 &&
      parts <= AdaptiveChoice::most_parts) {
    return parts;
  }
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "--adaptive hash:{}: expected hash:Q, with the number of parts of each flow, 1 to {}",
          excerpt(text), AdaptiveChoice::most_parts));
}

void add_choice(std::string_view word, std::vector<AdaptiveChoice>& choices) {
  constexpr std::string_view hash_of = "hash:";
  if (word == "flow") {
    choices.push_back({AdaptiveRule::flow});
  } else if (word == "spray") {
    choices.push_back({AdaptiveRule::spray});
  } else if (word == "hash" || word.starts_with(hash_of)) {
    const std::uint32_t parts = word == "hash" ? 1 : parse_parts(word.substr(hash_of.size()));
    choices.push_back({AdaptiveRule::hash, parts});
    if (parts > 1) choices.push_back({AdaptiveRule::hash, parts, true});
  } else {
    throw Error(ErrorKind::usage,
                fmt::format("--adaptive: '{}' is not supported; expected flow, spray or hash:Q, or "
                            "several of them separated by commas",
                            excerpt(word)));
  }
}

}  // namespace

std::vector<AdaptiveChoice> parse_adaptive_choices(std::string_view text) {
  std::vector<AdaptiveChoice> choices;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    add_choice(text.substr(begin, end - begin), choices);
    begin = end + 1;
  }
  for (auto each = choices.begin(); each != choices.end(); ++each) {
    if (std::count(choices.begin(), each, *each) == 0) continue;
    throw Error(ErrorKind::usage, fmt::format("--adaptive: '{}' is named twice", name_of(*each)));
  }
  return choices;
}

std::string name_of(const AdaptiveChoice& choice) {
  if (choice.rule == AdaptiveRule::flow) return "flow";
  if (choice.rule == AdaptiveRule::spray) return "spray";
  return fmt::format("hash:{}{}", choice.parts, choice.slowest_part ? ", slowest part" : "");
}

AdaptiveLoads::AdaptiveLoads(const AdaptiveRoutes& routes, HostLinks host_links)
    : routes_(routes),
      host_links_(host_links),
      units_(routes.choice.parts),
      load_(routes.channel_count()),
      sent_(routes.endpoint_count()),
      received_(routes.endpoint_count()) {
  if (routes.choice.rule != AdaptiveRule::spray) return;
  at_switch_.resize(routes.paths.switch_count());
  is_on_path_.resize(routes.paths.switch_count());
}

void AdaptiveLoads::begin_level(std::uint64_t seed, std::uint64_t run, std::uint32_t level) {
  std::ranges::fill(load_, 0.0);
  std::ranges::fill(sent_, 0U);
  std::ranges::fill(received_, 0U);
  seed_ = mix64(random_stream(seed, purpose_of_levels, run)() + level);
  added_ = looked_up_ = 0;
  forget_paths(0);
}

void AdaptiveLoads::forget_paths(std::uint64_t first_flow) {
  first_kept_ = first_flow;
  paths_.clear();
  channels_.clear();
}

/// A flow without a path adds to no link.
void AdaptiveLoads::add_host_links(std::span<const Flow> flows) {
  const ShortestPorts& paths = routes_.paths;
  for (const Flow& flow : flows) {
    const std::uint32_t target = paths.target_of(flow.destination);
    if (paths.hops(target, paths.switch_of(flow.source)) == ShortestPorts::unreached) continue;
    ++sent_[flow.source];
    ++received_[flow.destination];
  }
}

/// Follows a flow to its destination; `choose` selects one of several ports.
template <class Choose>
AdaptiveLoads::PathChoice AdaptiveLoads::walk(Flow flow, Choose choose) {
  const ShortestPorts& paths = routes_.paths;
  const std::uint32_t target = paths.target_of(flow.destination);
  std::uint32_t at = paths.switch_of(flow.source);
  const std::uint16_t hops = paths.hops(target, at);
  if (hops == ShortestPorts::unreached) return {.is_blocked = true};
  const PathChoice path{channels_.size(), hops};
  for (std::uint16_t hop = 0; hop < hops; ++hop) {
    const std::span<const std::uint32_t> ports = paths.ports(target, at);
    const std::uint32_t channel = ports.size() == 1 ? ports.front() : choose(ports);
    channels_.push_back(channel);
    at = paths.head(channel);
  }
  return path;
}

void AdaptiveLoads::choose_least_loaded(std::span<const Flow> flows) {
  RandomGenerator random = random_stream(seed_, purpose_of_order, added_);
  const std::vector<std::uint32_t> order =
      random_permutation(static_cast<std::uint32_t>(flows.size()), random);
  const auto least_loaded = [&](std::span<const std::uint32_t> ports) {
    std::uint32_t chosen = ports.front();
    double least = no_bandwidth;
    std::uint32_t equal = 0;
    for (const std::uint32_t port : ports) {
      const double load = load_[port] * routes_.paths.channel_cost(port);
      if (load > least) continue;
      equal = load < least ? 1 : equal + 1;
      least = load;
      if (equal == 1 || random.below(equal) == 0) chosen = port;
    }
    return chosen;
  };
  const std::size_t before = paths_.size();
  paths_.resize(before + flows.size());
  for (const std::uint32_t place : order) {
    const PathChoice path = walk(flows[place], least_loaded);
    for (std::uint32_t hop = 0; hop < path.hops; ++hop) load_[channels_[path.first + hop]] += 1;
    paths_[before + place] = path;
  }
}

void AdaptiveLoads::draw_paths(std::span<const Flow> flows, std::uint64_t first_flow) {
  forget_paths(first_flow);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    RandomGenerator random = random_stream(seed_, purpose_of_parts, first_flow + i);
    const auto any = [&random](std::span<const std::uint32_t> ports) {
      return ports[random.below(static_cast<std::uint32_t>(ports.size()))];
    };
    for (std::uint32_t part = 0; part < routes_.choice.parts; ++part)
      paths_.push_back(walk(flows[i], any));
  }
}

void AdaptiveLoads::add(std::span<const Flow> flows) {
  switch (routes_.choice.rule) {
    case AdaptiveRule::flow:
      choose_least_loaded(flows);
      break;
    case AdaptiveRule::hash:
      draw_paths(flows, added_);
      for (const std::uint32_t channel : channels_) load_[channel] += 1;
      break;
    case AdaptiveRule::spray:
      by_target(flows, [&](std::uint32_t target, std::span<const std::uint32_t> positions) {
        spread(target, flows, positions);
      });
      break;
  }
  add_host_links(flows);
  added_ += flows.size();
}

double AdaptiveLoads::of_hosts(Flow flow) const {
  if (host_links_ == HostLinks::left_out) return 0;
  return std::max(sent_[flow.source] * routes_.paths.endpoint_cost(flow.source),
                  received_[flow.destination] * routes_.paths.endpoint_cost(flow.destination));
}

double AdaptiveLoads::of_path(const PathChoice& path, double hosts) const {
  if (path.is_blocked) return no_bandwidth;
  double largest = hosts;
  for (std::uint32_t hop = 0; hop < path.hops; ++hop) {
    const std::uint32_t channel = channels_[path.first + hop];
    largest = std::max(largest, load(channel) * routes_.paths.channel_cost(channel));
  }
  return largest == 0 ? 1 : largest;
}

/// Identical parts give exactly the result of an undivided flow.
double AdaptiveLoads::of_parts(std::span<const PathChoice> parts, double hosts) const {
  double best = no_bandwidth;
  double worst = 0;
  double bandwidth = 0;
  for (const PathChoice& part : parts) {
    const double congestion = of_path(part, hosts);
    best = std::min(best, congestion);
    worst = std::max(worst, congestion);
    bandwidth += 1 / congestion;
  }
  if (routes_.choice.slowest_part || best == worst) return worst;
  return static_cast<double>(parts.size()) / bandwidth;
}

void AdaptiveLoads::congestion(std::span<const Flow> flows, std::span<double> result) {
  const std::uint64_t first = looked_up_;
  looked_up_ += flows.size();
  if (routes_.choice.rule == AdaptiveRule::spray) {
    by_target(flows, [&](std::uint32_t target, std::span<const std::uint32_t> positions) {
      look_up(target, flows, positions, result);
    });
    return;
  }
  const std::size_t parts = routes_.choice.parts;
  const bool is_kept = first >= first_kept_ && (looked_up_ - first_kept_) * parts <= paths_.size();
  if (!is_kept) draw_paths(flows, first);
  const std::span<const PathChoice> paths =
      std::span<const PathChoice>(paths_).subspan((first - first_kept_) * parts);
  for (std::size_t i = 0; i < flows.size(); ++i)
    result[i] = of_parts(paths.subspan(i * parts, parts), of_hosts(flows[i]));
}

/// Calls work(target, ascending indices of the flows to it).
template <class Work>
void AdaptiveLoads::by_target(std::span<const Flow> flows, Work work) {
  const ShortestPorts& paths = routes_.paths;
  first_of_target_.assign(paths.target_count() + std::size_t{1}, 0);
  for (const Flow& flow : flows) ++first_of_target_[paths.target_of(flow.destination) + 1];
  std::partial_sum(first_of_target_.begin(), first_of_target_.end(), first_of_target_.begin());
  positions_.resize(flows.size());
  std::vector<std::uint32_t> next(first_of_target_.begin(), first_of_target_.end() - 1);
  for (std::uint32_t i = 0; i < flows.size(); ++i)
    positions_[next[paths.target_of(flows[i].destination)]++] = i;
  for (std::uint32_t target = 0; target < paths.target_count(); ++target) {
    const std::uint32_t first = first_of_target_[target];
    const std::uint32_t count = first_of_target_[target + 1] - first;
    if (count != 0) work(target, std::span<const std::uint32_t>(positions_).subspan(first, count));
  }
}

/// Collects all switches on paths of these flows in switches_by_hops_.
void AdaptiveLoads::find_switches_on_paths(std::uint32_t target, std::span<const Flow> flows,
                                           std::span<const std::uint32_t> positions) {
  const ShortestPorts& paths = routes_.paths;
  for (auto& switches : switches_by_hops_) switches.clear();
  const auto note = [&](std::uint32_t s, std::size_t hops) {
    if (is_on_path_[s] != 0) return;
    is_on_path_[s] = 1;
    if (switches_by_hops_.size() <= hops) switches_by_hops_.resize(hops + 1);
    switches_by_hops_[hops].push_back(s);
  };
  for (const std::uint32_t place : positions) {
    const std::uint32_t from = paths.switch_of(flows[place].source);
    const std::uint16_t hops = paths.hops(target, from);
    if (hops != ShortestPorts::unreached) note(from, hops);
  }
  for (std::size_t hops = switches_by_hops_.size(); hops-- > 1;) {
    for (const std::uint32_t s : switches_by_hops_[hops]) {
      for (const std::uint32_t port : paths.ports(target, s)) note(paths.head(port), hops - 1);
    }
  }
  for (const auto& switches : switches_by_hops_) {
    for (const std::uint32_t s : switches) is_on_path_[s] = 0;
  }
}

void AdaptiveLoads::spread(std::uint32_t target, std::span<const Flow> flows,
                           std::span<const std::uint32_t> positions) {
  const ShortestPorts& paths = routes_.paths;
  find_switches_on_paths(target, flows, positions);
  for (const std::uint32_t place : positions) at_switch_[paths.switch_of(flows[place].source)] += 1;
  for (std::size_t hops = switches_by_hops_.size(); hops-- > 1;) {
    for (const std::uint32_t s : switches_by_hops_[hops]) {
      const std::span<const std::uint32_t> ports = paths.ports(target, s);
      const double share = at_switch_[s] / static_cast<double>(ports.size());
      for (const std::uint32_t port : ports) {
        load_[port] += share;
        at_switch_[paths.head(port)] += share;
      }
    }
  }
  for (const std::uint32_t place : positions) at_switch_[paths.switch_of(flows[place].source)] = 0;
  for (const auto& switches : switches_by_hops_) {
    for (const std::uint32_t s : switches) at_switch_[s] = 0;
  }
}

void AdaptiveLoads::look_up(std::uint32_t target, std::span<const Flow> flows,
                            std::span<const std::uint32_t> positions, std::span<double> result) {
  const ShortestPorts& paths = routes_.paths;
  find_switches_on_paths(target, flows, positions);
  for (std::size_t hops = 1; hops < switches_by_hops_.size(); ++hops) {
    for (const std::uint32_t s : switches_by_hops_[hops]) {
      double& worst = at_switch_[s];
      for (const std::uint32_t port : paths.ports(target, s)) {
        worst =
            std::max({worst, load_[port] * paths.channel_cost(port), at_switch_[paths.head(port)]});
      }
    }
  }
  for (const std::uint32_t place : positions) {
    const std::uint32_t from = paths.switch_of(flows[place].source);
    const bool is_blocked = paths.hops(target, from) == ShortestPorts::unreached;
    const double largest = std::max(at_switch_[from], of_hosts(flows[place]));
    result[place] = is_blocked ? no_bandwidth : largest == 0 ? 1 : largest;
  }
  for (const auto& switches : switches_by_hops_) {
    for (const std::uint32_t s : switches) at_switch_[s] = 0;
  }
}

}  // namespace pssp
