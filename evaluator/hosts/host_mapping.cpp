// A random selection in random order is the beginning of a Fisher-Yates shuffle of all hosts. A
// selection by an order is made once, in the constructor. The first pattern of ptrnvsptrn may then
// select its hosts among the selected ones; if it selects randomly among hosts in random order,
// there is nothing to do.
//
// Differences from ORCS: `random` selects again in every run, ORCS once; fixed hosts belong to the
// selection, ORCS drops those outside it; the first part may use breadth-first order with any
// selection of all hosts.

#include "evaluator/hosts/host_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

/// Randomly selects hosts[first .. last - 1] from hosts[first .. end - 1], in random order.
void choose(std::vector<std::uint32_t>& hosts, std::uint32_t first, std::uint32_t last,
            std::uint32_t end, RandomGenerator& random) {
  for (std::uint32_t i = first; i < last; ++i) {
    std::swap(hosts[i], hosts[i + random.below(end - i)]);
  }
}

/// For each endpoint whether it is in `hosts`.
std::vector<std::uint8_t> marks(std::span<const std::uint32_t> hosts, std::size_t endpoints) {
  std::vector<std::uint8_t> marked(endpoints, 0);
  for (const std::uint32_t host : hosts) marked[host] = 1;
  return marked;
}

void check_fixed(std::span<const std::uint32_t> fixed, std::size_t endpoints) {
  std::vector<std::uint8_t> seen(endpoints, 0);
  for (const std::uint32_t host : fixed) {
    if (host >= endpoints) {
      refuse(
          fmt::format("unknown host number {} for one of the first ranks; the fabric has {} hosts",
                      host, endpoints));
    }
    if (seen[host]++ != 0) {
      refuse(fmt::format("host number {} is assigned to two of the first ranks", host));
    }
  }
}

std::string_view text_for(HostSelection selection) {
  switch (selection) {
    case HostSelection::random:
      return "chosen at random";
    case HostSelection::linear_bfs:
      return "by breadth-first search";
    case HostSelection::guid_ascending:
      return "by ascending GUID";
    case HostSelection::guid_descending:
      return "by descending GUID";
  }
  return "";
}

}  // namespace

std::string to_text(const HostMappingOptions& options, const std::string& fixed_by) {
  std::string words(text_for(options.selection));
  if (options.selection_of_first) {
    words += fmt::format(", those of the first pattern {}", text_for(*options.selection_of_first));
  }
  if (!fixed_by.empty()) words += ", the first by " + fixed_by;
  return words + (options.shuffle ? ", shuffled in every run" : ", the same in every run");
}

HostMapping::HostMapping(const Fabric& fabric, const HostMappingOptions& options)
    : endpoints_(static_cast<std::uint32_t>(fabric.endpoints().size())),
      ranks_(options.ranks == 0 ? endpoints_ : options.ranks),
      random_(options.selection == HostSelection::random),
      shuffle_(options.shuffle) {
  if (ranks_ > endpoints_) {
    refuse(fmt::format("a communicator of {} ranks does not fit a fabric of {} hosts", ranks_,
                       endpoints_));
  }
  if (options.fixed_first.size() > ranks_) {
    refuse(
        fmt::format("{} hosts are assigned to the first ranks of a communicator of {} ranks; "
                    "specify fewer hosts, or a larger communicator",
                    options.fixed_first.size(), ranks_));
  }
  check_fixed(options.fixed_first, endpoints_);
  fixed_ = first_part_ = static_cast<std::uint32_t>(options.fixed_first.size());
  order_ = options.fixed_first;
  const std::vector<std::uint8_t> is_fixed = marks(order_, endpoints_);
  for (const std::uint32_t host : host_order(fabric, options.selection)) {
    if (is_fixed[host] == 0) order_.push_back(host);
  }
  if (!random_) order_.resize(ranks_);

  if (!options.selection_of_first) return;
  if (options.ranks_of_first > ranks_) {
    refuse(fmt::format("the first pattern has {} ranks, the communicator only {}",
                       options.ranks_of_first, ranks_));
  }
  const bool picks_at_random = *options.selection_of_first == HostSelection::random;
  if (picks_at_random && (random_ || shuffle_)) return;
  first_part_ = std::max(fixed_, options.ranks_of_first);
  if (!picks_at_random) first_part_order_ = host_order(fabric, *options.selection_of_first);
}

void HostMapping::place_first_part(Hosts& hosts, RandomGenerator& random) const {
  const std::size_t wanted = first_part_ - fixed_;
  const auto free = std::span(hosts).subspan(fixed_);
  Hosts picked;
  if (first_part_order_.empty()) {
    picked.assign(free.begin(), free.end());
    choose(picked, 0, static_cast<std::uint32_t>(wanted), static_cast<std::uint32_t>(picked.size()),
           random);
    picked.resize(wanted);
  } else {
    const std::vector<std::uint8_t> chosen = marks(free, endpoints_);
    for (auto next = first_part_order_.begin(); picked.size() < wanted; ++next) {
      if (chosen[*next] != 0) picked.push_back(*next);
    }
  }
  const std::vector<std::uint8_t> is_picked = marks(picked, endpoints_);
  std::stable_partition(free.begin(), free.end(),
                        [&is_picked](std::uint32_t host) { return is_picked[host] != 0; });
  std::ranges::copy(picked, free.begin());
}

void HostMapping::draw(std::uint64_t seed, std::uint64_t run, Hosts& hosts) const {
  hosts = order_;
  // Patterns use the odd streams.
  RandomGenerator random(seed, shuffle_ ? 2 * run : 0);
  if (random_) {
    choose(hosts, fixed_, ranks_, static_cast<std::uint32_t>(hosts.size()), random);
    hosts.resize(ranks_);
  }
  if (first_part_ > fixed_) place_first_part(hosts, random);
  if (!shuffle_) return;
  choose(hosts, fixed_, first_part_, first_part_, random);
  // After a random selection, the remaining hosts are already in random order.
  if (!random_) choose(hosts, first_part_, ranks_, ranks_, random);
}

}  // namespace pssp
