// LIDs are processed by destination switch, so that equal routes are found within one tree. The
// child of a node is found by the port at which its first channel arrives: one small table per
// node.

#include "routing/deadlock/route_forest.h"

#include <algorithm>

#include "fabric/tables/destination_tree.h"
#include "fabric/tables/table_columns.h"

namespace pssp {

class RouteForestBuilder {
 public:
  RouteForestBuilder(const Fabric& fabric, const ForwardingTables& tables, bool switch_ports,
                     RouteForest& forest)
      : fabric_(fabric),
        columns_(tables),
        switch_ports_(switch_ports),
        forest_(forest),
        tree_(fabric),
        node_of_(fabric.switch_count()),
        is_needed_(fabric.switch_count()) {
    std::uint32_t slots = 0;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      first_slot_.push_back(slots);
      slots += channels_from(fabric.channel_head()[c]);
    }
    first_slot_.push_back(slots);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      ports_ = std::max(ports_, channels_from(s));
  }

  void run() {
    number_lids();
    forest_.node_of_.assign(forest_.lids_.size() * forest_.switches_, RouteForest::no_route);
    for (std::uint32_t at = 0; at < fabric_.switch_count(); ++at) {
      forest_.first_node_.push_back(static_cast<std::uint32_t>(forest_.parent_.size()));
      children_.assign(ports_, RouteForest::none);
      for (std::uint32_t i = first_row_[at]; i < first_row_[at + 1]; ++i) add_lid(row_of_[i]);
    }
    forest_.first_node_.push_back(static_cast<std::uint32_t>(forest_.parent_.size()));
    number_dependencies();
  }

 private:
  std::uint32_t channels_from(std::uint32_t s) const {
    return fabric_.first_channel()[s + 1] - fabric_.first_channel()[s];
  }

  /// Sorts the LIDs by the switch that delivers them.
  void number_lids() {
    forest_.switches_ = fabric_.switch_count();
    first_row_.assign(fabric_.switch_count() + 1, 0);
    for (const Lid lid : fabric_.lids()) {
      const bool is_switch = fabric_.owner(lid).kind == LidOwner::Kind::switch_port0;
      if (!fabric_.delivery(lid).at.valid() || (is_switch && !switch_ports_)) continue;
      forest_.lids_.push_back(lid);
      ++first_row_[fabric_.delivery(lid).at.value() + 1];
    }
    for (std::size_t s = 0; s < fabric_.switch_count(); ++s) first_row_[s + 1] += first_row_[s];
    row_of_.resize(forest_.lids_.size());
    std::vector<std::uint32_t> next(first_row_.begin(), first_row_.end() - 1);
    for (std::uint32_t row = 0; row < forest_.lids_.size(); ++row)
      row_of_[next[fabric_.delivery(forest_.lids_[row]).at.value()]++] = row;
  }

  /// Port 0 of a switch exchanges packets only with end ports.
  bool is_source(std::uint32_t s, bool to_switch) const {
    return fabric_.senders_per_switch()[s] != 0 || (switch_ports_ && !to_switch);
  }

  void add_lid(std::uint32_t row) {
    const Lid lid = forest_.lids_[row];
    const bool to_switch = fabric_.owner(lid).kind == LidOwner::Kind::switch_port0;
    const bool to_endpoint = fabric_.is_endpoint_lid(lid);
    tree_.read(columns_.column(lid), lid);
    const std::span<const std::uint32_t> order = tree_.upstream_first();
    const std::span<const std::uint32_t> out = tree_.out_channel();
    std::fill(is_needed_.begin(), is_needed_.end(), std::uint8_t{0});
    for (const std::uint32_t s : order) {
      if (is_source(s, to_switch)) is_needed_[s] = 1;
      if (is_needed_[s] != 0 && out[s] != DestinationTree::no_channel)
        is_needed_[fabric_.channel_head()[out[s]]] = 1;
    }
    for (std::size_t i = order.size(); i > 0; --i) {
      const std::uint32_t s = order[i - 1];
      if (is_needed_[s] == 0) continue;
      node_of_[s] = out[s] == DestinationTree::no_channel ? RouteForest::none : node_behind(out[s]);
      if (!is_source(s, to_switch)) continue;
      forest_.node_of_[std::size_t{row} * forest_.switches_ + s] = node_of_[s];
      if (node_of_[s] == RouteForest::none) continue;
      forest_.is_used_[node_of_[s]] = 1;
      if (to_endpoint) forest_.pairs_[node_of_[s]] += fabric_.endpoints_per_switch()[s];
    }
  }

