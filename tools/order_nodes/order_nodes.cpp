// order_nodes: in which order a job's nodes are to be started (docs/reference/order-nodes.md).
//
// The order is written to the requested output, and its gain to standard error, so that scripts can
// read the former.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/version.h"
#include "evaluator/patterns/registry.h"
#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_description.h"
#include "operations/placement/order_choice.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "tools/order_nodes/options.h"

namespace pssp {
namespace {

/// Common names of patterns of the registry.
std::string pattern_name(const std::string& name) {
  if (name == "ring") return "shift:1";
  if (name == "all-to-all") return "shifts";
  if (name == "recursive-doubling") return "recdbl";
  return name;
}

/// The nodes of a job, numbered in the given order.
struct Job {
  std::vector<std::string> names;
  std::vector<std::uint32_t> ports;  ///< by node and rail: rank, or JobPaths::no_rank
  std::uint32_t rails = 1;
  std::uint64_t missing_rails = 0;
  std::vector<std::string> warnings;  ///< about nodes left out
};

Job job_of(const Fabric& fabric, const NodeChoice& choice, bool is_listed) {
  Job job;
  std::unordered_map<std::uint32_t, std::uint32_t> rank_of;
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    rank_of.emplace(fabric.endpoints()[rank].value(), rank);
  }
  std::vector<const NodeRails::Node*> nodes;
  HostNameCheck check;
  for (std::size_t i = 0; i < choice.chosen.size(); ++i) {
    const NodeRails::Node& node = choice.rails.nodes()[choice.chosen[i]];
    if (!check.accepts(node, choice.given_names[i], is_listed)) continue;
    nodes.push_back(&node);
    job.names.push_back(choice.given_names[i]);
  }
  job.warnings = check.warnings();
  if (nodes.size() < 2) {
    throw Error(
        ErrorKind::usage,
        "fewer than two nodes to order; check --nodes (selection), --node-names (definition "
        "of a node) and --node-name-map (names)");
  }
  std::vector<std::uint32_t> numbers;  // of existing rails
  for (const NodeRails::Node* node : nodes) {
    for (const NodeRails::Rail& rail : node->rails) numbers.push_back(rail.number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  job.rails = static_cast<std::uint32_t>(numbers.size());
  job.ports.assign(nodes.size() * job.rails, JobPaths::no_rank);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const NodeRails::Rail& rail : nodes[n]->rails) {
      const auto place = std::ranges::lower_bound(numbers, rail.number) - numbers.begin();
      std::uint32_t& port = job.ports[n * job.rails + static_cast<std::size_t>(place)];
      // Of two ports with one number, the first one represents the rail.
      if (port == JobPaths::no_rank) port = rank_of.at(rail.port.value());
    }
  }
  job.missing_rails = static_cast<std::uint64_t>(std::ranges::count(job.ports, JobPaths::no_rank));
  return job;
}

std::uint32_t first_port(const Job& job, std::uint32_t node) {
  const auto begin = job.ports.begin() + std::ptrdiff_t{node} * job.rails;
  return *std::find_if(begin, job.ports.end(),
                       [](std::uint32_t port) { return port != JobPaths::no_rank; });
}

std::vector<CandidateOrder> habitual_orders(const RouteStore& routes, const Job& job) {
  NodeOrder given(job.names.size());
  std::iota(given.begin(), given.end(), 0U);
  NodeOrder sorted = given;
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return compare_with_numbers(job.names[a], job.names[b]) < 0;
  });
  std::vector<std::uint32_t> leaf_of;
  for (const std::uint32_t node : given) {
    leaf_of.push_back(routes.endpoint_row(first_port(job, node)));
  }
  const auto distance = [&](std::uint32_t node, std::uint32_t other) {
    const int hops = routes.hops(leaf_of[node], first_port(job, other));
    return hops < 0 ? std::numeric_limits<std::uint32_t>::max() : static_cast<std::uint32_t>(hops);
  };
  NodeOrder by_leaf = order_by_leaf(sorted, leaf_of);
  NodeOrder by_tree = order_by_tree(sorted, leaf_of, distance);
  std::vector<CandidateOrder> orders;
  orders.push_back({"given", std::move(given)});
  orders.push_back({"by leaf", std::move(by_leaf)});
  orders.push_back({"sorted", std::move(sorted)});
  orders.push_back({"by tree", std::move(by_tree)});
  return orders;
}
constexpr std::size_t habits = 2;  // "given" and "by leaf"

