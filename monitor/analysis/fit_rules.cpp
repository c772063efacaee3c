// Each rule examines one rail of one node, and adds a reason with the port that needs attention.
// Effects that other cables pass on (packets that arrived damaged, waiting) are no reason against a
// node; the cable that damages packets is a reason against the node at its end.
//
// Packets that a switch discards on the port of a host are often the fault of the host, but often
// not. Such verdicts have at most the level watch, whatever the number of packets.

#include "monitor/analysis/fit_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "fabric/nodes/node_description.h"
#include "monitor/counters/counter_set.h"
#include "monitor/counters/state_names.h"
#include "operations/cabling/peers.h"

namespace pssp {
namespace {

constexpr std::uint32_t no_node = MapPort::no_peer;

bool is_one_of(std::string_view what, std::initializer_list<Counter> counters) {
  return std::ranges::any_of(counters, [&](Counter each) { return info_of(each).name == what; });
}

/// The level that a verdict on a cable gives to the node of this cable; `good` if it says nothing
/// about the node.
Level weight_of(const Verdict& verdict) {
  using enum Counter;
  if (is_one_of(verdict.what,
                {transmit_wait, receive_remote_physical_errors, receive_switch_relay_errors})) {
    return Level::good;
  }
  if (verdict.level == Level::unknown) {
    return verdict.what == "readings" ? Level::unknown : Level::watch;
  }
  const bool is_indirect = is_one_of(
      verdict.what,
      {transmit_discards, vl15_dropped, transmit_constraint_errors, receive_constraint_errors});
  return is_indirect ? std::min(verdict.level, Level::watch) : verdict.level;
}

NodeFit blank_fit(const std::string& name, const PlacedNode& node) {
  NodeFit fit;
  fit.name = name;
  fit.is_named = node.is_named;
  fit.level = Level::good;
  for (const RailPort& rail : node.rails) fit.ports.push_back(rail.adapter);
  return fit;
}

class FitEvaluator {
 public:
  FitEvaluator(const NodePorts& positions, const FitEvidence& evidence)
      : positions_(positions), evidence_(evidence), map_(evidence.map) {
    find_peers();
    node_at_.assign(map_.ports.size(), no_node);
  }

  std::vector<NodeFit> run() {
    for (const auto& [name, node] : positions_.nodes()) {
      fits_.push_back(blank_fit(name, node));
      evaluate(node);
    }
    for (const StandingVerdict& each : evidence_.verdicts) take_verdict(each.verdict);
    for (NodeFit& fit : fits_) {
      std::ranges::stable_sort(fit.reasons, std::greater<>(), &FitReason::level);
      if (!fit.reasons.empty()) fit.level = fit.reasons.front().level;
    }
    return std::move(fits_);
  }

 private:
  struct Peers {
    std::map<std::set<std::string>, std::size_t> rails;
    std::map<std::string, std::map<std::uint32_t, std::size_t>> rates;  // by rail
    std::optional<std::set<std::string>> usual;
    std::map<std::string, std::optional<std::uint32_t>> usual_rate;
  };

  static std::set<std::string> rails_here(const PlacedNode& node) {
    std::set<std::string> rails;
    for (const RailPort& rail : node.rails) {
      if (rail.is_here) rails.insert(rail.word);
    }
    return rails;
  }

  void find_peers() {
    for (const auto& [name, node] : positions_.nodes()) {
      if (!node.is_named || !node.is_here()) continue;
      Peers& peers = peers_[kind_of_name(name)];
      ++peers.rails[rails_here(node)];
      for (const RailPort& rail : node.rails) {
        const MapPort* const port = rail.is_here ? find(rail.adapter) : nullptr;
        if (port != nullptr && port->rate.stated()) {
          ++peers.rates[rail.word][port->rate.capacity()];
        }
      }
    }
    for (auto& [kind, peers] : peers_) {
      peers.usual = agreed(peers.rails);
      for (const auto& [rail, rates] : peers.rates) peers.usual_rate[rail] = agreed(rates);
    }
  }

  const MapPort* find(PortKey key) const {
    const auto port = map_.find_port(key.node, key.number);
    return port ? &map_.ports[*port] : nullptr;
  }

  void print_line(Level level, PortKey port, std::string text) {
    fits_.back().reasons.push_back({level, port, std::move(text)});
  }

  void evaluate(const PlacedNode& node) {
    for (const RailPort& rail : node.rails) {
      if (rail.is_here) {
        evaluate_rail(rail);
      } else if (rail.leaf.node != 0) {
        report_missed(rail, node.is_here());
      }
    }
    const auto peers = peers_.find(kind_of_name(fits_.back().name));
    if (!node.is_named || !node.is_here() || peers == peers_.end()) return;
    compare_rails(node, peers->second);
    compare_rates(node, peers->second);
  }

