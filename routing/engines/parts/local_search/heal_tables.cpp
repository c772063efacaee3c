// The complete tables are balanced, so each entry stays if it can. Entries that lost their link, or
// that carried no route, go to the channels that the remaining routes load least. The loads are
// those of the complete tables on the links that exist; the routes to a destination are taken out
// of them while its entries are chosen.
//
// Then the same entries are chosen twice more, by their contention in random traffic
// (route_contention.h) and in shifts (shift_counts.h). On n hosts, a pair of routes is used
// together with probability 1 / n^2 in a random permutation, but 1 / n in a random shift; so a pair
// that meets in a shift counts n times the weight of structured traffic.
//
// Most traffic goes to base LIDs, so the additional LIDs are repaired after all base LIDs.
//
// If the complete tables distribute shifts evenly, the entries that lost their link create the hot
// spots that determine the time of a shift. Then the cost of hot spots replaces the number of
// pairs, and all entries of switches that lost a link may change.

#include "routing/engines/parts/local_search/heal_tables.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/no_index.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/destination_tree.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/shift_counts.h"
#include "routing/structured_suite/host_order.h"

namespace pssp {
namespace {

/// The switches whose entries for one LID had to be chosen, nearest the destination first.
struct Chosen {
  SwitchId root;
  Lid lid;
  std::vector<std::uint32_t> switches;
};

/// Chooses given entries again, by contention with all other entries.
template <class Distances>
class EntryRefiner {
 public:
  EntryRefiner(const Fabric& fabric, ForwardingTables& tables, Distances& distances,
               bool spreads_shifts_evenly, const StopSignal& stop)
      : fabric_(fabric),
        tables_(tables),
        distances_(distances),
        spreads_shifts_evenly_(spreads_shifts_evenly),
        stop_(stop),
        contention_(fabric),
        tree_(fabric),
        out_(fabric.switch_count(), no_index),
        routes_(fabric.switch_count(), 0),
        met_(fabric.switch_count()) {
    std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
    if (ShiftCounts::is_affordable(fabric, hosts.size())) shifts_.emplace(fabric, hosts);
  }

  void run(std::span<const DestinationGroup> endpoints, const std::vector<Chosen>& chosen) {
    constexpr int rounds = 2;
    for (const DestinationGroup& group : endpoints) {
      for (const Lid lid : group.lids) add(lid);
    }
    SwitchId searched;
    for (int round = 0; round < rounds; ++round) {
      for (const Chosen& each : chosen) {
        stop_.check("repair of a tree", each, chosen);
        if (each.root != searched) distances_.search(each.root);
        searched = each.root;
        read(each.lid);
        contention_.remove(tree());
        choose(each);
        contention_.add(tree());
      }
    }
  }

 private:
  EndPortId owner(Lid lid) const { return EndPortId(fabric_.owner(lid).index); }
  /// Shifts use base LIDs only.
  bool counts_in_shifts(Lid lid) const {
    return shifts_.has_value() && fabric_.end_port(owner(lid)).lid == lid;
  }
  std::uint32_t next(std::uint32_t s) const { return fabric_.channel_head()[out_[s]]; }

  void read(Lid lid) {
    tree_.read(tables_, lid);
    std::copy(tree_.out_channel().begin(), tree_.out_channel().end(), out_.begin());
    std::copy(tree_.endpoints().begin(), tree_.endpoints().end(), routes_.begin());
  }

  /// The tree that was read, with the entries that were chosen since.
  RouteTree tree() const {
    const auto order = tree_.upstream_first();
    if (order.empty()) return {};
    return {order.first(order.size() - 1), out_, routes_, order.back()};
  }

  void add(Lid lid) {
    read(lid);
    if (tree_.upstream_first().empty()) return;
    contention_.add(tree());
    if (counts_in_shifts(lid)) shifts_->change(tree(), owner(lid), 1);
  }

  /// The tree must have been read; shifts_ must include it, contention_ must not.
  void choose(const Chosen& chosen) {
    for (const std::uint32_t s : chosen.switches) {
      if (routes_[s] == 0) continue;
      gather_subtree(s);
      if (counts_in_shifts(chosen.lid)) {
        shifts_->find_positions(subtree_, owner(chosen.lid), positions_);
      }
      const std::uint32_t best = cheapest(s, chosen);
      if (best == out_[s]) continue;
      change_path(s, chosen, -1);
      out_[s] = best;
      change_path(s, chosen, 1);
      tables_.set(SwitchId(s), chosen.lid, fabric_.channel_out_port()[best]);
    }
  }