void print_line(const Report& report, const OrderNodesOptions& options, const Job& job,
                const ChosenOrder& choice) {
  report.print_line(fmt::format("{} nodes, {} rails, {}; 1.00: only the hosts limit the speed",
                                job.names.size(), job.rails, options.pattern));
  for (const CandidateOrder& each : choice.candidates) {
    report.print_line(fmt::format("{:<8} slowest flow {:.2f} times as long, mean bandwidth {:.3f}",
                                  each.name, each.cost.slowest, each.cost.bandwidth));
  }
  if (choice.chosen + 1 == choice.candidates.size()) {
    report.print_line("the order 'found' is written");
  } else {
    report.print_line(fmt::format("no order is {:.0f} % better than '{}', which is written",
                                  100 * least_gain, choice.best().name));
  }
}

void warn(const Report& report, const OrderNodesOptions& options, const Job& job,
          const JobPaths& alternatives) {
  report.warn(job.warnings);
  if (job.missing_rails != 0) {
    report.warn(
        fmt::format("{} rails are missing at some nodes; flows that need them are not counted",
                    job.missing_rails));
  }
  if (alternatives.blocked_paths() != 0) {
    report.warn(
        "the tables have no route between some of these nodes; their flows are not counted");
  }
  if (options.format == OrderFormat::torchrun && !options.json) {
    report.warn(
        "torchrun with elastic rendezvous sorts nodes by name; use --node_rank to keep this order");
  }
}

std::string to_json(const OrderNodesOptions& options, const std::vector<std::string>& names,
                    const ChosenOrder& choice) {
  nlohmann::ordered_json json;
  json["pattern"] = options.pattern;
  json["written"] = choice.best().name;
  json["nodes"] = names;
  json["orders"] = nlohmann::ordered_json::array();
  for (const CandidateOrder& each : choice.candidates) {
    json["orders"].push_back({{"name", each.name},
                              {"slowest_flow", each.cost.slowest},
                              {"mean_bandwidth", each.cost.bandwidth}});
  }
  json["version"] = version();
  return dump_json(json);
}

/// Returns the exit code. Throws Error.
int order_nodes(const OrderNodesOptions& options) {
  const Report report("order_nodes");
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const FabricInput input = read_fabric_input(paths);
  require_tables(input.tables.has_value(), options.files.front());
  report.warn(input.warnings);
  const NodeChoice choice = choose_nodes(input.fabric, options.choice);
  report.warn(choice.warnings);
  const Job job = job_of(input.fabric, choice, !options.choice.nodes.empty());
  const auto positions = static_cast<std::uint32_t>(job.names.size());
  PatternSpec spec;
  spec.pattern = pattern_name(options.pattern);
  spec.ranks = positions * options.ranks_per_node;
  const auto pattern = make_pattern(spec);
  const PlacedRounds rounds =
      placed_rounds(*pattern, positions, options.ranks_per_node, job.rails, options.seed);
  const RouteStore routes(input.fabric, *input.tables);
  const JobPaths alternatives(routes, job.ports, job.rails);
  warn(report, options, job, alternatives);
  const ChosenOrder orders = choose_order(alternatives, rounds, habitual_orders(routes, job),
                                          habits, {.seed = options.seed});
  std::vector<std::string> names;
  for (const std::uint32_t node : orders.best().order) names.push_back(job.names[node]);
  write_file(options.output, options.json
                                 ? to_json(options, names, orders)
                                 : order_text(names, options.format, options.ranks_per_node));
  print_line(report, options, job, orders);
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("order_nodes", argc, argv, parse_order_nodes_options, order_nodes);
}