  void evaluate_rail(const RailPort& rail) {
    const auto at = static_cast<std::uint32_t>(fits_.size() - 1);
    for (const PortKey& end : {rail.adapter, rail.leaf}) {
      if (const auto port = map_.find_port(end.node, end.number)) node_at_[*port] = at;
      const MaintainedPort* const work =
          maintenance_of(evidence_.maintenance, end.node, end.number, evidence_.time_ms);
      if (work == nullptr) continue;
      print_line(Level::bad, end,
                 fmt::format("{}: in maintenance until {}{}{}", name_of_end(rail, end),
                             utc_text(work->until_ms), work->why.empty() ? "" : ": ",
                             untrusted_text(work->why)));
    }
    const MapPort* const port = find(rail.adapter);
    if (port != nullptr && port->state != LinkState::active && port->state != LinkState::unknown) {
      print_line(
          Level::bad, rail.leaf,
          fmt::format("{}: the link is {}, not active", rail.leaf_name, name_of(port->state)));
    }
    evaluate_leaf(rail);
  }

  std::string name_of_end(const RailPort& rail, PortKey end) const {
    if (end == rail.leaf) return rail.leaf_name;
    const auto node = map_.find_node(end.node);
    return port_label(node ? untrusted_text(map_.nodes[*node].description) : "", end.number);
  }

  void evaluate_leaf(const RailPort& rail) {
    const PlacedSwitch* const leaf = positions_.switch_of(rail.leaf.node);
    if (leaf == nullptr || 2 * leaf->uplinks >= leaf->most) return;
    const std::string text = fmt::format("{}: {} has {} of its {} links to other switches",
                                         rail.leaf_name, leaf->name, leaf->uplinks, leaf->most);
    print_line(leaf->uplinks == 0 ? Level::bad : Level::watch, rail.leaf, text);
  }

  void report_missed(const RailPort& rail, bool node_is_here) {
    const PlacedSwitch* const leaf = positions_.switch_of(rail.leaf.node);
    const bool leaf_is_here = leaf != nullptr && leaf->is_here;
    const std::string_view who = node_is_here ? std::string_view(rail.word) : "the node";
    print_line(Level::bad, rail.leaf,
               fmt::format("{}: {} is no longer in the fabric{}", rail.leaf_name,
                           who.empty() ? "an adapter" : untrusted_text(who),
                           leaf_is_here ? ": check its power, its cable and its adapter"
                                        : ", nor is its switch"));
  }

  void compare_rails(const PlacedNode& node, const Peers& peers) {
    if (!peers.usual) return;
    for (const std::string& word : *peers.usual) {
      // A rail that was seen earlier is already reported as missing, with its port.
      if (std::ranges::any_of(node.rails, [&](const RailPort& rail) {
            return rail.word == word && rail.leaf.node != 0;
          })) {
        continue;
      }
      print_line(Level::bad, fits_.back().ports.front(),
                 fmt::format("{} is missing, but {} peers have it",
                             word.empty() ? "an adapter" : untrusted_text(word),
                             peers.rails.at(*peers.usual)));
    }
  }

  void compare_rates(const PlacedNode& node, const Peers& peers) {
    for (const RailPort& rail : node.rails) {
      const MapPort* const port = rail.is_here ? find(rail.adapter) : nullptr;
      const auto usual = peers.usual_rate.find(rail.word);
      if (port == nullptr || usual == peers.usual_rate.end() || !usual->second) continue;
      if (!port->rate.stated() || port->rate.capacity() >= *usual->second) continue;
      print_line(Level::watch, rail.leaf,
                 fmt::format("{} runs at {} ({} Mbit/s), its peers at {} Mbit/s", rail.leaf_name,
                             to_string(port->rate), port->rate.capacity(), *usual->second));
    }
  }

  void take_verdict(const Verdict& verdict) {
    const std::uint32_t at = node_at_[verdict.port];
    const Level level = weight_of(verdict);
    if (at == no_node || level == Level::good) return;
    const MapPort& port = map_.ports[verdict.port];
    const MapNode& node = map_.node_of(port);
    fits_[at].reasons.push_back(
        {level,
         {node.guid, port.number},
         fmt::format("{}: {}: {}", port_label(untrusted_text(node.description), port.number),
                     verdict.what, untrusted_text(verdict.reason))});
  }

  const NodePorts& positions_;
  const FitEvidence& evidence_;
  const FabricMap& map_;
  std::map<std::string, Peers> peers_;  // by kind_of_name()
  std::vector<std::uint32_t> node_at_;  // by port of the map, index into fits_
  std::vector<NodeFit> fits_;
};

}  // namespace

std::vector<NodeFit> evaluate_fit(const NodePorts& positions, const FitEvidence& evidence) {
  return FitEvaluator(positions, evidence).run();
}

std::vector<NodeFit> unknown_fit(const NodePorts& positions, const std::string& reason) {
  std::vector<NodeFit> fits;
  for (const auto& [name, node] : positions.nodes()) {
    NodeFit& fit = fits.emplace_back(blank_fit(name, node));
    fit.level = Level::unknown;
    fit.reasons.push_back({Level::unknown, fit.ports.front(), reason});
  }
  return fits;
}

}  // namespace pssp