  /// Removes the routes through s from the channels of their path from s on, or adds them
  /// (`sign` 1).
  void change_path(std::uint32_t s, const Chosen& chosen, int sign) {
    const bool in_shifts = counts_in_shifts(chosen.lid);
    for (std::uint32_t at = s; at != chosen.root.value(); at = next(at)) {
      if (in_shifts) shifts_->change(out_[at], positions_, sign);
      routes_[next(at)] += static_cast<std::uint32_t>(sign) * routes_[s];
    }
  }

  /// Finds the switches whose routes pass s, beginning with s and the switches that forward to it.
  void gather_subtree(std::uint32_t s) {
    subtree_.assign(1, s);
    children_ = 0;
    for (std::size_t i = 0; i < subtree_.size(); ++i) {
      const std::uint32_t at = subtree_[i];
      for (std::uint32_t c = fabric_.first_channel()[at]; c < fabric_.first_channel()[at + 1];
           ++c) {
        const std::uint32_t behind = fabric_.channel_head()[c];
        if (out_[behind] == fabric_.channel_reverse()[c]) subtree_.push_back(behind);
      }
      if (i == 0) children_ = subtree_.size() - 1;
    }
  }

  std::uint32_t cheapest(std::uint32_t s, const Chosen& chosen) {
    // Rounding errors must not change an entry.
    constexpr double clearly_less = 1 - 1e-9;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::uint32_t best = out_[s];
    if (counts_in_shifts(chosen.lid)) meet_on_present_path(s, chosen);
    double least = cost(s, best, chosen, infinity) * clearly_less;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (c == out_[s] || !distances_.is_next_hop(s, c)) continue;
      const double here = cost(s, c, chosen, least);
      if (here >= least) continue;
      least = here;
      best = c;
    }
    return best;
  }

  /// Weighted contention of the routes through s, from s on, if they left it by `channel`; if it is
  /// at least `enough`, any number that is. Shifts take longest, so they come last, and the result
  /// for each switch is kept for the other paths over this switch.
  double cost(std::uint32_t s, std::uint32_t channel, const Chosen& chosen, double enough) {
    constexpr double of_pairs = 0.3;      // measured: 0.1 to 0.3 cost no bandwidth
    constexpr double of_hot_spots = 0.1;  // measured: 0.03 to 1 lead to the same shifts
    const double contention = contention_over(s, channel, chosen);
    if (!counts_in_shifts(chosen.lid)) return contention;
    const double weight =
        (spreads_shifts_evenly_ ? of_hot_spots : of_pairs) * static_cast<double>(shifts_->hosts());
    double shifts = channel == out_[s] ? met_[s].met : met_in_shifts(channel, false);
    for (std::uint32_t at = fabric_.channel_head()[channel];
         at != chosen.root.value() && contention + weight * shifts < enough; at = next(at)) {
      if (met_[at].probe != probe_) met_[at] = {probe_, met_in_shifts(out_[at], false)};
      shifts += met_[at].met;
    }
    return contention + weight * shifts;
  }

  double contention_over(std::uint32_t s, std::uint32_t channel, const Chosen& chosen) const {
    const double routes = routes_[s];
    double contention = routes * contention_.on_channel(channel) - met_before(s, channel);
    std::uint32_t before = channel;
    for (std::uint32_t at = fabric_.channel_head()[channel]; at != chosen.root.value();
         at = next(at)) {
      const std::uint32_t c = out_[at];
      contention += routes * contention_.on_channel(c);
      contention -= routes * contention_.shared_at_turn(before, c);
      before = c;
    }
    return contention;
  }

  /// Begins a probe: on their present path, the counts include the routes through s themselves.
  void meet_on_present_path(std::uint32_t s, const Chosen& chosen) {
    ++probe_;
    for (std::uint32_t at = s; at != chosen.root.value(); at = next(at)) {
      met_[at] = {probe_, met_in_shifts(out_[at], true)};
    }
  }

  double met_in_shifts(std::uint32_t channel, bool counted) const {
    return spreads_shifts_evenly_ ? shifts_->hot_spot_cost(channel, positions_, counted)
                                  : shifts_->met(channel, positions_, counted);
  }

  /// Pairs on `channel` that already share the channel before s.
  double met_before(std::uint32_t s, std::uint32_t channel) const {
    double met = 0;
    if (fabric_.endpoints_per_switch()[s] != 0) met += contention_.shared_at_start(channel);
    for (std::size_t i = 1; i <= children_; ++i) {
      const std::uint32_t child = subtree_[i];
      met += routes_[child] * contention_.shared_at_turn(out_[child], channel);
    }
    return met;
  }

