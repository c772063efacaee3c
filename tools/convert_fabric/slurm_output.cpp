#include "tools/convert_fabric/slurm_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/nodes/host_file.h"
#include "fabric/nodes/node_name_map.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr std::uint32_t most_block_nodes = 65'536;

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

void add_new(std::vector<std::string>& warnings, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::ranges::count(warnings, each) == 0) warnings.push_back(each);
  }
}

void warn_of_shape(const SchedulerTree& tree, std::vector<std::string>& warnings) {
  if (tree.is_tree) return;
  add_new(warnings, {"the fabric is not a tree (cables connect switches that are equally far from "
                     "the nodes): all units are below one top"});
}

}  // namespace

void SlurmOutput::add_options(CommandLine& line) {
  line.heading("Topology of Slurm (--to slurm, slurm-yaml, slurm-block)");
  line.option("--rails", nodes_.rails, "Numbers of the rails to use, e.g. 0-3,6 (default: all)");
  line.option("--rail-names", nodes_.rail_names,
              "Names of the rails to use, as a regular expression, e.g. HCA-[1-4] (default: all)")
      .type_name("REGEX");
  line.option("--nodes", nodes_.nodes,
              "Names of the nodes to use, as a regular expression (default: all)")
      .type_name("REGEX");
  line.option("--from-slurm", from_slurm_,
              "Use only the nodes of Slurm, with their names, from the output of scontrol show "
              "nodes -o")
      .reads();
  line.option("--node-names", node_names_,
              "Regular expression for node descriptions: group 1 is the node, group 2 its adapter "
              "(default: the first of two words)")
      .type_name("REGEX");
  line.option("--node-name-map", node_name_map_, "Node name map, as for ibnetdiscover").reads();
  line.option("--switch-names", switch_names_, "Names of leaves: full, short or unit")
      .one_of({"full", "short", "unit"})
      .show_default();
  line.option("--blocks", blocks_, "slurm-block: minimum number of nodes per block")
      .range(1, most_block_nodes)
      .type_name("N");
  line.option("--slurm-topology", topologies_,
              "slurm-yaml: NAME:tree[:RAILS], NAME:block=N[:RAILS] or NAME:flat; repeatable, the "
              "first is the default")
      .one_at_a_time()
      .type_name("NAME:SPEC");
  line.heading("");
}

SlurmOutput::Asked SlurmOutput::parse_topology(const std::string& text) {
  const auto fail = [&]() -> Asked {
    throw Error(ErrorKind::usage, fmt::format("--slurm-topology '{}': expected NAME:tree[:RAILS], "
                                              "NAME:block=N[:RAILS] (N from 1 to {}) "
                                              "or NAME:flat, e.g. compute:tree:0-3",
                                              excerpt(text), most_block_nodes));
  };
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() < 2 || parts.size() > 3 || !is_word(parts[0])) return fail();
  Asked asked{parts[0], parts.size() == 3 ? parts[2] : ""};
  if (parts.size() == 3 && asked.rails.empty()) return fail();
  constexpr std::string_view block = "block=";
  if (parts[1] == "flat" && parts.size() == 2) {
    asked.is_flat = true;
  } else if (parts[1].starts_with(block)) {
    const char* const end = parts[1].data() + parts[1].size();
    const auto [stop, failure] =
        std::from_chars(parts[1].data() + block.size(), end, asked.block_size);
    if (failure != std::errc() || stop != end || asked.block_size < 1 ||
        asked.block_size > most_block_nodes) {
      return fail();
    }
  } else if (parts[1] != "tree") {
    return fail();
  }
  return asked;
}

void SlurmOutput::take(const CommandLine& line, const OutputKind& kind) {
  for (const char* option : {"--rails", "--rail-names", "--nodes", "--from-slurm", "--node-names",
                             "--node-name-map", "--switch-names", "--blocks", "--slurm-topology"}) {
    if (kind.scheduler != Scheduler::none || !line.given(option)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} is for --to slurm, slurm-yaml and slurm-block, not for '{}'",
                            option, kind.name));
  }
  const bool is_block = kind.scheduler == Scheduler::slurm_block;
  if (is_block != line.given("--blocks")) {
    throw Error(ErrorKind::usage,
                is_block
                    ? "--to slurm-block needs --blocks N, the minimum number of nodes per block"
                    : "--blocks is for --to slurm-block; for topology.yaml, use --slurm-topology "
                      "NAME:block=N");
  }
  if (!topologies_.empty() && kind.scheduler != Scheduler::slurm_yaml)
    throw Error(ErrorKind::usage, "--slurm-topology is for --to slurm-yaml");
  for (const std::string& text : topologies_) {
    asked_.push_back(parse_topology(text));
    const auto twin = [&](const Asked& each) { return each.name == asked_.back().name; };
    if (std::ranges::count_if(asked_, twin) > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("--slurm-topology: duplicate name '{}'", asked_.back().name));
    }
    if (asked_.back().rails.empty()) asked_.back().rails = nodes_.rails;
  }
  if (asked_.empty()) asked_.push_back({"default", nodes_.rails});
}

NodeRails SlurmOutput::rails_of(const Fabric& fabric) const {
  const NodeNameRule rule(node_names_);
  NodeNameMap names;
  if (!node_name_map_.empty()) names = read_node_name_map(node_name_map_);
  return NodeRails(fabric, rule, names);
}

SwitchNames SlurmOutput::switch_names() const {
  if (switch_names_ == "full") return SwitchNames::full;
  return switch_names_ == "unit" ? SwitchNames::unit : SwitchNames::compact;
}

std::string SlurmOutput::yaml(const Fabric& fabric, const NodeRails& rails,
                              ScheduledNodesOptions options,
                              std::vector<std::string>& warnings) const {
  std::deque<ScheduledNodes> nodes;  // a deque, because trees refer to its elements
  std::deque<SchedulerTree> trees;
  std::vector<NamedTopology> topologies;
  for (const Asked& asked : asked_) {
    NamedTopology& topology = topologies.emplace_back();
    topology.name = asked.name;
    topology.block_size = asked.block_size;
    if (asked.is_flat) continue;
    options.rails = asked.rails;
    nodes.push_back(scheduled_nodes(fabric, rails, options));
    trees.push_back(scheduler_tree(fabric, nodes.back().nodes));
    topology.tree.emplace(name_vertices(fabric, trees.back(), nodes.back().nodes, switch_names()));
    add_new(warnings, nodes.back().warnings);
    warn_of_shape(trees.back(), warnings);
  }
  return to_topology_yaml(topologies);
}

std::vector<std::string> SlurmOutput::write(const OutputKind& kind, const Fabric& fabric,
                                            const ContentSink& sink) const {
  const NodeRails rails = rails_of(fabric);
  ScheduledNodesOptions options = nodes_;
  if (!from_slurm_.empty()) options.known = read_host_names(from_slurm_);
  std::vector<std::string> warnings;
  if (kind.scheduler == Scheduler::slurm_yaml) {
    sink(yaml(fabric, rails, std::move(options), warnings));
    return warnings;
  }
  const ScheduledNodes nodes = scheduled_nodes(fabric, rails, options);
  const SchedulerTree tree = scheduler_tree(fabric, nodes.nodes);
  const NamedTree named = name_vertices(fabric, tree, nodes.nodes, switch_names());
  sink(kind.scheduler == Scheduler::slurm_block
           ? to_block_conf(named, static_cast<std::uint32_t>(blocks_))
           : to_tree_conf(named));
  add_new(warnings, nodes.warnings);
  warn_of_shape(tree, warnings);
  return warnings;
}

}  // namespace pssp