  /// The node of the route that consists of `channel` and the known route from its head.
  std::uint32_t node_behind(std::uint32_t channel) {
    const std::uint32_t head = fabric_.channel_head()[channel];
    const std::uint32_t next = tree_.out_channel()[head];
    const std::uint32_t parent =
        next == DestinationTree::no_channel ? RouteForest::none : node_of_[head];
    const std::uint32_t table =
        parent == RouteForest::none ? 0 : parent - forest_.first_node_.back() + 1;
    const std::uint32_t port = fabric_.channel_reverse()[channel] - fabric_.first_channel()[head];
    std::uint32_t& child = children_[std::size_t{table} * ports_ + port];
    if (child != RouteForest::none) return child;
    const auto node = static_cast<std::uint32_t>(forest_.parent_.size());
    child = node;
    children_.resize(children_.size() + ports_, RouteForest::none);
    forest_.parent_.push_back(parent);
    forest_.dependency_.push_back(parent == RouteForest::none ? RouteForest::none
                                                              : first_slot_[channel] + next -
                                                                    fabric_.first_channel()[head]);
    forest_.pairs_.push_back(0);
    forest_.is_used_.push_back(0);
    return node;
  }

  /// Replaces the numbers of all pairs of consecutive channels by numbers of the pairs that occur.
  void number_dependencies() {
    std::vector<std::uint32_t> number(first_slot_.back(), RouteForest::none);
    for (const std::uint32_t slot : forest_.dependency_) {
      if (slot != RouteForest::none) number[slot] = 0;
    }
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      for (std::uint32_t slot = first_slot_[c]; slot < first_slot_[c + 1]; ++slot) {
        if (number[slot] == RouteForest::none) continue;
        number[slot] = static_cast<std::uint32_t>(forest_.first_channel_.size());
        forest_.first_channel_.push_back(c);
        forest_.second_channel_.push_back(fabric_.first_channel()[fabric_.channel_head()[c]] +
                                          slot - first_slot_[c]);
      }
    }
    for (std::uint32_t& slot : forest_.dependency_) {
      if (slot != RouteForest::none) slot = number[slot];
    }
  }

  const Fabric& fabric_;
  TableColumns<ForwardingTables> columns_;
  bool switch_ports_;
  RouteForest& forest_;
  DestinationTree tree_;
  std::vector<std::uint32_t> first_slot_;  // by channel: index of its first pair
  std::uint32_t ports_ = 0;                // largest number of channels out of (or into) one switch
  std::vector<std::uint32_t> first_row_, row_of_;

  // For the current destination switch, by node (0: the destination itself): the child whose first
  // channel arrives at each port.
  std::vector<std::uint32_t> children_;
  // For the current LID, by switch.
  std::vector<std::uint32_t> node_of_;
  std::vector<std::uint8_t> is_needed_;
};

RouteForest::RouteForest(const Fabric& fabric, const ForwardingTables& tables, bool switch_ports) {
  RouteForestBuilder(fabric, tables, switch_ports, *this).run();
}

/// The route of a node with one channel is used itself, or follows the first channel of another
/// route.
std::vector<std::uint32_t> RouteForest::sources(const Fabric& fabric) const {
  std::vector<std::uint32_t> sources(node_count(), none);
  for_each_route([&](SwitchId s, Lid, std::uint32_t node) {
    if (node != none) sources[node] = s.value();
  });
  for (std::size_t n = 0; n < node_count(); ++n) {
    if (dependency_[n] == none) continue;
    sources[n] = fabric.channel_tail()[first_channel_[dependency_[n]]];
    sources[parent_[n]] = fabric.channel_tail()[second_channel_[dependency_[n]]];
  }
  return sources;
}

}  // namespace pssp
