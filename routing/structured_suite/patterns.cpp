// Every pattern is a function that computes the flows of a phase from its number, so only one phase
// is in memory at a time. All shifts of 46,656 hosts would have two billion flows.
//
// Sampling takes every seventh phase, starting with the first. Seven has no common factor with the
// sizes of most switches and pods, so the sample crosses their boundaries as often as all phases
// do. If every seventh phase is still too much work, sampling takes every eleventh phase, and so on
// through the prime numbers.

#include "routing/structured_suite/patterns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/servers.h"

namespace pssp {
namespace {

constexpr std::size_t most_leaf_pairs = 4096;

using Flows = std::vector<HostFlow>;
/// Appends the flows of phase `number`, 0 .. phases - 1.
using PhaseRule = std::function<void(std::size_t number, Flows&)>;
using Groups = std::vector<std::vector<std::uint32_t>>;

void add(Flows& flows, std::size_t from, std::size_t to) {
  if (from != to) {
    flows.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
  }
}

/// Largest integer whose square is at most n.
std::size_t square_root(std::size_t n) {
  auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while ((root + 1) * (root + 1) <= n) ++root;
  return root;
}

/// Largest integer whose cube is at most n; the floating-point cube root of 64 may be 3.999...
std::size_t cube_root(std::size_t n) {
  auto root = static_cast<std::size_t>(std::cbrt(static_cast<double>(n)));
  while (root * root * root > n) --root;
  while ((root + 1) * (root + 1) * (root + 1) <= n) ++root;
  return root;
}

/// Collects patterns, except patterns without a phase.
class PatternList {
 public:
  /// `step`: for patterns that are sampled.
  explicit PatternList(std::size_t step) : step_(step) {}

  void add(std::string_view name, std::size_t phases, bool in_summary, PhaseRule rule,
           bool beside_summary = false) {
    add_stepwise(name, phases, 1, {in_summary, beside_summary}, std::move(rule));
  }
  /// For patterns that are sampled on large fabrics.
  void add_long(std::string_view name, std::size_t phases, bool in_summary, PhaseRule rule,
                bool beside_summary = false) {
    add_stepwise(name, phases, step_, {in_summary, beside_summary}, std::move(rule));
  }

  std::vector<TrafficPattern> take() { return std::move(patterns_); }

 private:
  /// The figures to which a pattern contributes, as in TrafficPattern.
  struct Counts {
    bool in_summary;
    bool beside_summary;
  };

  void add_stepwise(std::string_view name, std::size_t phases, std::size_t step, Counts counts,
                    PhaseRule rule) {
    if (phases == 0) return;
    TrafficPattern pattern{
        name, (phases + step - 1) / step, step > 1, counts.in_summary, counts.beside_summary, {}};
    pattern.visit = [phases, step, rule = std::move(rule)](const PhaseVisitor& visitor) {
      Flows flows;
      for (std::size_t number = 0; number < phases; number += step) {
        flows.clear();
        rule(number, flows);
        visitor(flows);
      }
    };
    patterns_.push_back(std::move(pattern));
  }

