// GUIDs are reliable unless they are generated: two files of a generator have the same GUIDs at
// different nodes. So if GUIDs and names disagree, both are tried, and the matching under which
// more planned cables are found is used.
//
// Votes: for an unmatched switch of the plan, each matched neighbor votes for the unmatched
// switches next to its counterpart. Each gets one vote, four more if it is at the same port of the
// neighbor, and four more if the cable ends at the same port of its own: swapped and missing cables
// change few of these. In each wave, all pairs that are each other's clear first choice become
// matched; pairs that are clear by a factor of two come first, because later waves have more
// information.

#include "operations/cabling/node_matching.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/no_index.h"

namespace pssp {
namespace {

constexpr unsigned votes_of_a_port = 4;

bool may_be_one(const Cabling::Node& a, const Cabling::Node& b) {
  return a.kind == b.kind || a.kind == Cabling::NodeKind::unknown ||
         b.kind == Cabling::NodeKind::unknown;
}

class NodeMatcher {
 public:
  NodeMatcher(const Cabling& plan, const Cabling& fabric, const CableIndex& plan_index,
              const CableIndex& fabric_index)
      : plan_(plan), fabric_(fabric), plan_index_(plan_index), fabric_index_(fabric_index) {
    matching_.fabric_of.assign(plan.nodes.size(), no_index);
    matching_.plan_of.assign(fabric.nodes.size(), no_index);
    matching_.how.assign(plan.nodes.size(), MatchedBy::nothing);
  }

  NodeMatching run(bool by_guid) {
    if (by_guid) match_by([](const Cabling::Node& n) { return guid_key(n); }, MatchedBy::guid);
    match_by([](const Cabling::Node& n) { return n.identity; }, MatchedBy::name);
    match_by_first_word();
    while (wave(2) || wave(1)) {
    }
    match_by_cables();
    return std::move(matching_);
  }

 private:
  struct Choice {
    std::uint32_t node = no_index;
    unsigned votes = 0, next = 0;  // of the second best
  };

  static std::string guid_key(const Cabling::Node& node) {
    return node.guid == 0 ? std::string() : std::to_string(node.guid);
  }

  static std::string first_word(const Cabling::Node& node) {
    if (node.kind == Cabling::NodeKind::switch_chip) return {};
    return node.identity.substr(0, node.identity.find(' '));
  }

  void match(std::uint32_t in_plan, std::uint32_t in_fabric, MatchedBy how) {
    matching_.fabric_of[in_plan] = in_fabric;
    matching_.plan_of[in_fabric] = in_plan;
    matching_.how[in_plan] = how;
  }

  /// Matches nodes by a unique key.
  template <class Key>
  static std::unordered_map<std::string, std::uint32_t> unique_nodes(const Cabling& cabling,
                                                                     const Key& key) {
    std::unordered_map<std::string, std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < cabling.nodes.size(); ++n) {
      const std::string text = key(cabling.nodes[n]);
      if (text.empty()) continue;
      const auto [found, is_new] = nodes.emplace(text, n);
      if (!is_new) found->second = no_index;
    }
    return nodes;
  }

  template <class Key>
  void match_by(const Key& key, MatchedBy how) {
    const auto in_fabric = unique_nodes(fabric_, key);
    const auto in_plan = unique_nodes(plan_, key);
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (matching_.fabric_of[n] != no_index) continue;
      const std::string text = key(plan_.nodes[n]);
      if (text.empty() || in_plan.at(text) != n) continue;
      const auto found = in_fabric.find(text);
      if (found == in_fabric.end() || found->second == no_index) continue;
      if (matching_.plan_of[found->second] != no_index) continue;
      if (may_be_one(plan_.nodes[n], fabric_.nodes[found->second])) match(n, found->second, how);
    }
  }

