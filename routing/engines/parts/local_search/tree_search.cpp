// The trees of all destinations except one are fixed. Changing the entry of switch s for this
// destination from channel b to b' moves all routes through s. Their contention changes on b and
// b', because they arrive there over other turns, and on the paths behind these channels; it does
// not change before s. So if the contention behind each switch is known, the gain is exact and
// costs one access to a turn for each switch that forwards to s.
//
// Switches are visited nearest the destination first, so that the contention behind every next hop
// of s is known. Switches without routes choose the path with the fewest routes, so that later
// switches find a good path behind them.
//
// With extra hops, the contention behind a switch is summed along its path each time, which also
// finds out whether the path would lead back to s.

#include "routing/engines/parts/local_search/tree_search.h"

#include <algorithm>
#include <utility>

#include "base/no_index.h"

namespace pssp {
namespace {

/// Without this margin, rounding errors could make the search alternate between two paths forever.
constexpr double clearly_less = 1 - 1e-9;

}  // namespace

[[gnu::always_inline]] inline TreeSearch::PathChoice TreeSearch::path(std::uint32_t channel) const {
  return {channel, fabric_.channel_head()[channel], fabric_.channel_reverse()[channel],
          fabric_.channel_cost()[channel], counts_.turns_to(channel)};
}

TreeSearch::TreeSearch(const Fabric& fabric, const ContentionCounts& counts,
                       std::uint32_t max_extra_hops, std::uint64_t seed, const UpDownOrder* up_down)
    : fabric_(fabric),
      counts_(counts),
      max_extra_hops_(max_extra_hops),
      random_(seed),
      distances_(fabric),
      candidates_of_(fabric.switch_count()),
      out_(fabric.switch_count(), no_index),
      routes_(fabric.switch_count(), 0),
      hops_(fabric.switch_count(), 0),
      ahead_(fabric.switch_count()),
      first_child_(fabric.switch_count(), no_index),
      next_sibling_(fabric.switch_count(), no_index),
      met_(fabric.switch_count()) {
  if (up_down != nullptr) up_down_.emplace(fabric, *up_down);
}

void TreeSearch::set_root(SwitchId root) {
  root_ = root.value();
  if (up_down_) {
    up_down_->search(root);
    reaching_ = up_down_->order();
    gather_candidates(
        [&](std::uint32_t s, std::uint32_t channel) { return up_down_->is_next_hop(s, channel); });
  } else {
    distances_.search(root);
    reaching_ = distances_.order();
    gather_candidates([&](std::uint32_t s, std::uint32_t channel) {
      return distances_.is_next_hop(s, channel, max_extra_hops_);
    });
  }
  ahead_[root_] = {0, counts_.turns_to_end_ports(root_), 0};
}

template <class IsCloser>
void TreeSearch::gather_candidates(const IsCloser& is_next_hop) {
  const auto first = fabric_.first_channel();
  candidates_.clear();
  for (const std::uint32_t s : reaching_) {
    Candidates& candidates = candidates_of_[s];
    candidates.first = static_cast<std::uint32_t>(candidates_.size());
    for (std::uint32_t c = first[s]; s != root_ && c < first[s + 1]; ++c) {
      if (is_next_hop(s, c)) candidates_.push_back(path(c));
    }
    candidates.end = static_cast<std::uint32_t>(candidates_.size());
  }
}

RouteTree TreeSearch::read_paths(const ForwardingTables& tables, Lid lid) {
  for (const std::uint32_t s : reaching_.subspan(1)) {
    out_[s] = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), lid)).index;
  }
  return {reaching_.subspan(1), out_, {}, root_};
}

