// Names of one kind are equal except for their numbers: "a08-p1-dgx-04-c01" and
// "a05-p1-dgx-02-c11". Nothing is reported for fewer than three peers or if peers disagree: in real
// fabrics, all rails of a node may be at one leaf, storage next to compute nodes, and leaves of
// several models. Neither is a rail without leaves of its own, such as an adapter for storage in
// addition to eight for messages.

#include "operations/cabling/cabling_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/printable.h"
#include "fabric/nodes/node_description.h"
#include "operations/cabling/peers.h"

namespace pssp {
namespace {

constexpr std::size_t most_named = 10;

class RuleChecker {
 public:
  RuleChecker(const Fabric& fabric, const NodeRails& nodes) : fabric_(fabric), nodes_(nodes) {}

  std::vector<CablingStatement> run() {
    find_rails_of_leaves();
    for (const Node& node : nodes_.nodes()) {
      if (node.is_named) kinds_[kind_of_name(node.name)].push_back(&node);
    }
    for (const auto& [kind, nodes] : kinds_) {
      check_leaves_of_rails(nodes);
      check_numbers_of_rails(nodes);
      check_speeds_of_rails(nodes);
    }
    check_uplinks();
    check_link_rates();
    std::ranges::stable_sort(statements_, [](const auto& a, const auto& b) {
      if (a.fault != b.fault) return a.fault < b.fault;
      return compare_with_numbers(a.text, b.text) < 0;
    });
    return std::move(statements_);
  }

 private:
  using Node = NodeRails::Node;
  using Rail = NodeRails::Rail;

  std::string switch_name(SwitchId s) const {
    const Switch& each = fabric_.switch_at(s);
    return printable(description_or_name(each));
  }
  std::string place_of(const Rail& rail) const {
    const EndPort& port = fabric_.end_port(rail.port);
    return port_label(switch_name(port.attached), port.switch_port);
  }
  std::string name_of(const Rail& rail) const { return printable(nodes_.label(rail.port)); }
  const std::optional<std::uint32_t>& rail_of_leaf(const Rail& rail) const {
    return rail_of_switch_[fabric_.end_port(rail.port).attached.value()];
  }

  void find_rails_of_leaves() {
    std::vector<std::map<std::uint32_t, std::size_t>> counts(fabric_.switch_count());
    for (const Node& node : nodes_.nodes()) {
      if (node.rails.size() < 2) continue;
      for (const Rail& rail : node.rails) {
        if (rail.word.empty()) continue;
        const SwitchId at = fabric_.end_port(rail.port).attached;
        if (at.valid()) ++counts[at.value()][rail.number];
      }
    }
    for (const auto& count : counts) {
      rail_of_switch_.push_back(agreed(count));
    }
  }

  /// Whether it is at a leaf of another rail.
  bool is_astray(const Rail& rail) const {
    if (!fabric_.end_port(rail.port).attached.valid() || rail.word.empty()) return false;
    const auto& leaf_rail = rail_of_leaf(rail);
    return leaf_rail && *leaf_rail != rail.number;
  }

  /// For nodes with names of one kind: which of their rails usually have leaves of their own.
  void check_leaves_of_rails(const std::vector<const Node*>& nodes) {
    std::map<std::uint32_t, std::map<bool, std::size_t>> counts;
    for (const Node* node : nodes) {
      for (const Rail& rail : node->rails) {
        if (fabric_.end_port(rail.port).attached.valid()) {
          ++counts[rail.number][rail_of_leaf(rail) == rail.number];
        }
      }
    }
    std::set<std::uint32_t> homely;
    for (const auto& [rail, count] : counts) {
      if (agreed(count) == true) homely.insert(rail);
    }
    for (const Node* node : nodes) check_rails_of(*node, homely);
  }

  void check_rails_of(const Node& node, const std::set<std::uint32_t>& homely) {
    const auto is_wrong = [&](const Rail& rail) {
      return homely.contains(rail.number) && is_astray(rail);
    };
    std::set<const Rail*> said;
    for (const Rail& rail : node.rails) {
      if (said.contains(&rail) || !is_wrong(rail)) continue;
      misplaced_.insert(&node);
      const auto other = std::ranges::find_if(node.rails, [&](const Rail& each) {
        return &each != &rail && is_wrong(each) && !said.contains(&each) &&
               *rail_of_leaf(each) == rail.number && *rail_of_leaf(rail) == each.number;
      });
      said.insert(&rail);
      if (other == node.rails.end()) {
        statements_.push_back({CablingFault::wrong_rail,
                               fmt::format("{} is at {}; at least two thirds of the adapters at "
                                           "this switch belong to another rail",
                                           name_of(rail), place_of(rail)),
                               {name_of(rail), place_of(rail)},
                               {},
                               true,
                               1});
        continue;
      }
      said.insert(&*other);
      statements_.push_back(
          {CablingFault::swapped,
           fmt::format("{} and {}: exchange the two cables there, now at {} and {}", name_of(rail),
                       name_of(*other), place_of(rail), place_of(*other)),
           {name_of(rail), name_of(*other), place_of(rail), place_of(*other)},
           {{CablingMove::Kind::exchange, name_of(rail), name_of(*other)}},
           true,
           2});
    }
  }

