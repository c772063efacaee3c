// Without extra hops, an entry can stay if it leads nearer to the root: any combination of such
// entries forms a tree.
//
// With extra hops, a switch is settled when its path to the root is known. Kept entries are
// followed from the root outwards, so loops and dead ends are never reached and need no check. The
// remaining switches are processed nearest first: a switch one hop nearer is then settled, so there
// is always a path, and valid entries whose paths continued over an invalid entry become usable
// again.

#include "routing/repair/tree_repair.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/no_index.h"

namespace pssp {
TreeRepair::TreeRepair(const Fabric& fabric, std::uint32_t max_extra_hops, const UpDownOrder* order)
    : fabric_(fabric),
      max_extra_hops_(max_extra_hops),
      distances_(fabric),
      previous_(fabric.switch_count(), no_index),
      out_(fabric.switch_count(), no_index),
      hops_(fabric.switch_count(), no_index),
      routes_(fabric.switch_count(), 0),
      used_(fabric.switch_count(), 0),
      cost_(fabric.switch_count(), 0),
      could_stay_(fabric.switch_count(), 0),
      first_child_(fabric.switch_count(), no_index),
      next_sibling_(fabric.switch_count(), no_index) {
  order_.reserve(fabric.switch_count());
  if (order != nullptr) by_order_.emplace(fabric, *order);
}

void TreeRepair::set_root(SwitchId root) {
  root_ = root.value();
  if (by_order_) {
    by_order_->search(root);
  } else {
    distances_.search(root);
  }
  start_by_distance();
}

void TreeRepair::start_by_distance() {
  order_.assign(switches().begin(), switches().end());
  for (const std::uint32_t s : order_) hops_[s] = distance()[s];
}

bool TreeRepair::keep(std::span<const PortNumber> previous) {
  turns_ = nullptr;
  bool is_whole = false;
  if (max_extra_hops_ == 0) {
    is_whole = by_order_ ? keep_nearer(*by_order_, previous) : keep_nearer(distances_, previous);
  } else {
    is_whole = keep_arriving(previous);
  }
  if (is_whole) count_routes_of_whole();
  return is_whole;
}

/// no_index if the entry leads to no switch.
std::uint32_t TreeRepair::channel_behind(std::uint32_t s, PortNumber port) const {
  const PortTarget target = fabric_.behind(SwitchId(s), port);
  return target.kind == PortTarget::Kind::channel ? target.index : no_index;
}

void TreeRepair::take_turns(const ForwardingTables& previous, Lid lid) {
  turns_ = &previous;
  turn_of_ = lid;
}

/// Without extra hops, each entry can be checked separately: the path over a nearer switch is short
/// enough, whatever its entry.
template <class Distances>
bool TreeRepair::keep_nearer(const Distances& distances, std::span<const PortNumber> previous) {
  bool is_whole = true;
  for (const std::uint32_t s : distances.order().subspan(1)) {
    const std::uint32_t channel = channel_behind(s, previous[s]);
    const bool is_closer_hop = channel != no_index && distances.is_next_hop(s, channel);
    could_stay_[s] = is_closer_hop ? 1 : 0;
    out_[s] = previous_[s] = channel;
    is_whole &= is_closer_hop;
  }
  return is_whole;
}

/// Settles the switches whose previous paths arrive and are short enough, including paths over
/// switches that are no nearer. The rest of a path is short enough if the whole path is.
bool TreeRepair::keep_arriving(std::span<const PortNumber> previous) {
  for (const std::uint32_t s : switches()) {
    previous_[s] = channel_behind(s, previous[s]);
    hops_[s] = no_index;
    could_stay_[s] = 0;
    first_child_[s] = no_index;
  }
  order_.assign(1, root_);
  hops_[root_] = 0;
  for (const std::uint32_t s : switches().subspan(1)) {
    if (previous_[s] == no_index) continue;
    const std::uint32_t next = fabric_.channel_head()[previous_[s]];
    next_sibling_[s] = first_child_[next];
    first_child_[next] = s;
  }
  std::size_t followed = 0;
  while (followed < order_.size()) {  // settle() appends to it
    const std::uint32_t s = order_[followed++];
    for (std::uint32_t k = first_child_[s]; k != no_index; k = next_sibling_[k]) {
      if (!fits(k, previous_[k])) continue;
      could_stay_[k] = 1;
      settle(k, previous_[k]);
    }
  }
  return order_.size() == switches().size();
}

/// Whether the channel leads to a settled switch that is near enough to the root.
bool TreeRepair::fits(std::uint32_t s, std::uint32_t channel) const {
  if (channel == no_index || (max_extra_hops_ == 0 && !is_next_hop(s, channel))) return false;
  const std::uint32_t next = fabric_.channel_head()[channel];
  return hops_[next] != no_index && hops_[next] + 1 <= distance()[s] + max_extra_hops_;
}

void TreeRepair::settle(std::uint32_t s, std::uint32_t channel) {
  out_[s] = channel;
  hops_[s] = hops_[fabric_.channel_head()[channel]] + 1;
  order_.push_back(s);
}

void TreeRepair::complete(const ContentionCounts& counts) {
  cost_[root_] = 0;
  for (const std::uint32_t s : std::span(order_).subspan(1)) {
    if (!could_stay(s)) out_[s] = replacement(s, counts);
    cost_[s] = cost(out_[s], counts);
  }
  for (const std::uint32_t s : switches().subspan(1)) {
    if (hops_[s] != no_index) continue;
    could_stay_[s] = fits(s, previous_[s]) ? 1 : 0;
    settle(s, could_stay(s) ? previous_[s] : replacement(s, counts));
    cost_[s] = cost(out_[s], counts);
  }
  count_routes();
}

void TreeRepair::rechoose_overrun(const ContentionCounts& counts) {
  // Less than this is no reason to change an entry.
  constexpr double clearly_less = 0.99;
  if (max_extra_hops_ > 0) return;
  for (const std::uint32_t s : std::span(order_).subspan(1)) {
    if (could_stay(s) && routes_[s] >= 2 * used_[s] && routes_[s] > 0) {
      const std::uint32_t best = cheapest(s, counts);
      if (cost(best, counts) < clearly_less * cost(out_[s], counts)) out_[s] = best;
    } else if (!could_stay(s)) {
      out_[s] = replacement(s, counts);
    }
    cost_[s] = cost(out_[s], counts);
  }
  count_routes();
}

double TreeRepair::cost(std::uint32_t channel, const ContentionCounts& counts) const {
  return counts.on_channel(channel) + cost_[fabric_.channel_head()[channel]];
}

std::uint32_t TreeRepair::cheapest(std::uint32_t s, const ContentionCounts& counts) const {
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t fewest_hops = no_index;
  std::uint32_t best = no_index;
  for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
    if (!fits(s, c)) continue;
    const std::uint32_t hops =
        max_extra_hops_ == any_nonminimal_path ? hops_[fabric_.channel_head()[c]] : 0;
    const double path = cost(c, counts);
    if (hops > fewest_hops || (hops == fewest_hops && path >= least)) continue;
    fewest_hops = hops;
    least = path;
    best = c;
  }
  return best;
}