void TreeSearch::read(const ForwardingTables& tables, Lid lid) {
  for (const std::uint32_t s : reaching_) first_child_[s] = no_index;
  for (const std::uint32_t s : reaching_.subspan(1)) {
    out_[s] = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), lid)).index;
    link(s);
  }
  order_.resize(reaching_.size());
  order_.front() = root_;
  hops_[root_] = 0;
  std::size_t known = 1;
  for (std::size_t i = 0; i < known; ++i) {
    const std::uint32_t s = order_[i];
    routes_[s] = fabric_.endpoints_per_switch()[s];
    for (std::uint32_t k = first_child_[s]; k != no_index; k = next_sibling_[k]) {
      hops_[k] = hops_[s] + 1;
      order_[known++] = k;
    }
  }
  order_.resize(known);
  for (std::size_t i = known - 1; i > 0; --i) routes_[next(order_[i])] += routes_[order_[i]];
}

double TreeSearch::improve(std::uint64_t& probes_left, const Inertia& inertia) {
  double gain = 0;
  for (const std::uint32_t s : std::span(order_).subspan(1)) {
    const std::uint32_t candidates = candidates_of_[s].end - candidates_of_[s].first;
    const bool may_move = inertia.may_move.empty() || inertia.may_move[s] != 0;
    if (candidates > 1 && probes_left != 0 && may_move) {
      probes_left -= std::min<std::uint64_t>(probes_left, candidates);
      gain += choose(s, inertia);
    }
    if (max_extra_hops_ == 0) probe_ahead(s);
  }
  return gain;
}

void TreeSearch::write(ForwardingTables& tables, Lid lid) const {
  for (const std::uint32_t s : std::span(order_).subspan(1)) {
    tables.set(SwitchId(s), lid, fabric_.channel_out_port()[out_[s]]);
  }
}

void TreeSearch::link(std::uint32_t s) {
  next_sibling_[s] = first_child_[next(s)];
  first_child_[next(s)] = s;
}

void TreeSearch::unlink(std::uint32_t s) {
  std::uint32_t* place = &first_child_[next(s)];
  while (*place != s) place = &next_sibling_[*place];
  *place = next_sibling_[s];
}

/// contention_over() if all channels have the same capacity and all paths are minimal: sums of
/// integers, which are much faster.
struct TreeSearch::TotalContention {
  const ContentionCounts& counts;
  const Ahead* ahead;  // by SwitchId
  std::span<const Arrivals> arrivals;
  double routes;  // through the switch, at least one

  [[gnu::always_inline]] double operator()(const PathChoice& path) const {
    const Ahead& next = ahead[path.head];
    const std::uint64_t on_channel = counts.routes(path.channel);
    const auto behind = static_cast<std::int64_t>(on_channel - next.turns[path.reverse]);
    // No route starts at a switch without endpoints.
    std::uint64_t met = counts.starting(path.channel);
    for (const Arrivals& in : arrivals) met += std::uint64_t{in.routes} * path.turns[in.reverse];
    return routes * (next.contention + static_cast<double>(behind)) -
           static_cast<double>(static_cast<std::int64_t>(met));
  }
};

/// Contention of one route behind the channel.
inline double TreeSearch::Ahead::behind(const PathChoice& path) const {
  return contention - turns[path.reverse] * std::min(path.cost, cost);
}

void TreeSearch::probe_ahead(std::uint32_t s) {
  const PathChoice out = path(out_[s]);
  ahead_[s] = {counts_.on_channel(out.channel) + ahead_[out.head].behind(out),
               counts_.turns_to(out.channel), out.cost};
}

[[gnu::always_inline]] inline double TreeSearch::random_factor() {
  if (noise_ == 0) return 1;
  return 1 + noise_ * (unit_interval(random_()) - 0.5);
}

/// Contention of the routes through s, from s on, if they left it by `path`, behind which each
/// route has contention `behind`. If no routes pass s: of one additional route.
double TreeSearch::contention_over(std::uint32_t s, const PathChoice& path, double behind) const {
  const double each = counts_.on_channel(path.channel) + behind;
  if (routes_[s] == 0) return each;
  double contention = routes_[s] * each;
  if (fabric_.endpoints_per_switch()[s] != 0) contention -= counts_.shared_at_start(path.channel);
  for (const Arrivals& in : arrivals_) {
    contention -=
        static_cast<double>(in.routes) * path.turns[in.reverse] * std::min(in.cost, path.cost);
  }
  return contention;
}

