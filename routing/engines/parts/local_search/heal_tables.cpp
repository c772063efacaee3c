// The complete tables are balanced, so what is left of them is: each entry that can stay stays, and
// those that lost their link, or that no route went by, go where the routes that stayed leave most
// room. All loads are known from the start, as the complete tables' routes on the links that exist;
// a destination's own are taken out while its entries are chosen.
//
// Then the same entries are chosen twice more, by what hurts: pairs of routes that merge
// (route_merges.h), and pairs that would be on at once in a shift (shift_counts.h). A pair of
// routes is in a random permutation with probability 1 / n^2, in a random shift with 1 / n; so n
// times the weight of structured traffic is what a pair of the second kind counts.
//
// Most traffic goes to base LIDs, and what few entries cost there weighs more than what they gain
// for striped flows. So further LIDs wait until all base LIDs are repaired.
//
// Where the complete tables are in step, the few entries that lost their link make the congested
// places that a shift waits for. So there hot spots count instead of pairs, and all entries of the
// switches with a hole may make room.

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

/// Entries for one LID that had to be chosen, nearest the destination first.
struct Chosen {
  SwitchId root;
  Lid lid;
  std::vector<std::uint32_t> switches;
};

/// Chooses given entries again, all others given.
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
  /// In shifts all send to the first LIDs.
  bool counts_in_shifts(Lid lid) const {
    return shifts_.has_value() && fabric_.end_port(owner(lid)).lid == lid;
  }
  std::uint32_t next(std::uint32_t s) const { return fabric_.channel_head()[out_[s]]; }

  void read(Lid lid) {
    tree_.read(tables_, lid);
    std::copy(tree_.out_channel().begin(), tree_.out_channel().end(), out_.begin());
    std::copy(tree_.endpoints().begin(), tree_.endpoints().end(), routes_.begin());
  }

  /// As it was read, with what was chosen since.
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

  /// Expects the tree to be read, and to be among the shifts' counts, but not among the merges.
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

  /// Takes the routes through s out of the way from there, or puts them on it (`sign` 1).
  void change_path(std::uint32_t s, const Chosen& chosen, int sign) {
    const bool in_shifts = counts_in_shifts(chosen.lid);
    for (std::uint32_t at = s; at != chosen.root.value(); at = next(at)) {
      if (in_shifts) shifts_->change(out_[at], positions_, sign);
      routes_[next(at)] += static_cast<std::uint32_t>(sign) * routes_[s];
    }
  }

  /// The switches whose routes come through s, s the first, and those of them that forward to it.
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
    // Rounding must not move anything.
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

  /// Pairs that the routes through s would be in, from s on, if they left it by `channel`; where
  /// that is `enough`, some number that is. Shifts take long to look up, so they come last, and
  /// what is met behind a switch is kept for the next way that goes over it.
  double cost(std::uint32_t s, std::uint32_t channel, const Chosen& chosen, double enough) {
    constexpr double of_pairs = 0.3;      // trials: .1 to .3 cost no bandwidth
    constexpr double of_hot_spots = 0.1;  // trials: .03 to 1 lead to the same shifts
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

  /// Begins a look: on the way that they take now the routes through s are counted themselves.
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

  /// Of the routes on `channel`, those that the routes through s have met on the channel before.
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
  std::vector<std::uint32_t> subtree_;  // of the switch that is chosen for
  std::vector<ShiftCounts::Positions> positions_;  // of the routes from there
  std::size_t children_ = 0;
  /// What the routes meet in shifts on the channel that a switch forwards by; of the present look
  /// where numbered so.
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
    chosen_.clear();  // no one sends there, so there is nothing to refine
    const std::vector<Chosen> chosen_of_further = heal_endpoints(further);
    forget_inferred_switches();
    refine(base, chosen_of_base);
    refine(all, chosen_of_further);
  }

 private:
  using Groups = std::span<const DestinationGroup>;

  /// How many groups there are before the first of second LIDs.
  std::size_t base_groups(Groups groups) const {
    const auto end = std::find_if(groups.begin(), groups.end(), [&](const DestinationGroup& group) {
      const Lid lid = group.lids.front();
      return fabric_.end_port(EndPortId(fabric_.owner(lid).index)).lid != lid;
    });
    return static_cast<std::size_t>(end - groups.begin());
  }

  /// The rows of switches that are not there.
  void forget_inferred_switches() {
    if (tables_.switch_count() == fabric_.switch_count()) return;
    ForwardingTables present(fabric_.switch_count(), tables_.max_lid());
    std::copy_n(tables_.entries().begin(), present.entries().size(), present.entries().begin());
    tables_ = std::move(present);
  }

  /// What had to be chosen.
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

  /// Adds what endpoints send to `lid` to the loads, or takes it out of them (`sign` -1).
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
        // An entry that nothing went by was chosen for no reason, and may now be on many ways.
        const bool is_idle = tree_.endpoints()[s] == 0 && fabric_.is_endpoint_lid(lid);
        if (is_idle || !can_stay(s, lid)) chosen.switches.push_back(s);
      }
      choose(chosen);
    }
    if (spreads_shifts_evenly_) add_holes(chosen);
    if (!chosen.switches.empty()) chosen_.push_back(std::move(chosen));
  }

  /// Their entries make room for those that had to be chosen.
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

  /// Largest load on the way to the root that begins with the channel.
  double busiest_over(std::uint32_t channel) const {
    return std::max(load_[channel], busiest_[fabric_.channel_head()[channel]]);
  }

  /// Of paths that are equally busy, that whose first channel is less so.
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
  std::vector<double> busiest_;  // on the way to the present destination, by SwitchId
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