  // ---- numbers of adapters and leaves ----

  static std::set<std::string> text_of(const Node& node) {
    std::set<std::string> words;
    for (const Rail& rail : node.rails) words.insert(rail.word);
    return words;
  }

  /// The usual number among nodes with the same hardware (speed), because a site may give two
  /// generations of nodes names of one kind.
  void check_numbers_of_rails(const std::vector<const Node*>& nodes) {
    std::map<std::uint32_t, std::vector<const Node*>> by_speed;
    for (const Node* node : nodes) {
      std::uint32_t fastest = 0;
      for (const Rail& rail : node->rails)
        fastest = std::max(fastest, fabric_.end_port(rail.port).rate.capacity());
      by_speed[fastest].push_back(node);
    }
    for (const auto& [speed, peers] : by_speed) {
      std::map<std::size_t, std::size_t> counts;
      for (const Node* node : peers) ++counts[node->rails.size()];
      const auto usual = agreed(counts);
      if (!usual) continue;
      report_fewer_adapters(peers, *usual);
      report_fewer_leaves(peers, *usual);
    }
  }

  /// Adapters are counted first: a node may have as many as its peers with other names. Names are
  /// compared only for nodes with fewer adapters, with peers that have all of the node's adapters.
  void report_fewer_adapters(const std::vector<const Node*>& nodes, std::size_t usual) {
    std::map<std::set<std::string>, std::size_t> complete;
    for (const Node* node : nodes) {
      if (node->rails.size() == usual) ++complete[text_of(*node)];
    }
    std::map<std::string, std::vector<const Node*>> lacking, unnamed;
    for (const Node* node : nodes) {
      if (node->rails.size() >= usual) continue;
      const std::set<std::string> own = text_of(*node);
      const std::set<std::string>* peers = nullptr;
      for (const auto& [words, count] : complete) {
        const bool has_all = std::ranges::includes(words, own);
        if (has_all && (peers == nullptr || count > complete.at(*peers))) peers = &words;
      }
      std::string lacks;
      for (const std::string& word : peers == nullptr ? std::set<std::string>() : *peers) {
        if (own.contains(word)) continue;
        lacks += (lacks.empty() ? "" : ", ") + (word.empty() ? "a second adapter" : word);
      }
      if (lacks.empty()) {
        unnamed[fmt::format("{} of {} adapters", node->rails.size(), usual)].push_back(node);
      } else {
        lacking[lacks].push_back(node);
      }
    }
    const auto peers = static_cast<std::size_t>(std::ranges::count_if(
        nodes, [&](const Node* node) { return node->rails.size() == usual; }));
    for (const auto& [lacks, some] : lacking) {
      report_few(some, fmt::format("without {}, which {} peers have", printable(lacks), peers));
    }
    for (const auto& [has, some] : unnamed) {
      report_few(some, fmt::format("down to {}; {} peers have all", has, peers));
    }
  }

  /// Nodes with two adapters at one leaf, whose peers have at most one adapter per leaf.
  void report_fewer_leaves(const std::vector<const Node*>& nodes, std::size_t usual) {
    const auto leaves_of = [this](const Node& node) {
      std::set<std::uint32_t> leaves;
      for (const Rail& rail : node.rails) {
        const SwitchId at = fabric_.end_port(rail.port).attached;
        if (at.valid()) leaves.insert(at.value());
      }
      return leaves.size();
    };
    std::map<std::size_t, std::size_t> counts;
    for (const Node* node : nodes) {
      if (node->rails.size() == usual) ++counts[leaves_of(*node)];
    }
    const auto leaves = agreed(counts);
    if (!leaves) return;
    std::map<std::size_t, std::vector<const Node*>> fewer;
    for (const Node* node : nodes) {
      const bool is_complete = node->rails.size() == usual && !misplaced_.contains(node);
      if (is_complete && leaves_of(*node) < *leaves) fewer[leaves_of(*node)].push_back(node);
    }
    for (const auto& [has, some] : fewer) {
      report_few(some, fmt::format("at {} leaves with {} adapters; {} peers are at {}", has, usual,
                                   counts.at(*leaves), *leaves));
    }
  }

  /// "2 nodes are without mlx5_2, which 4 peers have: node4, node5".
  void report_few(const std::vector<const Node*>& some, const std::string& what) {
    CablingStatement statement;
    statement.fault = CablingFault::fewer_rails;
    statement.count = some.size();
    std::string names;
    for (std::size_t i = 0; i < some.size(); ++i) {
      statement.ports.push_back(printable(some[i]->name));
      if (i < most_named) names += (i == 0 ? "" : ", ") + printable(some[i]->name);
    }
    if (some.size() > most_named) names += " ..";
    statement.text = fmt::format("{} {} {}: {}", some.size(),
                                 some.size() == 1 ? "node is" : "nodes are", what, names);
    statements_.push_back(std::move(statement));
  }