/// Returns the decrease of contention.
double TreeSearch::choose(std::uint32_t s, const Inertia& inertia) {
  gather_arrivals(s);
  if (max_extra_hops_ != 0) {
    const std::uint32_t room = room_for_extra_hops(s);
    return choose(s, inertia, [this, s, room](const PathChoice& path) {
      return contention_over(s, path, walk(s, path.channel, room));
    });
  }
  if (counts_.is_uniform()) {
    const double routes = std::max<std::uint32_t>(routes_[s], 1);
    return choose(s, inertia, TotalContention{counts_, ahead_.data(), arrivals_, routes});
  }
  return choose(s, inertia, [this, s](const PathChoice& path) {
    return contention_over(s, path, ahead_[path.head].behind(path));
  });
}

template <class Contention>
double TreeSearch::choose(std::uint32_t s, const Inertia& inertia,
                          const Contention& contention_over) {
  // A switch without routes has no contention in structured traffic.
  if (structured_ != nullptr && routes_[s] != 0) return choose_by_all(s, contention_over);
  const std::uint32_t baseline = inertia.baseline.empty() ? no_index : inertia.baseline[s];
  std::uint32_t best_out = out_[s];
  const PathChoice old = path(best_out);
  const double now = contention_over(old);
  double best = best_out == baseline ? now * inertia.share : now;
  double enough = best * clearly_less;
  for (std::uint32_t i = candidates_of_[s].first; i < candidates_of_[s].end; ++i) {
    const PathChoice& path = candidates_[i];
    if (path.channel == old.channel) continue;
    double contention = contention_over(path) * random_factor();
    if (path.channel == baseline) contention *= inertia.share;
    // Rarely true, so that branch prediction continues with the next candidate.
    if (contention < enough) [[unlikely]] {
      best = contention;
      enough = best * clearly_less;
      best_out = path.channel;
    }
  }
  if (best_out == old.channel) return 0;
  move(s, best_out);
  if (best_out == baseline) best /= inertia.share;
  return routes_[s] == 0 ? 0 : now - best;
}

/// The same with the contention in structured traffic. Most candidates already have too much
/// contention in random traffic, so this part is computed last, and only as far as needed.
template <class Contention>
double TreeSearch::choose_by_all(std::uint32_t s, const Contention& contention_over) {
  find_sources(s);
  const PathChoice old = path(out_[s]);
  const double now = contention_over(old) + structured_now(s);
  double best = now;
  std::uint32_t best_out = old.channel;
  for (std::uint32_t i = candidates_of_[s].first; i < candidates_of_[s].end; ++i) {
    const PathChoice& path = candidates_[i];
    if (path.channel == old.channel) continue;
    const double enough = best * clearly_less;
    const double factor = random_factor();
    const double contention = contention_over(path) * factor;
    if (contention >= enough) continue;
    const double all = contention + structured_over(path, (enough - contention) / factor) * factor;
    if (all >= enough) continue;
    best = all;
    best_out = path.channel;
  }
  if (best_out == old.channel) return 0;
  change_structured(s, -1);
  move(s, best_out);
  change_structured(s, 1);
  return now - best;
}

/// Finds the switches where the routes through s start.
void TreeSearch::find_sources(std::uint32_t s) {
  leaves_.clear();
  if (first_child_[s] == no_index) {
    leaves_.push_back(s);
  } else {
    for_subtree(s, [&](std::uint32_t k) {
      if (fabric_.endpoints_per_switch()[k] != 0) leaves_.push_back(k);
    });
  }
  structured_->find(leaves_, sources_);
}

