// Shifts: shift_counts.h. Leaves: if the hosts of leaf a reach K destinations at leaf b over one
// channel, hosts(a) * K (K - 1) / 2 pairs of routes share it whenever the two leaves exchange data.
// Only the K of one leaf b are in memory at a time; set_leaf() clears the few that are not 0.

#include "routing/engines/parts/counts/structured_counts.h"

#include "base/no_index.h"
#include "fabric/tables/destination_tree.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/structured_suite/host_order.h"

namespace pssp {
bool StructuredCounts::can_count_shifts(const Fabric& fabric) {
  return ShiftCounts::is_affordable(fabric, fabric.endpoints().size());
}

StructuredCounts::StructuredCounts(const Fabric& fabric, StructuredWeights weights)
    : fabric_(fabric),
      of_shifts_(weights.shifts * static_cast<double>(fabric.endpoints().size())),
      by_hot_spots_(weights.hot_spots),
      of_leaves_(weights.leaves * static_cast<double>(fabric.endpoints().size())),
      leaf_(fabric.switch_count(), no_index) {
  if (weights.shifts != 0 && can_count_shifts(fabric)) {
    shifts_.emplace(fabric, order_hosts(fabric, HostOrderRule::name).hosts);
  }
  if (weights.leaves == 0) return;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.endpoints_per_switch()[s] != 0) leaf_[s] = static_cast<std::uint32_t>(leaves_++);
  }
  to_leaf_.assign(fabric.channel_count() * leaves_, 0);
}

void StructuredCounts::set_leaf() {
  for (const std::size_t place : not_all_zero_) to_leaf_[place] = 0;
  not_all_zero_.clear();
}

void StructuredCounts::add_to_shifts(const RouteTree& tree) {
  if (shifts_) shifts_->change(tree, destination_, 1);
}

void StructuredCounts::add_to_leaf(const RouteTree& tree) {
  if (leaves_ == 0) return;
  for (const std::uint32_t source : tree.switches) {
    if (leaf_[source] == no_index) continue;
    for (std::uint32_t s = source; s != tree.root;) {
      const std::uint32_t channel = tree.out_channel[s];
      change_leaf(channel, leaf_[source], 1);
      s = fabric_.channel_head()[channel];
    }
  }
}

void StructuredCounts::change_leaf(std::uint32_t channel, std::uint32_t leaf, int sign) {
  const std::size_t place = channel * leaves_ + leaf;
  if (to_leaf_[place] == 0) not_all_zero_.push_back(place);
  to_leaf_[place] = static_cast<std::uint16_t>(to_leaf_[place] + sign);
}

void StructuredCounts::change(std::uint32_t channel, const Sources& sources, int sign) {
  if (shifts_) shifts_->change(channel, sources.positions, sign);
  for (const Sources::Leaf& each : sources.leaves) change_leaf(channel, each.number, sign);
}

void StructuredCounts::find(std::span<const std::uint32_t> switches, Sources& sources) const {
  if (shifts_) shifts_->find_positions(switches, destination_, sources.positions);
  sources.leaves.clear();
  if (leaves_ == 0) return;
  for (const std::uint32_t s : switches) {
    sources.leaves.push_back({leaf_[s], fabric_.endpoints_per_switch()[s]});
  }
}

double StructuredCounts::met(std::uint32_t channel, const Sources& sources, bool counted) const {
  double met = 0;
  if (shifts_) {
    met += of_shifts_ * (by_hot_spots_
                             ? shifts_->hot_spot_increase(channel, sources.positions, counted)
                             : shifts_->met(channel, sources.positions, counted));
  }
  if (leaves_ == 0) return met;
  const std::uint32_t own = counted ? 1 : 0;
  std::uint64_t to_leaf = 0;
  const std::uint16_t* const row = to_leaf_.data() + channel * leaves_;
  for (const Sources::Leaf& each : sources.leaves) {
    to_leaf += std::uint64_t{each.endpoints} * (row[each.number] - own);
  }
  return met + of_leaves_ * static_cast<double>(to_leaf) * fabric_.channel_cost()[channel];
}

double StructuredCounts::pairs_in_shifts() const {
  if (!shifts_) return 0;
  return of_shifts_ * (by_hot_spots_ ? shifts_->hot_spots() : shifts_->pairs());
}

double StructuredCounts::pairs_to_leaf() const {
  double sum = 0;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (leaf_[s] == no_index) continue;
    const double sources = fabric_.endpoints_per_switch()[s];
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const double together = to_leaf_[c * leaves_ + leaf_[s]];
      if (together > 1) {
        sum += sources * together * (together - 1) / 2 * fabric_.channel_cost()[c];
      }
    }
  }
  return of_leaves_ * sum;
}

double structured_pairs(const Fabric& fabric, const ForwardingTables& tables,
                        StructuredWeights weights) {
  StructuredCounts counts(fabric, weights);
  DestinationTree tree(fabric);
  double sum = 0;
  const DestinationOrder order = destinations_by_switch(fabric, switches_by_proximity(fabric));
  for (const DestinationGroup& group : order.endpoints) {
    counts.set_leaf();
    for (const Lid lid : group.lids) {
      const EndPortId owner(fabric.owner(lid).index);
      tree.read(tables, lid);
      const auto upstream_first = tree.upstream_first();
      if (fabric.end_port(owner).lid != lid || upstream_first.empty()) continue;
      counts.set_destination(owner);
      counts.add({upstream_first.first(upstream_first.size() - 1), tree.out_channel(),
                  tree.endpoints(), upstream_first.back()});
    }
    sum += counts.pairs_to_leaf();
  }
  return sum + counts.pairs_in_shifts();
}

}  // namespace pssp
