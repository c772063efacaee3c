// The generator starts with a circulant graph, which is regular, simple and connected for any
// possible size and degree. It then repeatedly exchanges the far ends of two random links: a-b and
// c-d become a-d and c-b, unless this would create a loop or a parallel link. Exchanges keep all
// degrees. This random walk over all simple regular graphs converges to the uniform distribution
// (Cooper, Dyer, Greenhill: Sampling regular graphs and a peer-to-peer network, 2007); some tens of
// exchanges per link are usual. The walk continues until the graph is connected, which makes it
// uniform over the connected graphs. Drawing random pairings of link ends until the graph is simple
// would be hopeless for high degrees.

#include "topologies/random_regular.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "topologies/random.h"

namespace pssp {
namespace {

constexpr unsigned exchanges_per_link = 30;

class LinkWalk {
 public:
  LinkWalk(unsigned switches, unsigned degree) : degree_(degree) {
    neighbours_.reserve(std::size_t{switches} * degree);
    for (unsigned s = 0; s < switches; ++s) {
      for (unsigned step = 1; step <= degree / 2; ++step) {
        neighbours_.push_back((s + step) % switches);
        neighbours_.push_back((s + switches - step) % switches);
        links_.push_back({s, (s + step) % switches});
      }
      if (degree % 2 != 0) {
        neighbours_.push_back((s + switches / 2) % switches);
        if (s < switches / 2) links_.push_back({s, s + switches / 2});
      }
    }
  }

  std::size_t link_count() const { return links_.size(); }

  /// In no particular order.
  std::span<const unsigned> neighbours(unsigned s) const {
    return std::span(neighbours_).subspan(std::size_t{s} * degree_, degree_);
  }

  /// Tries this many exchanges.
  void exchange(Random& random, std::size_t times) {
    if (links_.size() < 2) return;
    for (std::size_t i = 0; i < times; ++i) {
      Link& first = links_[random.below(links_.size())];
      Link& second = links_[random.below(links_.size())];
      // Either end of the second link can be connected to either end of the first link.
      if (random.below(2) != 0) std::swap(second.a, second.b);
      if (first.a == second.b || second.a == first.b) continue;
      if (are_adjacent(first.a, second.b) || are_adjacent(second.a, first.b)) continue;
      replace(first.a, first.b, second.b);
      replace(first.b, first.a, second.a);
      replace(second.a, second.b, first.b);
      replace(second.b, second.a, first.a);
      std::swap(first.b, second.b);
    }
  }

  bool is_connected() const {
    const std::size_t switches = degree_ == 0 ? 1 : neighbours_.size() / degree_;
    std::vector<unsigned> pending{0};
    std::vector<bool> seen(switches);
    seen[0] = true;
    std::size_t found = 0;
    while (!pending.empty()) {
      const unsigned here = pending.back();
      pending.pop_back();
      ++found;
      for (const unsigned there : neighbours(here)) {
        if (seen[there]) continue;
        seen[there] = true;
        pending.push_back(there);
      }
    }
    return found == switches;
  }

 private:
  struct Link {
    unsigned a, b;
  };

  bool are_adjacent(unsigned a, unsigned b) const {
    const std::span<const unsigned> list = neighbours(a);
    return std::find(list.begin(), list.end(), b) != list.end();
  }
  void replace(unsigned s, unsigned old_neighbour, unsigned new_neighbour) {
    const auto first = neighbours_.begin() + static_cast<std::ptrdiff_t>(std::size_t{s} * degree_);
    *std::find(first, first + degree_, old_neighbour) = new_neighbour;
  }

  unsigned degree_;
  std::vector<unsigned> neighbours_;  // degree_ entries per switch
  std::vector<Link> links_;
};

void check(const RandomRegularParameters& p) {
  const std::string what =
      fmt::format("random graph of {} switches of degree {}", p.switches, p.degree);
  const auto refuse = [&what](std::string_view reason) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", what, reason));
  };
  require_lid_space(what, p.switches, saturating_product(p.switches, p.hosts));
  if (p.switches == 0) refuse("at least one switch is needed");
  if (p.degree >= p.switches)
    refuse("there are too few other switches for this degree; choose a smaller degree");
  if (std::uint64_t{p.switches} * p.degree % 2 != 0) {
    refuse("the number of link ends is odd; make the switches or the degree even");
  }
  if ((p.degree == 0 && p.switches > 1) || (p.degree == 1 && p.switches > 2)) {
    refuse("the graph cannot be connected; choose a degree of at least 2");
  }
  if (p.hosts + std::uint64_t{p.degree} > max_port_number) {
    refuse(
        fmt::format("a switch with {} hosts needs more than {} ports", p.hosts, max_port_number));
  }
}

}  // namespace

CablingPlan make_random_regular(const RandomRegularParameters& parameters, std::uint64_t seed) {
  check(parameters);
  LinkWalk walk(parameters.switches, parameters.degree);
  Random random(seed, RandomPurpose::graph);
  walk.exchange(random, exchanges_per_link * walk.link_count());
  while (!walk.is_connected()) walk.exchange(random, walk.link_count());

  CablingPlan plan;
  std::vector<PlanNodeId> ids;
  for (unsigned s = 0; s < parameters.switches; ++s) {
    const std::string place = fmt::format("switch {}", s + 1);
    ids.push_back(plan.add_switch(std::max(1U, parameters.hosts + parameters.degree), place));
    for (unsigned host = 1; host <= parameters.hosts; ++host) {
      plan.add_host({ids.back(), host}, fmt::format("{} host {}", place, host));
    }
  }
  std::vector<std::vector<unsigned>> sorted;
  for (unsigned s = 0; s < parameters.switches; ++s) {
    const std::span<const unsigned> unsorted = walk.neighbours(s);
    std::vector<unsigned>& list = sorted.emplace_back(unsorted.begin(), unsorted.end());
    std::sort(list.begin(), list.end());
  }
  // Ports to other switches are in the order of the switch numbers.
  const auto port = [&](unsigned from, unsigned to) {
    const auto at = std::lower_bound(sorted[from].begin(), sorted[from].end(), to);
    return parameters.hosts + 1 + static_cast<unsigned>(at - sorted[from].begin());
  };
  for (unsigned a = 0; a < parameters.switches; ++a) {
    for (const unsigned b : sorted[a]) {
      if (a < b) plan.connect({ids[a], port(a, b)}, {ids[b], port(b, a)});
    }
  }
  return plan;
}

}  // namespace pssp