  void check_speeds_of_rails(const std::vector<const Node*>& nodes) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> counts;
    for (const Node* node : nodes) {
      for (const Rail& rail : node->rails) {
        const std::uint32_t speed = fabric_.end_port(rail.port).rate.capacity();
        if (speed != 0) ++counts[rail.number][speed];
      }
    }
    for (const Node* node : nodes) {
      for (const Rail& rail : node->rails) {
        const LinkRate rate = fabric_.end_port(rail.port).rate;
        const auto usual = agreed(counts[rail.number]);
        if (!usual || !rate.stated() || rate.capacity() >= *usual) continue;
        report_slow(name_of(rail), place_of(rail), rate,
                    fmt::format("its peers at {} Mbit/s", *usual));
      }
    }
  }

  void report_slow(const std::string& a, const std::string& b, LinkRate rate,
                   const std::string& usual) {
    statements_.push_back({CablingFault::slower,
                           fmt::format("{} - {} runs at {} ({} Mbit/s), {}", a, b, to_string(rate),
                                       rate.capacity(), usual),
                           {a, b},
                           {},
                           false,
                           1});
  }

  void check_uplinks() {
    std::map<std::pair<std::string, unsigned>, std::vector<SwitchId>> kinds;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (fabric_.endpoints_per_switch()[s] == 0) continue;
      kinds[{kind_of_name(switch_name(SwitchId(s))), fabric_.switch_at(SwitchId(s)).ports}]
          .emplace_back(s);
    }
    const auto uplinks = [&](SwitchId s) {
      return fabric_.first_channel()[s.value() + 1] - fabric_.first_channel()[s.value()];
    };
    for (const auto& [kind, leaves] : kinds) {
      std::map<std::uint32_t, std::size_t> counts;
      for (const SwitchId leaf : leaves) ++counts[uplinks(leaf)];
      const auto usual = agreed(counts);
      if (!usual) continue;
      for (const SwitchId leaf : leaves) {
        if (uplinks(leaf) < *usual) report_uplinks(leaf, leaves, uplinks(leaf), *usual);
      }
    }
  }

  bool has_uplink(SwitchId s, unsigned port) const {
    return fabric_.behind(s, static_cast<PortNumber>(port)).kind == PortTarget::Kind::channel;
  }

  void report_uplinks(SwitchId leaf, const std::vector<SwitchId>& leaves, std::size_t has,
                      std::size_t usual) {
    CablingStatement statement;
    statement.fault = CablingFault::uneven_uplinks;
    statement.text = fmt::format("{} has {} links to other switches, its peers have {}",
                                 switch_name(leaf), has, usual);
    const char* separator = "; no link at port ";
    for (unsigned p = 1; p <= fabric_.switch_at(leaf).ports; ++p) {
      const auto port = static_cast<PortNumber>(p);
      if (fabric_.behind(leaf, port).kind != PortTarget::Kind::none) continue;
      if (std::ranges::any_of(fabric_.loop_cables(), [&](const LoopCable& loop) {
            return loop.at == leaf && (loop.a == port || loop.b == port);
          })) {
        continue;
      }
      const auto others = static_cast<std::size_t>(
          std::ranges::count_if(leaves, [&](SwitchId s) { return has_uplink(s, p); }));
      if (others < fewest_peers || 3 * others < 2 * leaves.size()) continue;
      statement.text += fmt::format("{}{}", separator, p);
      statement.ports.push_back(port_label(switch_name(leaf), port));
      separator = ", ";
    }
    if (statement.ports.empty()) statement.ports.push_back(switch_name(leaf));
    statement.count = usual - has;
    statements_.push_back(std::move(statement));
  }

  void check_link_rates() {
    std::vector<std::optional<std::uint32_t>> usual;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      std::map<std::uint32_t, std::size_t> counts;
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        if (fabric_.channel_rate()[c].stated()) ++counts[fabric_.channel_rate()[c].capacity()];
      }
      usual.push_back(agreed(counts));
    }
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      if (fabric_.channel_reverse()[c] < c) continue;
      const LinkRate rate = fabric_.channel_rate()[c];
      const std::uint32_t tail = fabric_.channel_tail()[c], head = fabric_.channel_head()[c];
      if (!rate.stated() || !usual[tail] || !usual[head]) continue;
      const std::uint32_t expected = std::min(*usual[tail], *usual[head]);
      if (rate.capacity() >= expected) continue;
      report_slow(port_label(switch_name(SwitchId(tail)), fabric_.channel_out_port()[c]),
                  port_label(switch_name(SwitchId(head)), fabric_.channel_in_port()[c]), rate,
                  fmt::format("most other links of both switches at {} Mbit/s or more", expected));
    }
  }

  const Fabric& fabric_;
  const NodeRails& nodes_;
  std::vector<std::optional<std::uint32_t>> rail_of_switch_;
  std::map<std::string, std::vector<const Node*>> kinds_;
  std::set<const Node*> misplaced_;  // with an adapter at a leaf of another rail
  std::vector<CablingStatement> statements_;
};

}  // namespace

std::vector<CablingStatement> check_cabling_rules(const Fabric& fabric, const NodeRails& nodes) {
  return RuleChecker(fabric, nodes).run();
}

}  // namespace pssp