  const Fabric& fabric_;
  ForwardingTables& tables_;
  Distances& distances_;
  bool spreads_shifts_evenly_;
  const StopSignal& stop_;
  ContentionCounts contention_;
  std::optional<ShiftCounts> shifts_;  // none: too large
  DestinationTree tree_;
  std::vector<std::uint32_t> out_;      // channel that each switch forwards by, by SwitchId
  std::vector<std::uint32_t> routes_;   // through the switch, by SwitchId
  std::vector<std::uint32_t> subtree_;  // of the switch whose entry is chosen
  std::vector<ShiftCounts::Positions> positions_;  // of the routes from the subtree
  std::size_t children_ = 0;
  /// Contention in shifts on the channel that a switch forwards by; valid if `probe` is the present
  /// one.
  struct Met {
    std::uint64_t probe = 0;
    double met = 0;
  };
  std::vector<Met> met_;  // by SwitchId
  std::uint64_t probe_ = 0;
};

/// `Distances` says which paths are legal: UpDownDistances or HopDistances.
template <class Distances>
class TableHealer {
 public:
  TableHealer(const Fabric& fabric, const Fabric& complete, ForwardingTables& tables,
              Distances distances, const HealSettings& how, const StopSignal& stop)
      : fabric_(fabric),
        tables_(tables),
        distances_(std::move(distances)),
        spreads_shifts_evenly_(how.spreads_shifts_evenly),
        stop_(stop),
        tree_(complete),
        load_(fabric.channel_count(), 0),
        busiest_(fabric.switch_count(), 0),
        lost_link_(fabric.switch_count(), false) {
    index_channels(complete);
  }

  /// Base LIDs are repaired as if there were no others.
  void run() {
    const DestinationOrder order = destinations_by_switch(fabric_, switches_by_proximity(fabric_));
    const Groups all = order.endpoints;
    const Groups base = all.first(base_groups(all));
    const Groups further = all.subspan(base.size());
    const std::vector<Chosen> chosen_of_base = heal_endpoints(base);
    heal(order.others);
    chosen_.clear();  // these LIDs get no traffic between hosts, so their entries are not refined
    const std::vector<Chosen> chosen_of_further = heal_endpoints(further);
    forget_inferred_switches();
    refine(base, chosen_of_base);
    refine(all, chosen_of_further);
  }

 private:
  using Groups = std::span<const DestinationGroup>;

  /// Number of groups of base LIDs, which come first.
  std::size_t base_groups(Groups groups) const {
    const auto end = std::find_if(groups.begin(), groups.end(), [&](const DestinationGroup& group) {
      const Lid lid = group.lids.front();
      return fabric_.end_port(EndPortId(fabric_.owner(lid).index)).lid != lid;
    });
    return static_cast<std::size_t>(end - groups.begin());
  }

  /// Removes the tables of inferred switches.
  void forget_inferred_switches() {
    if (tables_.switch_count() == fabric_.switch_count()) return;
    ForwardingTables present(fabric_.switch_count(), tables_.max_lid());
    std::copy_n(tables_.entries().begin(), present.entries().size(), present.entries().begin());
    tables_ = std::move(present);
  }

  /// Returns the entries that had to be chosen.
  std::vector<Chosen> heal_endpoints(Groups groups) {
    for (const DestinationGroup& group : groups) {
      for (const Lid lid : group.lids) add_routes(lid, 1);
    }
    heal(groups);
    return std::exchange(chosen_, {});
  }

  void refine(Groups groups, const std::vector<Chosen>& chosen) {
    if (chosen.empty()) return;
    EntryRefiner<Distances>(fabric_, tables_, distances_, spreads_shifts_evenly_, stop_)
        .run(groups, chosen);
  }

  void index_channels(const Fabric& complete) {
    channel_of_complete_.assign(complete.channel_count(), no_index);
    for (std::uint32_t c = 0; c < complete.channel_count(); ++c) {
      if (complete.channel_tail()[c] >= fabric_.switch_count()) continue;  // of an inferred switch
      const PortTarget target =
          fabric_.behind(SwitchId(complete.channel_tail()[c]), complete.channel_out_port()[c]);
      if (target.kind == PortTarget::Kind::channel) {
        channel_of_complete_[c] = target.index;
      } else {
        lost_link_[complete.channel_tail()[c]] = true;
      }
    }
  }

  /// Adds the routes from all endpoints to `lid` to the loads, or removes them (`sign` -1).
  void add_routes(Lid lid, double sign) {
    if (!fabric_.is_endpoint_lid(lid)) return;
    tree_.read(tables_, lid);
    for (const std::uint32_t s : tree_.upstream_first()) {
      const std::uint32_t out = tree_.out_channel()[s];
      if (out == DestinationTree::no_channel || channel_of_complete_[out] == no_index) continue;
      const std::uint32_t channel = channel_of_complete_[out];
      load_[channel] += sign * tree_.endpoints()[s] * fabric_.channel_cost()[channel];
    }
  }