  std::size_t step_;
  std::vector<TrafficPattern> patterns_;
};

void add_shifts(PatternList& list, std::size_t n) {
  list.add_long("shifts", n < 2 ? 0 : n - 1, true, [n](std::size_t number, Flows& flows) {
    for (std::size_t i = 0; i < n; ++i) add(flows, i, (i + number + 1) % n);
  });
}

void add_recursive_doubling(PatternList& list, std::size_t n) {
  if (n < 2) return;
  const std::size_t p = std::bit_floor(n);
  list.add("recursive_doubling", static_cast<std::size_t>(std::countr_zero(p)), true,
           [p](std::size_t level, Flows& flows) {
             for (std::size_t i = 0; i < p; ++i) add(flows, i, i ^ (std::size_t{1} << level));
           });
}

/// Each host sends to its next and then to its previous neighbor along each dimension of a torus.
/// `sizes` begins with the dimension that varies fastest. A dimension of size 1 has no neighbors.
void add_stencil(PatternList& list, std::string_view name, const std::vector<std::size_t>& sizes) {
  struct Direction {
    std::size_t stride;
    std::size_t size;
    std::size_t step;  // modulo size
  };
  std::vector<Direction> directions;
  std::size_t hosts = 1;
  for (const std::size_t size : sizes) {
    if (size >= 2) {
      directions.push_back({hosts, size, 1});
      directions.push_back({hosts, size, size - 1});
    }
    hosts *= size;
  }
  list.add(name, directions.size(), true, [directions, hosts](std::size_t number, Flows& flows) {
    const Direction along = directions[number];
    for (std::size_t i = 0; i < hosts; ++i) {
      const std::size_t place = i / along.stride % along.size;
      const std::size_t next = (place + along.step) % along.size;
      add(flows, i, i + next * along.stride - place * along.stride);
    }
  });
}

void add_stencils(PatternList& list, std::size_t n) {
  if (n == 0) return;
  const std::size_t side = square_root(n);
  add_stencil(list, "stencil_2d", {side, n / side});
  const std::size_t edge = cube_root(n);
  add_stencil(list, "stencil_3d", {edge, edge, n / (edge * edge)});
}

void add_jobs(PatternList& list, std::size_t n) {
  constexpr std::size_t jobs = 4;
  const std::size_t size = n / jobs;
  list.add_long("jobs", size < 2 ? 0 : size - 1, true, [size](std::size_t number, Flows& flows) {
    for (std::size_t i = 0; i < jobs * size; ++i) {
      add(flows, i, i / size * size + (i + number + 1) % size);
    }
  });
}

/// The nodes with the most frequent number of adapters above one (if several are equally frequent,
/// the largest number), if these nodes have most hosts; otherwise none.
Groups nodes_with_rails(const Groups& nodes, std::size_t hosts) {
  std::vector<std::size_t> nodes_of_size;
  for (const auto& node : nodes) {
    nodes_of_size.resize(std::max(nodes_of_size.size(), node.size() + 1), 0);
    ++nodes_of_size[node.size()];
  }
  std::size_t rails = 0;
  for (std::size_t size = 2; size < nodes_of_size.size(); ++size) {
    if (nodes_of_size[size] != 0 && (rails == 0 || nodes_of_size[size] >= nodes_of_size[rails])) {
      rails = size;
    }
  }
  Groups found;
  if (rails == 0 || 2 * rails * nodes_of_size[rails] <= hosts) return found;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
               [rails](const auto& node) { return node.size() == rails; });
  return found;
}

/// Adapter r of `from` sends to adapter r of `to`, for each r that both nodes have.
void add_rail_by_rail(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to,
                      Flows& flows) {
  for (std::size_t r = 0; r < std::min(from.size(), to.size()); ++r) add(flows, from[r], to[r]);
}

void add_rails(PatternList& list, const Groups& nodes, std::size_t hosts) {
  const Groups equal = nodes_with_rails(nodes, hosts);
  if (equal.size() < 2) return;
  list.add_long("rails", equal.size() - 1, true, [equal](std::size_t number, Flows& flows) {
    for (std::size_t i = 0; i < equal.size(); ++i) {
      add_rail_by_rail(equal[i], equal[(i + number + 1) % equal.size()], flows);
    }
  });
}

void add_bit_reversal(PatternList& list, std::size_t n) {
  if (n < 4) return;  // with two hosts, each host would send to itself
  const std::size_t p = std::bit_floor(n);
  list.add("bit_reversal", 1, false, [p](std::size_t, Flows& flows) {
    for (std::size_t i = 0; i < p; ++i) {
      std::size_t reversed = 0;
      for (std::size_t bit = 1; bit < p; bit *= 2) reversed = reversed * 2 + ((i & bit) != 0);
      add(flows, i, reversed);
    }
  });
}

void add_transpose(PatternList& list, std::size_t n) {
  if (n < 4) return;
  const std::size_t side = square_root(n);
  list.add("transpose", 1, false, [side](std::size_t, Flows& flows) {
    for (std::size_t i = 0; i < side * side; ++i) add(flows, i, i % side * side + i / side);
  });
}

/// Hosts of each switch with hosts, in the order of the first host of each switch.
Groups hosts_by_leaf(const Fabric& fabric, const std::vector<EndPortId>& hosts) {
  constexpr auto unseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> leaf_of_switch(fabric.switch_count(), unseen);
  Groups leaves;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    std::size_t& leaf = leaf_of_switch[fabric.end_port(hosts[i]).attached.value()];
    if (leaf == unseen) {
      leaf = leaves.size();
      leaves.emplace_back();
    }
    leaves[leaf].push_back(i);
  }
  return leaves;
}

/// Pairs (a, a + distance) of `leaves` leaves, sorted by distance and then by a; if there are too
/// many pairs, an evenly spaced sample.
std::vector<HostFlow> choose_leaf_pairs(std::size_t leaves) {
  std::vector<HostFlow> chosen;
  const std::size_t pairs = leaves * (leaves - std::min<std::size_t>(leaves, 1)) / 2;
  const std::size_t wanted = std::min(pairs, most_leaf_pairs);
  std::size_t before = 0;  // pairs of smaller distances
  for (std::size_t distance = 1; distance < leaves; ++distance) {
    const std::size_t here = leaves - distance;
    while (chosen.size() < wanted && chosen.size() * pairs / wanted < before + here) {
      add(chosen, chosen.size() * pairs / wanted - before,
          chosen.size() * pairs / wanted - before + distance);
    }
    before += here;
  }
  return chosen;
}

