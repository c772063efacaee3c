// Lists of nodes and switches are compressed in Slurm's notation, which its parser reads. Slurm
// reads a file as a whole, so lines may have any length.

#include "operations/placement/slurm_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "fabric/formats/cable_list.h"
#include "fabric/nodes/host_list.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

std::string cleaned(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (is_kept) {
      clean += c;
    } else if (!clean.empty() && clean.back() != '-') {
      clean += '-';
    }
  }
  while (!clean.empty() && clean.back() == '-') clean.pop_back();
  constexpr std::size_t longest = 64;
  clean.resize(std::min(clean.size(), longest));
  return clean.empty() ? "switch" : clean;
}

class UniqueSwitchNames {
 public:
  std::string add(const std::string& wanted) {
    std::string word = wanted;
    for (unsigned copy = 2; !seen_.insert(word).second; ++copy)
      word = fmt::format("{}-{}", wanted, copy);
    return word;
  }

 private:
  std::unordered_set<std::string> seen_;
};

/// Of several leaves, the one whose name comes first, independent of GUIDs.
std::string unit_name(const Fabric& fabric, const SchedulerTree::Vertex& unit, SwitchNames names) {
  std::string_view first;
  for (const SwitchId leaf : unit.leaves) {
    const std::string_view name = description_or_name(fabric.switch_at(leaf));
    const int order = first.empty() ? -1 : compare_with_numbers(name, first);
    if (order < 0 || (order == 0 && name < first)) first = name;
  }
  return cleaned(names == SwitchNames::compact ? node_identity(first) : std::string(first));
}

std::string node_list(const NamedTree& named, std::span<const std::uint32_t> nodes) {
  std::vector<std::string> names;
  for (const std::uint32_t node : nodes) names.push_back(named.nodes[node].name);
  return compress_host_list(names);
}

std::string switch_list(const NamedTree& named, std::span<const std::uint32_t> vertices) {
  std::vector<std::string> names;
  for (const std::uint32_t vertex : vertices) names.push_back(named.vertex_names[vertex]);
  return compress_host_list(names);
}