  void heal(Groups groups) {
    for (const DestinationGroup& group : groups) {
      stop_.check("repair of a tree", group, groups);
      distances_.search(group.at);
      for (const Lid lid : group.lids) heal(group.at, lid);
    }
  }

  void heal(SwitchId root, Lid lid) {
    Chosen chosen{root, lid, {}};
    bool all_stay = true;
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      all_stay &= can_stay(s, lid);
    }
    if (distances_.order().size() < fabric_.switch_count()) forget_other_islands(lid);
    if (!all_stay) {
      tree_.read(tables_, lid);
      for (const std::uint32_t s : distances_.order().subspan(1)) {
        // An entry without routes was chosen arbitrarily, and may now be on many paths.
        const bool is_idle = tree_.endpoints()[s] == 0 && fabric_.is_endpoint_lid(lid);
        if (is_idle || !can_stay(s, lid)) chosen.switches.push_back(s);
      }
      choose(chosen);
    }
    if (spreads_shifts_evenly_) add_holes(chosen);
    if (!chosen.switches.empty()) chosen_.push_back(std::move(chosen));
  }

  /// Adds the switches that lost a link, whose entries may change, too.
  void add_holes(Chosen& chosen) const {
    std::vector<std::uint32_t> all;
    auto next_chosen = chosen.switches.begin();
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      const bool is_chosen = next_chosen != chosen.switches.end() && *next_chosen == s;
      if (is_chosen) ++next_chosen;
      if (is_chosen || lost_link_[s]) all.push_back(s);
    }
    chosen.switches = std::move(all);
  }

  std::uint32_t channel_of(std::uint32_t s, Lid lid) const {
    const PortTarget target = fabric_.behind(SwitchId(s), tables_.at(SwitchId(s), lid));
    return target.kind == PortTarget::Kind::channel ? target.index : no_index;
  }

  bool can_stay(std::uint32_t s, Lid lid) const {
    const std::uint32_t channel = channel_of(s, lid);
    return channel != no_index && distances_.is_next_hop(s, channel);
  }

  void forget_other_islands(Lid lid) {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (distances_.distance()[s] == unreachable_distance) {
        tables_.set(SwitchId(s), lid, no_port);
      }
    }
  }

  /// Chooses these entries for the LID at the root that was searched last.
  void choose(const Chosen& chosen) {
    add_routes(chosen.lid, -1);
    busiest_[chosen.root.value()] = 0;
    auto next_chosen = chosen.switches.begin();
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      if (next_chosen != chosen.switches.end() && *next_chosen == s) {
        ++next_chosen;
        const std::uint32_t channel = least_busy(s);
        tables_.set(SwitchId(s), chosen.lid, fabric_.channel_out_port()[channel]);
      }
      busiest_[s] = busiest_over(channel_of(s, chosen.lid));
    }
    add_routes(chosen.lid, 1);
  }

  /// Largest load on the path to the root that begins with the channel.
  double busiest_over(std::uint32_t channel) const {
    return std::max(load_[channel], busiest_[fabric_.channel_head()[channel]]);
  }

  /// Of paths with the same largest load, the one whose first channel has a lower load.
  std::uint32_t least_busy(std::uint32_t s) const {
    std::uint32_t best = no_index;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (!distances_.is_next_hop(s, c)) continue;
      if (best == no_index ||
          std::pair(busiest_over(c), load_[c]) < std::pair(busiest_over(best), load_[best])) {
        best = c;
      }
    }
    return best;
  }

  const Fabric& fabric_;
  ForwardingTables& tables_;
  Distances distances_;
  bool spreads_shifts_evenly_;
  const StopSignal& stop_;
  DestinationTree tree_;  // in the complete fabric, where the tables have gaps nowhere, if anywhere
  std::vector<std::uint32_t> channel_of_complete_;  // none: inferred
  std::vector<double> load_;                        // by ChannelId, relative to the capacity
  std::vector<double> busiest_;  // on the path to the present destination, by SwitchId
  std::vector<bool> lost_link_;  // lost a link, by SwitchId
  std::vector<Chosen> chosen_;
};

}  // namespace

ForwardingTables heal_tables(const Fabric& fabric, const Fabric& complete, ForwardingTables tables,
                             const HealSettings& how, const StopSignal& stop) {
  if (how.order != nullptr) {
    TableHealer(fabric, complete, tables, UpDownDistances(fabric, *how.order), how, stop).run();
  } else {
    TableHealer(fabric, complete, tables, HopDistances(fabric), how, stop).run();
  }
  return tables;
}

}  // namespace pssp