void add_leaf_pairs(PatternList& list, const Fabric& fabric, const std::vector<EndPortId>& hosts) {
  Groups leaves = hosts_by_leaf(fabric, hosts);
  std::vector<HostFlow> pairs = choose_leaf_pairs(leaves.size());
  const std::size_t phases = pairs.size();
  list.add(
      "leaf_pairs", phases, false,
      [leaves = std::move(leaves), pairs = std::move(pairs)](std::size_t number, Flows& flows) {
        const auto& a = leaves[pairs[number].from];
        const auto& b = leaves[pairs[number].to];
        add_rail_by_rail(a, b, flows);
        add_rail_by_rail(b, a, flows);
      });
}

/// Jobs of `size` neighboring nodes each; each job runs alone on the fabric. Nodes that remain at
/// the end have no job.
void add_node_jobs(PatternList& list, std::string_view name, std::size_t size,
                   const std::shared_ptr<const Groups>& nodes) {
  const std::size_t jobs = nodes->size() / size;
  list.add(name, jobs * (size - 1), false, [size, nodes](std::size_t number, Flows& flows) {
    const std::size_t first = number / (size - 1) * size;
    const std::size_t shift = number % (size - 1) + 1;
    for (std::size_t i = 0; i < size; ++i) {
      add_rail_by_rail((*nodes)[first + i], (*nodes)[first + (i + shift) % size], flows);
    }
  });
}

/// Nodes write to servers in three patterns. `servers_one`: groups of nodes write one after
/// another, each node of a group to a different server. `servers_job`: all nodes of a job of 64
/// neighboring nodes write to all servers, one job after another. `servers_all`: all nodes write at
/// once, each to one server, and in the next phase to the next server. Nodes that remain at the end
/// are in no job.
void add_servers(PatternList& list, const ServersAndNodes& all) {
  constexpr std::size_t job = 64;
  const std::size_t n = all.nodes.size();
  const std::size_t k = all.servers.size();
  if (n == 0 || k == 0) return;
  const auto ends = std::make_shared<const ServersAndNodes>(all);
  list.add(
      "servers_one", (n + k - 1) / k, false,
      [ends, n, k](std::size_t number, Flows& flows) {
        for (std::size_t j = 0; j < k && number * k + j < n; ++j) {
          add(flows, ends->nodes[number * k + j], ends->servers[j]);
        }
      },
      all.by_type);
  list.add_long(
      "servers_job", n / job, false,
      [ends](std::size_t number, Flows& flows) {
        for (std::size_t i = number * job; i < (number + 1) * job; ++i) {
          for (const std::uint32_t server : ends->servers) add(flows, ends->nodes[i], server);
        }
      },
      all.by_type);
  list.add_long("servers_all", k, false, [ends, n, k](std::size_t number, Flows& flows) {
    for (std::size_t i = 0; i < n; ++i) {
      add(flows, ends->nodes[i], ends->servers[(i + number) % k]);
    }
  });
}

}  // namespace

std::size_t PhaseSampling::step(std::size_t hosts) const {
  constexpr std::size_t least = 7;
  const std::size_t wanted = hosts * hosts / most_flows;
  const auto is_prime = [](std::size_t n) {
    for (std::size_t k = 2; k * k <= n; ++k) {
      if (n % k == 0) return false;
    }
    return true;
  };
  std::size_t step = std::max(least, wanted);
  while (!is_prime(step)) ++step;
  return step;
}

std::vector<TrafficPattern> make_patterns(const Fabric& fabric, const std::vector<EndPortId>& hosts,
                                          bool all_phases, const PhaseSampling& sampling) {
  const std::size_t n = hosts.size();
  PatternList list(all_phases || n <= sampling.above_hosts ? 1 : sampling.step(n));
  const auto nodes = std::make_shared<const Groups>(group_by_node(fabric, hosts));
  add_shifts(list, n);
  add_recursive_doubling(list, n);
  add_stencils(list, n);
  add_jobs(list, n);
  add_rails(list, *nodes, n);
  add_bit_reversal(list, n);
  add_transpose(list, n);
  add_leaf_pairs(list, fabric, hosts);
  add_node_jobs(list, "node_jobs_16", 16, nodes);
  add_node_jobs(list, "node_jobs_64", 64, nodes);
  add_servers(list, find_servers(fabric, hosts));
  return list.take();
}

}  // namespace pssp
