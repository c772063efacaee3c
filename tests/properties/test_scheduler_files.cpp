// Writes Slurm topologies of random plans with many kinds of host names. Every host must be in the
// topology or counted in a warning with an example. The expected node names are derived
// independently, from the names that this test assigned.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/formats/topology_file.h"
#include "fabric/nodes/host_list.h"
#include "operations/placement/scheduler_nodes.h"
#include "operations/placement/slurm_topology.h"
#include "tests/properties/plan_text.h"

namespace pssp {
namespace {

using test::PlannedCable;
using test::RandomPlan;

struct NamedHost {
  std::string node, adapter;  ///< node: empty if the description names no node
};

NamedHost draw_host(std::mt19937_64& random, std::size_t n) {
  const std::string number = std::to_string(n), half = std::to_string(n / 2);
  switch (random() % 10) {
    case 0:
      return {"", "localhost mlx5_0"};
    case 1:
      return {"", ""};
    case 2:
      return {"twin", "mlx5_0"};
    case 3:
      return {"a[" + number + "]", "mlx5_0"};
    case 4:
      return {"b#," + number, "HCA-1"};
    case 5:
    case 6:
      return {"Pair" + half, "HCA-" + std::to_string(1 + n % 2)};
    case 7:
      return {"node" + number + ".site", "mlx5_1"};
    default:
      return {"node" + number, "mlx5_0"};
  }
}

/// Hosts with a LID at a port that is cabled to a switch, and hosts without such a port.
std::pair<std::set<std::size_t>, std::set<std::size_t>> hosts_of(const RandomPlan& plan) {
  std::set<std::size_t> with, without;
  for (const PlannedCable& cable : plan.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      const bool is_of_host = !plan.nodes[near.node].is_switch && plan.nodes[far.node].is_switch;
      if (is_of_host && test::lids_at(plan, near).first != 0) with.insert(near.node);
    }
  }
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (!plan.nodes[n].is_switch && !with.contains(n)) without.insert(n);
  }
  const auto is_no_host = [&](std::size_t n) {
    return plan.nodes[n].kind != EndPortKind::channel_adapter;
  };
  std::erase_if(with, is_no_host);
  std::erase_if(without, is_no_host);
  return {with, without};
}

/// Names of the nodes, and the number of adapters that belong to no node, according to the drawn
/// names.
std::pair<std::set<std::string>, std::size_t> nodes_of(const std::set<std::size_t>& hosts,
                                                       const std::vector<NamedHost>& drawn) {
  std::map<std::string, std::multiset<std::string>> adapters;
  std::size_t unnamed = 0;
  for (const std::size_t n : hosts) {
    std::string name = drawn[n].node.substr(0, drawn[n].node.find('.'));
    std::ranges::transform(name, name.begin(), [](char c) { return c == 'P' ? 'p' : c; });
    if (name.empty()) {
      ++unnamed;
    } else {
      adapters[name].insert(drawn[n].adapter);
    }
  }
  std::set<std::string> nodes;
  for (const auto& [name, words] : adapters) {
    const bool is_clear = std::ranges::adjacent_find(words) == words.end();
    if (is_clear) nodes.insert(name);
    if (!is_clear) unnamed += words.size();
  }
  return {nodes, unnamed};
}

/// Sum of the counts of omissions in the warnings. Each warning must give an example.
std::size_t left_out(const std::string& text) {
  static const std::regex count("([0-9]+) [a-zA-Z ]+ are left out: [^:]*(: '|such as ').");
  static const std::regex any(" left out");
  std::size_t sum = 0, found = 0;
  for (std::sregex_iterator each(text.begin(), text.end(), count), end; each != end; ++each) {
    sum += std::stoull((*each)[1]);
    ++found;
  }
  CHECK(std::distance(std::sregex_iterator(text.begin(), text.end(), any), {}) ==
        static_cast<std::ptrdiff_t>(found));
  return sum;
}

std::vector<std::string> nodes_in_conf(const std::string& conf) {
  std::vector<std::string> names;
  constexpr std::string_view before = " Nodes=";
  for (const std::string& line : test::lines_of(conf)) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos) continue;
    for (const std::string& each : expand_host_list(line.substr(at + before.size())))
      names.push_back(each);
  }
  return names;
}

ScheduledNodesOptions draw_options(std::mt19937_64& random, const std::set<std::string>& nodes) {
  ScheduledNodesOptions options;
  switch (random() % 4) {
    case 0:
      options.rails = "0";
      break;
    case 1:
      options.nodes = "node.*";
      break;
    case 2:
      options.known.emplace();
      for (const std::string& name : nodes) {
        if (random() % 2 == 0) options.known->push_back(name);
        if (random() % 8 == 0) options.known->push_back(name + ".site");
      }
      options.known->push_back("elsewhere");
      break;
    default:
      break;
  }
  return options;
}

TEST_CASE("every host is in Slurm's topology or reported as left out") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    if (plan.nodes.size() < 2) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    std::mt19937_64 random(seed);
    std::vector<NamedHost> drawn;
    std::vector<std::string> names = test::odd_names(plan, seed);
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      drawn.push_back(draw_host(random, n));
      const bool is_host =
          !plan.nodes[n].is_switch && plan.nodes[n].kind == EndPortKind::channel_adapter;
      const char* const blank = drawn[n].node.empty() ? "" : " ";
      if (is_host) names[n] = drawn[n].node + blank + drawn[n].adapter;
    }
    const auto [hosts, without] = hosts_of(plan);
    const auto [nodes, unnamed] = nodes_of(hosts, drawn);
    const ScheduledNodesOptions options = draw_options(random, nodes);
    const Fabric fabric =
        std::move(parse_topology(test::net_text(plan, names), "net").builder).build();
    std::vector<std::string> written;
    std::string warnings;
    try {
      const ScheduledNodes found = scheduled_nodes(fabric, NodeRails(fabric), options);
      const SchedulerTree tree = scheduler_tree(fabric, found.nodes);
      const std::string conf =
          to_tree_conf(name_vertices(fabric, tree, found.nodes, SwitchNames::compact));
      written = nodes_in_conf(conf);
      for (const std::string& each : found.warnings) warnings += each + "; ";
    } catch (const Error& error) {
      warnings = error.what();
    }
    INFO(warnings);
    const std::set<std::string> different(written.begin(), written.end());
    CHECK(different.size() == written.size());
    // Warnings also count names in Slurm that match no node or repeat a node.
    std::size_t names_of_slurm = 0;
    if (options.known) {
      std::set<std::string> met;
      for (const std::string& name : *options.known) {
        const std::string node = name.substr(0, name.find('.'));
        names_of_slurm += nodes.contains(node) && met.insert(node).second ? 0 : 1;
      }
    }
    CHECK(written.size() + left_out(warnings) ==
          nodes.size() + unnamed + without.size() + names_of_slurm);
  }
}

}  // namespace
}  // namespace pssp