/// Units below a vertex, from left to right, with the units of each group together.
void collect_units(const SchedulerTree& tree, std::uint32_t top,
                   std::vector<std::uint32_t>& units) {
  std::vector<std::uint32_t> open{top};
  while (!open.empty()) {
    const std::uint32_t vertex = open.back();
    open.pop_back();
    if (vertex < tree.unit_count) units.push_back(vertex);
    const std::vector<std::uint32_t>& children = tree.vertices[vertex].children;
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

/// Nodes of each block.
std::vector<std::vector<std::uint32_t>> blocks_of(const NamedTree& named, std::uint32_t size) {
  std::vector<std::vector<std::uint32_t>> blocks;
  for (const std::uint32_t top : named.tree.tops) {
    std::vector<std::uint32_t> units;
    collect_units(named.tree, top, units);
    const std::size_t first = blocks.size();
    std::vector<std::uint32_t> block;
    for (const std::uint32_t unit : units) {
      const std::vector<std::uint32_t>& nodes = named.tree.vertices[unit].nodes;
      block.insert(block.end(), nodes.begin(), nodes.end());
      if (block.size() < size) continue;
      blocks.push_back(std::move(block));
      block.clear();
    }
    if (block.empty()) continue;
    if (blocks.size() == first) {
      throw Error(ErrorKind::usage,
                  fmt::format("blocks of {} nodes: the island of '{}' has only {} nodes; use "
                              "smaller blocks, or exclude these nodes with --nodes",
                              size, named.nodes[block.front()].name, block.size()));
    }
    blocks.back().insert(blocks.back().end(), block.begin(), block.end());
  }
  for (auto& block : blocks) std::ranges::sort(block);
  return blocks;
}

std::string heading(const NamedTree& named, std::string_view plugin) {
  std::string text = fmt::format(
      "# {}: {} nodes at {} units, {} islands. Leaves with a common node form one unit.\n", plugin,
      named.nodes.size(), named.tree.unit_count, named.tree.tops.size());
  if (!named.tree.is_tree) {
    text +=
        "# The fabric is not a tree: all units are below one top, without information about their "
        "distances.\n";
  }
  return text;
}

/// A line of YAML whose value cannot be read as a number or keyword.
std::string yaml(std::string_view key, const std::string& value) {
  return fmt::format("{}: \"{}\"\n", key, value);
}

std::string tree_yaml(const NamedTree& named) {
  std::string text = "  tree:\n    switches:\n";
  for (std::size_t v = 0; v < named.tree.vertices.size(); ++v) {
    const SchedulerTree::Vertex& vertex = named.tree.vertices[v];
    text += yaml("      - switch", named.vertex_names[v]);
    text += vertex.children.empty() ? yaml("        nodes", node_list(named, vertex.nodes))
                                    : yaml("        children", switch_list(named, vertex.children));
  }
  return text;
}

std::string block_yaml(const NamedTree& named, std::uint32_t size) {
  std::string text = fmt::format("  block:\n    block_sizes:\n      - {}\n    blocks:\n", size);
  std::size_t number = 0;
  for (const auto& block : blocks_of(named, size)) {
    text += yaml("      - block", fmt::format("block{}", ++number));
    text += yaml("        nodes", node_list(named, block));
  }
  return text;
}

}  // namespace

NamedTree name_vertices(const Fabric& fabric, const SchedulerTree& tree,
                        std::span<const ScheduledNode> nodes, SwitchNames names) {
  NamedTree named{tree, nodes, {}};
  UniqueSwitchNames words;
  std::vector<std::uint32_t> groups;  // by level, so far
  for (std::uint32_t v = 0; v < tree.vertices.size(); ++v) {
    const SchedulerTree::Vertex& vertex = tree.vertices[v];
    std::string wanted;
    if (v < tree.unit_count) {
      wanted = names == SwitchNames::unit ? fmt::format("unit{}", v + 1)
                                          : unit_name(fabric, vertex, names);
    } else if (std::ranges::binary_search(tree.tops, v)) {
      wanted = "top";
    } else {
      groups.resize(std::max<std::size_t>(groups.size(), vertex.level + std::size_t{1}), 0);
      wanted = fmt::format("level{}-{}", vertex.level, ++groups[vertex.level]);
    }
    named.vertex_names.push_back(words.add(wanted));
  }
  return named;
}

std::string to_tree_conf(const NamedTree& named) {
  std::string text = heading(named, "topology/tree");
  for (std::size_t v = 0; v < named.tree.vertices.size(); ++v) {
    const SchedulerTree::Vertex& vertex = named.tree.vertices[v];
    text +=
        fmt::format("SwitchName={} {}\n", named.vertex_names[v],
                    vertex.children.empty() ? "Nodes=" + node_list(named, vertex.nodes)
                                            : "Switches=" + switch_list(named, vertex.children));
  }
  return text;
}

std::string to_block_conf(const NamedTree& named, std::uint32_t size) {
  std::string text = heading(named, "topology/block");
  std::size_t number = 0;
  for (const auto& block : blocks_of(named, size))
    text += fmt::format("BlockName=block{} Nodes={}\n", ++number, node_list(named, block));
  return text + fmt::format("BlockSizes={}\n", size);
}

std::string to_topology_yaml(std::span<const NamedTopology> topologies) {
  std::string text = "---\n";
  for (const NamedTopology& each : topologies) {
    if (each.tree) text += heading(*each.tree, each.name);
    text += yaml("- topology", each.name);
    text += fmt::format("  cluster_default: {}\n", &each == &topologies.front());
    if (!each.tree) {
      text += "  flat: true\n";
    } else {
      text +=
          each.block_size == 0 ? tree_yaml(*each.tree) : block_yaml(*each.tree, each.block_size);
    }
  }
  return text;
}

}  // namespace pssp