std::uint32_t TreeRepair::replacement(std::uint32_t s, const ContentionCounts& counts) const {
  return turns_ != nullptr ? in_turn(s) : cheapest(s, counts);
}

/// Each LID of the old port takes the next alternative in turn, which spreads the LIDs evenly.
std::uint32_t TreeRepair::in_turn(std::uint32_t s) const {
  std::vector<std::uint32_t> paths;
  std::uint32_t nearest = no_index;
  for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
    if (!fits(s, c)) continue;
    const std::uint32_t hops = hops_[fabric_.channel_head()[c]];
    if (hops < nearest) paths.clear();
    nearest = std::min(nearest, hops);
    if (hops == nearest) paths.push_back(c);
  }
  const auto row = turns_->row(SwitchId(s));
  const PortNumber port = row[turn_of_];
  const auto turn = static_cast<std::size_t>(std::ranges::count(row.first(turn_of_), port));
  const auto behind = std::ranges::find_if(
      paths, [&](std::uint32_t c) { return fabric_.channel_out_port()[c] > port; });
  const auto first = static_cast<std::size_t>(behind - paths.begin());
  return paths[(first + turn) % paths.size()];
}

void TreeRepair::count_routes() {
  for (const std::uint32_t s : order_) routes_[s] = used_[s] = fabric_.endpoints_per_switch()[s];
  for (std::size_t i = order_.size() - 1; i > 0; --i) {
    const std::uint32_t s = order_[i];
    routes_[fabric_.channel_head()[out_[s]]] += routes_[s];
    if (could_stay(s)) used_[fabric_.channel_head()[previous_[s]]] += used_[s];
  }
}

/// All previous entries are kept, so that used_ would equal routes_.
void TreeRepair::count_routes_of_whole() {
  for (const std::uint32_t s : order_) routes_[s] = fabric_.endpoints_per_switch()[s];
  for (std::size_t i = order_.size() - 1; i > 0; --i) {
    const std::uint32_t s = order_[i];
    routes_[fabric_.channel_head()[out_[s]]] += routes_[s];
  }
}

void TreeRepair::add_previous_routes(std::span<std::uint64_t> load) const {
  for (const std::uint32_t s : std::span(order_).subspan(1)) {
    if (could_stay(s)) load[previous_[s]] += used_[s];
  }
}

RouteTree TreeRepair::tree() const { return {std::span(order_).subspan(1), out_, routes_, root_}; }

}  // namespace pssp
