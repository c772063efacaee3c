#include "tools/diagnosis/node_choice.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/nodes/host_file.h"
#include "fabric/nodes/host_list.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

void choose_all(NodeChoice& choice) {
  choice.chosen.resize(choice.rails.nodes().size());
  std::iota(choice.chosen.begin(), choice.chosen.end(), 0U);
  for (const NodeRails::Node& node : choice.rails.nodes()) choice.given_names.push_back(node.name);
}

void choose_listed(const NodeChoiceOptions& options, NodeChoice& choice) {
  Cases unknown, repeated;
  std::vector<bool> is_chosen(choice.rails.nodes().size(), false);
  for (const std::string& name : read_host_names(options.nodes)) {
    const auto node = choice.rails.find(name);
    if (!node && !options.skip_unknown) {
      throw Error(
          ErrorKind::usage,
          fmt::format("'{}' is not a node of this fabric{}; --skip-unknown ignores such names",
                      excerpt(name), choice.rails.nearest_text(name)));
    }
    if (!node) {
      unknown.add(fmt::format("'{}'", excerpt(name)));
    } else if (is_chosen[*node]) {
      repeated.add(fmt::format("'{}'", excerpt(name)));
    } else {
      is_chosen[*node] = true;
      choice.chosen.push_back(*node);
      choice.given_names.push_back(name);
    }
  }
  const auto warn = [&choice](const Cases& cases, std::string_view what) {
    if (cases.count() == 0) return;
    choice.warnings.push_back(
        fmt::format("{} names of --nodes {}: {}", cases.count(), what, cases.examples()));
  };
  warn(unknown, "match no node of this fabric");
  warn(repeated, "are duplicates of other nodes in the list");
}

}  // namespace

void NodeChoiceOptions::add_options(CommandLine& line) {
  line.option("--nodes", nodes,
              "Nodes to include: a list (n[1-8,10]), or a file with one name per line; - is "
              "standard input (default: all)")
      .type_name("LIST")
      .mentions();
  line.option("--node-names", node_names,
              "Regular expression for descriptions; group 1 matches the node, group 2 its adapter "
              "(default: the first of two words)")
      .type_name("REGEX");
  line.option("--node-name-map", node_name_map,
              "Node names by GUID, in the format of ibnetdiscover; - is standard input")
      .reads();
  line.flag("--skip-unknown", skip_unknown,
            "Ignore names that match no node, and report their number");
}

bool HostNameCheck::accepts(const NodeRails::Node& node, const std::string& name, bool is_listed) {
  if (!is_listed && !node.is_named) {
    ++unnamed_;
    return false;
  }
  if (is_host_name(name)) return true;
  not_host_names_.add(fmt::format("'{}'", excerpt(name)));
  return false;
}

std::vector<std::string> HostNameCheck::warnings() const {
  std::vector<std::string> warnings;
  if (unnamed_ != 0) {
    warnings.push_back(fmt::format("{} nodes without a name are ignored", unnamed_));
  }
  if (not_host_names_.count() != 0) {
    warnings.push_back(
        fmt::format("{} nodes are left out: names of hosts have letters, digits, '-', '_' and '.' "
                    "only: {} (--node-names and --node-name-map define names)",
                    not_host_names_.count(), not_host_names_.examples()));
  }
  return warnings;
}

NodeChoice choose_nodes(const Fabric& fabric, const NodeChoiceOptions& options) {
  const NodeNameRule rule(options.node_names);
  NodeNameMap names;
  if (!options.node_name_map.empty()) names = read_node_name_map(options.node_name_map);
  NodeRails rails(fabric, rule, names);
  NodeChoice choice{std::move(rails), std::move(names), {}, {}, {}};
  choice.warnings = choice.rails.warnings();
  if (options.nodes.empty()) {
    choose_all(choice);
  } else {
    choose_listed(options, choice);
  }
  return choice;
}

}  // namespace pssp
