#include "operations/placement/scheduler_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/error.h"
#include "base/printable.h"
#include "fabric/formats/cases.h"
#include "fabric/nodes/host_list.h"

namespace pssp {
namespace {

/// A regular expression; if empty, it matches everything.
class Filter {
 public:
  Filter(const char* option, const std::string& expression) : matches_all_(expression.empty()) {
    try {
      if (!matches_all_) expression_ = std::regex(expression, std::regex::ECMAScript);
    } catch (const std::regex_error&) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} '{}': expected an ECMAScript regular expression, such as "
                              "HCA-[1-4]",
                              option, excerpt(expression)));
    }
  }
  bool matches(const std::string& text) const {
    return matches_all_ || std::regex_match(text, expression_);
  }

 private:
  bool matches_all_;
  std::regex expression_;
};

/// The numbers of "0-3,6", parsed as a list of names with one bracket.
std::vector<std::uint32_t> rail_numbers(const std::string& text) {
  if (text.empty()) return {};
  constexpr std::size_t most_rails = 256;
  std::vector<std::uint32_t> numbers;
  try {
    for (const std::string& each : expand_host_list("[" + text + "]", most_rails)) {
      std::uint32_t number = 0;
      const auto [end, failure] = std::from_chars(each.data(), each.data() + each.size(), number);
      if (failure != std::errc() || end != each.data() + each.size())
        throw Error(ErrorKind::usage, "not a number");
      numbers.push_back(number);
    }
  } catch (const Error&) {
    throw Error(ErrorKind::usage,
                fmt::format("--rails '{}': expected numbers of rails, as in 0-3,6", excerpt(text)));
  }
  return numbers;
}

/// The nodes left out for one reason.
struct LeftOut {
  std::size_t without_name = 0;
  Cases not_chosen, not_host_names, no_rail, unknown, without_port, repeated;
};

std::vector<std::string> to_text(const LeftOut& left, const NodeRails& rails) {
  std::vector<std::string> warnings;
  if (left.without_name != 0) {
    warnings.push_back(fmt::format(
        "{} adapters or nodes are left out: their descriptions identify no node, such as {} "
        "(define names with --node-names or --node-name-map)",
        left.without_name,
        rails.without_name().count != 0 ? rails.without_name().example : rails.repeated().example));
  }
  if (const NodeRails::Unnamed& without = rails.without_endpoint(); without.count != 0) {
    warnings.push_back(
        fmt::format("{} adapters are left out: they have no port with a LID and a cable to a "
                    "switch, such as {}",
                    without.count, without.example));
  }
  const auto add = [&](const Cases& cases, std::string_view what) {
    if (cases.count() == 0) return;
    warnings.push_back(fmt::format("{} {}: {}", cases.count(), what, cases.examples()));
  };
  add(left.not_chosen, "nodes are left out: --nodes does not match their names");
  add(left.not_host_names,
      "nodes are left out: names in Slurm contain only letters, digits, '-', '_' and '.'");
  add(left.no_rail, "nodes are left out: they have none of the requested rails");
  add(left.unknown, "nodes of the fabric are left out: Slurm does not know them");
  add(left.without_port, "nodes of Slurm are left out: they have no port in this fabric");
  add(left.repeated, "nodes of Slurm are left out: the fabric has one node for several of them");
  return warnings;
}

std::string in_quotes(std::string_view name) { return fmt::format("'{}'", excerpt(name)); }

class NodeSelection {
 public:
  NodeSelection(const Fabric& fabric, const NodeRails& rails, const ScheduledNodesOptions& options)
      : fabric_(fabric),
        rails_(rails),
        options_(options),
        numbers_(rail_numbers(options.rails)),
        words_("--rail-names", options.rail_names),
        names_("--nodes", options.nodes) {}

  ScheduledNodes run() {
    if (options_.known) index_known();
    for (std::uint32_t n = 0; n < rails_.nodes().size(); ++n) take(n);
    found_.warnings = to_text(left_, rails_);
    if (!found_.nodes.empty()) {
      if (options_.rails.empty() && options_.rail_names.empty()) warn_of_joining_rail();
      return std::move(found_);
    }
    std::string why;
    for (const std::string& each : found_.warnings) why += "; " + each;
    throw Error(ErrorKind::usage, fmt::format("no node is left for the scheduler{}", why));
  }

