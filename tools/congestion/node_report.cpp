#include "tools/congestion/node_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace pssp {
namespace {

constexpr std::size_t most_named = 8;

struct Group {
  const std::vector<std::string>* lines;
  std::vector<const CcNode*> nodes;
};

/// In the order of the first node of each.
std::vector<Group> groups_of(std::span<const NodeLines> nodes, bool per_node) {
  std::vector<Group> groups;
  std::map<std::pair<bool, std::vector<std::string>>, std::size_t> group_of;
  for (const NodeLines& entry : nodes) {
    const auto [known, is_new] =
        group_of.try_emplace({entry.node->is_switch, entry.lines}, groups.size());
    if (is_new || per_node) {
      known->second = groups.size();
      groups.push_back({&entry.lines, {}});
    }
    groups[known->second].nodes.push_back(entry.node);
  }
  return groups;
}

}  // namespace

std::string node_list(std::span<const NodeLines> nodes, bool per_node) {
  std::string text;
  for (const Group& group : groups_of(nodes, per_node)) {
    const std::size_t named = std::min(group.nodes.size(), most_named);
    for (std::size_t i = 0; i < named; ++i) {
      fmt::format_to(std::back_inserter(text), "  {}\n", label(*group.nodes[i]));
    }
    if (named < group.nodes.size()) {
      fmt::format_to(std::back_inserter(text), "  and {} more (--per-node lists all)\n",
                     group.nodes.size() - named);
    }
    for (const std::string& line : *group.lines) {
      fmt::format_to(std::back_inserter(text), "      {}\n", line);
    }
  }
  return text;
}

}  // namespace pssp