/// Contention of the sources' routes in structured traffic on their present path, where the counts
/// include these routes themselves.
double TreeSearch::structured_now(std::uint32_t s) {
  ++probe_;
  double all = 0;
  for (std::uint32_t at = s; at != root_; at = next(at)) {
    met_[at] = {probe_, structured_->met(out_[at], sources_, true)};
    all += met_[at].met;
  }
  return all;
}

/// Their contention if they used `path`; if it is at least `enough`, any number that is. Call
/// structured_now() first. Most paths soon join, so the result for each switch is kept for the next
/// path.
double TreeSearch::structured_over(const PathChoice& path, double enough) {
  double all = structured_->met(path.channel, sources_, false);
  for (std::uint32_t at = path.head; at != root_ && all < enough; at = next(at)) {
    if (met_[at].probe != probe_) met_[at] = {probe_, structured_->met(out_[at], sources_, false)};
    all += met_[at].met;
  }
  return all;
}

void TreeSearch::change_structured(std::uint32_t s, int sign) {
  for (std::uint32_t at = s; at != root_; at = next(at)) {
    structured_->change(out_[at], sources_, sign);
  }
}

void TreeSearch::gather_arrivals(std::uint32_t s) {
  arrivals_.clear();
  for (std::uint32_t k = first_child_[s]; k != no_index; k = next_sibling_[k]) {
    if (routes_[k] == 0) continue;
    arrivals_.push_back(
        {fabric_.channel_reverse()[out_[k]], routes_[k], fabric_.channel_cost()[out_[k]]});
  }
}

double TreeSearch::contention_at_turn(std::uint32_t before, std::uint32_t channel) const {
  return counts_.on_channel(channel) - counts_.shared_at_turn(before, channel);
}

/// Contention of one route behind `channel`, summed hop by hop; infinite if the path leads back to
/// s, or if s would be more than `room` hops farther from the root than now.
double TreeSearch::walk(std::uint32_t s, std::uint32_t channel, std::uint32_t room) const {
  double contention = 0;
  std::uint32_t at = fabric_.channel_head()[channel];
  if (hops_[at] + 1 > hops_[s] + room) return std::numeric_limits<double>::infinity();
  while (at != root_ && at != s) {
    contention += contention_at_turn(channel, out_[at]);
    channel = out_[at];
    at = fabric_.channel_head()[channel];
  }
  return at == root_ ? contention : std::numeric_limits<double>::infinity();
}

/// Hops by which the paths of all switches in the subtree of s may still grow.
std::uint32_t TreeSearch::room_for_extra_hops(std::uint32_t s) {
  std::uint32_t room = no_index;
  for_subtree(s, [&](std::uint32_t k) {
    room = std::min(room, distances_.distance()[k] + max_extra_hops_ - hops_[k]);
  });
  return room;
}

template <class Visitor>
void TreeSearch::for_subtree(std::uint32_t s, const Visitor& visit) {
  subtree_.assign(1, s);
  while (!subtree_.empty()) {
    const std::uint32_t at = subtree_.back();
    subtree_.pop_back();
    visit(at);
    for (std::uint32_t k = first_child_[at]; k != no_index; k = next_sibling_[k]) {
      subtree_.push_back(k);
    }
  }
}

void TreeSearch::move(std::uint32_t s, std::uint32_t channel) {
  unlink(s);
  for (std::uint32_t at = s; at != root_;) routes_[at = next(at)] -= routes_[s];
  out_[s] = channel;
  for (std::uint32_t at = s; at != root_;) routes_[at = next(at)] += routes_[s];
  link(s);
  const std::uint32_t growth = hops_[next(s)] + 1 - hops_[s];  // modulo 2^32: it may be negative
  if (growth != 0) for_subtree(s, [&](std::uint32_t k) { hops_[k] += growth; });
}

}  // namespace pssp