 private:
  void index_known() {
    for (const std::string& name : *options_.known) {
      const auto node = rails_.find(name);
      if (!node) {
        left_.without_port.add(in_quotes(name));
      } else if (!known_.try_emplace(*node, name).second) {
        left_.repeated.add(in_quotes(name));
      }
    }
  }

  void take(std::uint32_t n) {
    const NodeRails::Node& node = rails_.nodes()[n];
    std::string name = node.name;
    if (options_.known) {
      const auto known = known_.find(n);
      if (known == known_.end()) {
        left_.unknown.add(in_quotes(name));
        return;
      }
      name = known->second;
    } else if (!node.is_named) {
      ++left_.without_name;
      return;
    }
    if (!names_.matches(name)) {
      left_.not_chosen.add(in_quotes(name));
      return;
    }
    if (!is_host_name(name)) {
      left_.not_host_names.add(in_quotes(name));
      return;
    }
    std::vector<SwitchId> leaves;
    for (const NodeRails::Rail& rail : node.rails) {
      const bool is_wanted = (numbers_.empty() || std::ranges::count(numbers_, rail.number) != 0) &&
                             words_.matches(rail.word);
      if (!is_wanted) continue;
      leaves.push_back(fabric_.end_port(rail.port).attached);
      positions_.push_back({n, rail.number, leaves.back()});
    }
    if (leaves.empty()) {
      left_.no_rail.add(in_quotes(name));
      return;
    }
    found_.nodes.push_back({std::move(name), std::move(leaves)});
  }

  /// The connection of a node's rail.
  struct CabledRail {
    std::uint32_t node = 0, rail = 0;
    SwitchId leaf;
  };

  /// Number of units of the scheduler's tree: leaves with a common node form one unit. Optionally
  /// without a rail.
  std::size_t count_units(std::optional<std::uint32_t> left_out) const {
    DisjointSets leaves(fabric_.switch_count());
    std::unordered_map<std::uint32_t, std::uint32_t> first_leaf;  // by node
    for (const CabledRail& place : positions_) {
      if (place.rail == left_out) continue;
      const auto first = first_leaf.try_emplace(place.node, place.leaf.value()).first;
      leaves.unite(first->second, place.leaf.value());
    }
    std::set<std::uint32_t> units;
    for (const auto& [node, leaf] : first_leaf) units.insert(leaves.root(leaf));
    return units.size();
  }

  /// A rail for storage that all nodes have at the same switch would merge all leaves into one
  /// unit.
  void warn_of_joining_rail() {
    std::set<std::uint32_t> numbers;
    for (const CabledRail& place : positions_) numbers.insert(place.rail);
    const std::size_t units = count_units({});
    for (const std::uint32_t rail : numbers) {
      const std::size_t without = numbers.size() < 2 ? 0 : count_units(rail);
      if (without <= units) continue;
      std::vector<std::string> others;
      for (const std::uint32_t each : numbers) {
        if (each != rail) others.push_back(std::to_string(each));
      }
      std::string list = compress_host_list(others);
      std::erase_if(list, [](char c) { return c == '[' || c == ']'; });
      found_.warnings.push_back(
          fmt::format("rail {} connects leaves of different nodes: {} unit(s) with it, {} without; "
                      "exclude it with --rails {} if it is a rail for storage",
                      rail, units, without, list));
    }
  }

  const Fabric& fabric_;
  const NodeRails& rails_;
  const ScheduledNodesOptions& options_;
  std::vector<std::uint32_t> numbers_;
  Filter words_, names_;
  std::unordered_map<std::uint32_t, std::string> known_;  // the scheduler's name, by node
  LeftOut left_;
  std::vector<CabledRail> positions_;
  ScheduledNodes found_;
};

}  // namespace

ScheduledNodes scheduled_nodes(const Fabric& fabric, const NodeRails& rails,
                               const ScheduledNodesOptions& options) {
  return NodeSelection(fabric, rails, options).run();
}

}  // namespace pssp