  /// A list may identify a host with one adapter by the host's name alone.
  void match_by_first_word() {
    if (!plan_.is_list) return;
    const auto in_fabric =
        unique_nodes(fabric_, [](const Cabling::Node& n) { return first_word(n); });
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (matching_.fabric_of[n] != no_index || plan_.nodes[n].kind != Cabling::NodeKind::unknown)
        continue;
      const auto found = in_fabric.find(plan_.nodes[n].identity);
      if (found == in_fabric.end() || found->second == no_index) continue;
      if (matching_.plan_of[found->second] == no_index) match(n, found->second, MatchedBy::name);
    }
  }

  bool is_open_switch(const Cabling& side, const std::vector<std::uint32_t>& other,
                      std::uint32_t node) const {
    return other[node] == no_index && side.nodes[node].kind == Cabling::NodeKind::switch_chip;
  }

  void vote(std::uint32_t node, std::unordered_map<std::uint32_t, unsigned>& votes) const {
    for (const std::uint32_t c : plan_index_.of(node)) {
      const Cabling::Cable& cable = plan_.cables[c];
      const Cabling::Port own = cable.a.node == node ? cable.a : cable.b;
      const Cabling::Port far = cable.a.node == node ? cable.b : cable.a;
      const std::uint32_t neighbour = matching_.fabric_of[far.node];
      if (neighbour == no_index) continue;
      for (const std::uint32_t real : fabric_index_.of(neighbour)) {
        const Cabling::Cable& found = fabric_.cables[real];
        const bool is_a = found.a.node == neighbour;
        const Cabling::Port there = is_a ? found.a : found.b;
        const Cabling::Port candidate = is_a ? found.b : found.a;
        if (!is_open_switch(fabric_, matching_.plan_of, candidate.node)) continue;
        votes[candidate.node] += 1 + (there.number == far.number ? votes_of_a_port : 0) +
                                 (candidate.number == own.number ? votes_of_a_port : 0);
      }
    }
  }

  static bool is_clear(const Choice& choice, unsigned factor) {
    return choice.votes > choice.next && choice.votes >= factor * choice.next;
  }

  static void count(Choice& choice, std::uint32_t node, unsigned votes) {
    if (votes > choice.votes) {
      choice = {node, votes, choice.votes};
    } else {
      choice.next = std::max(choice.next, votes);
    }
  }

  /// Matches pairs that are clear by this factor; returns whether there were any.
  bool wave(unsigned factor) {
    std::vector<Choice> choices(plan_.nodes.size());
    std::vector<Choice> reverse(fabric_.nodes.size());
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (!is_open_switch(plan_, matching_.fabric_of, n)) continue;
      std::unordered_map<std::uint32_t, unsigned> votes;
      vote(n, votes);
      for (const auto& [node, votes_there] : votes) {
        count(choices[n], node, votes_there);
        count(reverse[node], n, votes_there);
      }
    }
    bool any = false;
    for (std::uint32_t n = 0; n < choices.size(); ++n) {
      const Choice& choice = choices[n];
      if (choice.node == no_index || !is_clear(choice, factor)) continue;
      const Choice& back = reverse[choice.node];
      if (back.node != n || !is_clear(back, factor)) continue;
      match(n, choice.node, MatchedBy::neighbours);
      any = true;
    }
    return any;
  }

  /// Matches adapters without other information, at a port where both sides have one.
  void match_by_cables() {
    for (const Cabling::Cable& cable : plan_.cables) {
      for (const auto& [at, planned] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
        const std::uint32_t here = matching_.fabric_of[at.node];
        if (here == no_index || matching_.fabric_of[planned.node] != no_index) continue;
        if (plan_.nodes[planned.node].kind == Cabling::NodeKind::switch_chip) continue;
        const std::uint32_t real = fabric_index_.at({here, at.number});
        if (real == no_index) continue;
        const std::uint32_t found = far_end(fabric_.cables[real], here, at.number).node;
        if (matching_.plan_of[found] != no_index) continue;
        if (fabric_.nodes[found].kind == Cabling::NodeKind::switch_chip) continue;
        match(planned.node, found, MatchedBy::cable);
      }
    }
  }

  const Cabling& plan_;
  const Cabling& fabric_;
  const CableIndex& plan_index_;
  const CableIndex& fabric_index_;
  NodeMatching matching_;
};

std::size_t cables_in_place(const Cabling& plan, const Cabling& fabric, const CableIndex& index,
                            const NodeMatching& matching) {
  std::size_t count = 0;
  for (const Cabling::Cable& cable : plan.cables) {
    const std::uint32_t a = matching.fabric_of[cable.a.node], b = matching.fabric_of[cable.b.node];
    if (a == no_index || b == no_index) continue;
    const Cabling::Port at{a, cable.a.number};
    const std::uint32_t real = index.at(at);
    if (real == no_index) continue;
    const Cabling::Port far = far_end(fabric.cables[real], at.node, at.number);
    if (far.node == b && far.number == cable.b.number) ++count;
  }
  return count;
}

}  // namespace

NodeMatching match_nodes(const Cabling& plan, const Cabling& fabric) {
  const CableIndex plan_index(plan), fabric_index(fabric);
  NodeMatcher by_name(plan, fabric, plan_index, fabric_index);
  NodeMatching without = by_name.run(false);
  const bool plan_has_guids =
      std::ranges::any_of(plan.nodes, [](const Cabling::Node& n) { return n.guid != 0; });
  if (!plan_has_guids || !plan.has_true_guids || !fabric.has_true_guids) return without;
  NodeMatcher by_guid(plan, fabric, plan_index, fabric_index);
  NodeMatching with = by_guid.run(true);
  const auto explained = [&](const NodeMatching& matching) {
    return cables_in_place(plan, fabric, fabric_index, matching);
  };
  if (explained(with) >= explained(without)) return with;
  without.guids_misled = true;
  return without;
}

}  // namespace pssp
