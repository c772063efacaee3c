// A set of routes is deadlock-free on one lane if and only if the channels have an order in which
// all routes ascend (Dally, Seitz 1987). So the search looks for k orders such that every route
// ascends in one of them. It considers all lanes at once, while breaking cycles lane by lane
// (DFSSSP) or inserting route by route (LASH) fixes one lane before the next: a 4x4x4 mesh needs
// three lanes here and eight there, a 6x6x4 torus five and more than eight.
//
// The method is focused local search for satisfiability (WalkSAT: Selman, Kautz, Cohen, AAAI 1994):
// choose a bundle that ascends in no lane; for every lane, compute the cost of making it ascend
// there by moving the channels of its descending dependencies forward or backward as little as
// possible; do the cheapest change. The effect of a move follows from the dependencies of the moved
// channel whose other channel it passes, and from the bundles with these dependencies.
//
// Only routes that are no rest of another route are considered, because the rest of an ascending
// route ascends.
//
// The initial orders hardly matter for few lanes and small fabrics, but save time on large fabrics.
// Lane by lane, channels are sorted by their mean position within the remaining routes; a few
// rounds then move each channel to its best position, with dependencies weighted by their routes
// (routes that descend nowhere else count most).

#include "routing/deadlock/lane_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/no_index.h"
#include "routing/deadlock/starting_orders.h"

namespace pssp {
namespace {

constexpr unsigned sifting_rounds = 3;
/// Up*/down* orders tried for each lane, and bundles used for the trial.
constexpr unsigned roots = 12;
constexpr std::size_t trial_bundles = 20'000;
/// Cost of choosing a bundle and of the bookkeeping of a step, in elementary changes.
constexpr std::uint64_t work_of_change = 20;

}  // namespace

LaneSearch::LaneSearch(const Fabric& fabric, const RouteForest& forest, const RouteBundles& bundles,
                       const StopSignal& stop)
    : channels_(fabric.channel_count()),
      forest_(forest),
      bundles_(bundles),
      starts_(up_down_sequences(fabric, roots)),
      covering_(bundles.count(), 0),
      weight_(bundles.count(), 1),
      place_(bundles.count(), no_index),
      stop_(stop),
      random_(bundles.count()) {
  index_bundles();
}

bool LaneSearch::asked_to_stop() {
  stop_.tell("search for virtual lanes");
  stopped_ = stopped_ || stop_.asked();
  return stopped_;
}

void LaneSearch::index_bundles() {
  const std::size_t dependencies = forest_.dependency_count();
  std::vector<std::uint32_t> last_user(dependencies, no_index);
  const auto for_each_use = [&](auto&& use) {
    std::fill(last_user.begin(), last_user.end(), no_index);
    for (std::uint32_t b = 0; b < bundles_.count(); ++b) {
      for (std::uint32_t i = bundles_.first_step[bundles_.first_path[b]];
           i < bundles_.first_step[bundles_.first_path[b + 1]]; ++i) {
        if (std::exchange(last_user[bundles_.steps[i]], b) != b) use(b, bundles_.steps[i]);
      }
    }
  };
  first_user_.assign(dependencies + 1, 0);
  for_each_use([this](std::uint32_t, std::uint32_t d) { ++first_user_[d + 1]; });
  std::partial_sum(first_user_.begin(), first_user_.end(), first_user_.begin());
  users_.resize(first_user_.back());
  std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
  for_each_use([&](std::uint32_t b, std::uint32_t d) { users_[next[d]++] = b; });

  first_incident_.assign(channels_ + 1, 0);
  const auto is_in_use = [this](std::uint32_t d) { return first_user_[d] != first_user_[d + 1]; };
  for (std::uint32_t d = 0; d < dependencies; ++d) {
    if (!is_in_use(d)) continue;
    ++first_incident_[forest_.first_channel()[d] + 1];
    ++first_incident_[forest_.second_channel()[d] + 1];
  }
  std::partial_sum(first_incident_.begin(), first_incident_.end(), first_incident_.begin());
  incident_.resize(first_incident_.back());
  next.assign(first_incident_.begin(), first_incident_.end() - 1);
  for (std::uint32_t d = 0; d < dependencies; ++d) {
    if (!is_in_use(d)) continue;
    incident_[next[forest_.first_channel()[d]]++] = d;
    incident_[next[forest_.second_channel()[d]]++] = d;
  }
}

// ---- initial orders ----

/// Channels by their mean position in the remaining routes, 0 first and 1 last.
std::vector<std::uint32_t> LaneSearch::order_by_position(
    const std::vector<std::uint8_t>& is_left) const {
  std::vector<double> sum(channels_, 0);
  std::vector<std::uint32_t> count(channels_, 0);
  for (std::size_t b = 0; b < bundles_.count(); ++b) {
    if (is_left[b] == 0) continue;
    for (std::uint32_t p = bundles_.first_path[b]; p < bundles_.first_path[b + 1]; ++p) {
      const std::uint32_t begin = bundles_.first_step[p], end = bundles_.first_step[p + 1];
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t first = forest_.first_channel()[bundles_.steps[i]];
        sum[first] += static_cast<double>(i - begin) / static_cast<double>(end - begin);
        ++count[first];
      }
      const std::uint32_t last = forest_.second_channel()[bundles_.steps[end - 1]];
      sum[last] += 1;
      ++count[last];
    }
  }
  for (std::size_t c = 0; c < channels_; ++c) sum[c] = count[c] == 0 ? 0 : sum[c] / count[c];
  std::vector<std::uint32_t> sequence(channels_);
  std::iota(sequence.begin(), sequence.end(), 0U);
  std::sort(sequence.begin(), sequence.end(), [&sum](std::uint32_t a, std::uint32_t b) {
    return sum[a] != sum[b] ? sum[a] < sum[b] : a < b;
  });
  return sequence;
}

/// By dependency: number of remaining bundles with the dependency, weighted more if the bundle
/// ascends or nearly ascends.
std::vector<std::int64_t> LaneSearch::dependency_weights(
    const ChannelOrder& order, const std::vector<std::uint8_t>& is_left) const {
  constexpr std::int64_t ascending = 8, one_local_search = 4, others = 1;
  std::vector<std::int64_t> weights(forest_.dependency_count(), 0);
  for (std::size_t b = 0; b < bundles_.count(); ++b) {
    if (is_left[b] == 0) continue;
    const unsigned descents = count_descents(order, b);
    const std::int64_t weight = descents == 0   ? ascending
                                : descents == 1 ? one_local_search
                                                : others;
    for (std::uint32_t i = bundles_.first_step[bundles_.first_path[b]];
         i < bundles_.first_step[bundles_.first_path[b + 1]]; ++i) {
      weights[bundles_.steps[i]] += weight;
    }
  }
  return weights;
}

/// Moves each channel once to the position with the greatest weight of its ascending dependencies.
/// Returns false if no channel moves.
bool LaneSearch::sift(ChannelOrder& order, const std::vector<std::int64_t>& weights) const {
  struct Neighbour {
    std::uint32_t channel;
    std::int64_t gain;  // of moving behind it
  };
  std::vector<Neighbour> neighbours;
  bool moved = false;
  for (std::uint32_t c = 0; c < channels_; ++c) {
    neighbours.clear();
    for (std::uint32_t i = first_incident_[c]; i < first_incident_[c + 1]; ++i) {
      const std::uint32_t d = incident_[i];
      if (weights[d] == 0) continue;
      if (forest_.first_channel()[d] == c) {
        neighbours.push_back({forest_.second_channel()[d], -weights[d]});
      } else {
        neighbours.push_back({forest_.first_channel()[d], weights[d]});
      }
    }
    std::sort(neighbours.begin(), neighbours.end(),
              [&order](const Neighbour& a, const Neighbour& b) {
                return order.before(a.channel, b.channel);
              });
    std::int64_t gain = 0, here = 0, best = 0;
    std::size_t best_position = 0;  // number of neighbors before it
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      gain += neighbours[i].gain;
      if (order.before(neighbours[i].channel, c)) here = gain;
      if (gain <= best) continue;
      best = gain;
      best_position = i + 1;
    }
    if (best <= here) continue;
    const std::uint32_t behind = best_position == 0 ? order.previous(neighbours.front().channel)
                                                    : neighbours[best_position - 1].channel;
    if (behind == c) continue;
    order.move_behind(c, behind, order.label_behind(behind));
    moved = true;
  }
  return moved;
}

std::size_t LaneSearch::count_ascending(const ChannelOrder& order,
                                        std::span<const std::uint32_t> sample) const {
  return static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), [&](std::uint32_t b) {
    return count_descents(order, b) == 0;
  }));
}

/// The best of the known orders for a sample of the remaining bundles, with channels moved by
/// sift() if that helps.
ChannelOrder LaneSearch::initial_order(const std::vector<std::uint8_t>& is_left) const {
  std::vector<std::uint32_t> sample;
  const auto left = static_cast<std::size_t>(std::count(is_left.begin(), is_left.end(), 1));
  std::size_t seen = 0;
  for (std::uint32_t b = 0; b < bundles_.count(); ++b) {
    if (is_left[b] != 0 && seen++ % (1 + left / trial_bundles) == 0) sample.push_back(b);
  }
  ChannelOrder best(order_by_position(is_left));
  std::size_t most = count_ascending(best, sample);
  for (const std::vector<std::uint32_t>& sequence : starts_) {
    ChannelOrder order(sequence);
    const std::size_t ascending = count_ascending(order, sample);
    if (ascending <= most) continue;
    most = ascending;
    best = std::move(order);
  }
  ChannelOrder order = best;
  for (unsigned round = 0; round < sifting_rounds; ++round) {
    if (!sift(order, dependency_weights(order, is_left))) break;
  }
  return count_ascending(order, sample) > most ? order : best;
}

unsigned LaneSearch::count_descents(const ChannelOrder& order, std::size_t bundle) const {
  unsigned descents = 0;
  for (std::uint32_t i = bundles_.first_step[bundles_.first_path[bundle]];
       i < bundles_.first_step[bundles_.first_path[bundle + 1]]; ++i) {
    const std::uint32_t d = bundles_.steps[i];
    if (order.before(forest_.second_channel()[d], forest_.first_channel()[d])) ++descents;
  }
  return descents;
}

void LaneSearch::make_ascend(ChannelOrder& order, std::size_t bundle) const {
  for (std::uint32_t i = bundles_.first_step[bundles_.first_path[bundle]];
       i < bundles_.first_step[bundles_.first_path[bundle + 1]]; ++i) {
    const std::uint32_t first = forest_.first_channel()[bundles_.steps[i]];
    const std::uint32_t second = forest_.second_channel()[bundles_.steps[i]];
    if (order.before(second, first)) order.move_behind(second, first, order.label_behind(first));
  }
}

void LaneSearch::fill(unsigned most) {
  lanes_.clear();
  std::vector<std::uint8_t> is_left(bundles_.count(), 1);
  std::size_t left = bundles_.count();
  // Makes at least one lane, because the caller needs an order.
  while (left != 0 && lanes_.size() < most && (lanes_.empty() || !asked_to_stop())) {
    ChannelOrder order = initial_order(is_left);
    const std::size_t before = left;
    for (unsigned attempt = 0; attempt < 2 && left == before; ++attempt) {
      // At least one bundle must ascend in the order; otherwise there is no progress.
      if (attempt == 1) {
        make_ascend(order, static_cast<std::size_t>(std::find(is_left.begin(), is_left.end(), 1) -
                                                    is_left.begin()));
      }
      for (std::size_t b = 0; b < bundles_.count(); ++b) {
        if (is_left[b] == 0 || count_descents(order, b) != 0) continue;
        is_left[b] = 0;
        --left;
      }
    }
    work_ += bundles_.steps.size();
    lanes_.push_back({std::move(order), {}});
  }
  count_all();
}

void LaneSearch::count_all() {
  std::fill(covering_.begin(), covering_.end(), std::uint8_t{0});
  std::fill(place_.begin(), place_.end(), no_index);
  uncovered_.clear();
  cost_ = 0;
  for (Lane& lane : lanes_) {
    lane.descents.assign(bundles_.count(), 0);
    for (std::uint32_t d = 0; d < forest_.dependency_count(); ++d) {
      if (lane.order.before(forest_.first_channel()[d], forest_.second_channel()[d])) continue;
      for (std::uint32_t i = first_user_[d]; i < first_user_[d + 1]; ++i)
        ++lane.descents[users_[i]];
    }
    for (std::size_t b = 0; b < bundles_.count(); ++b) {
      if (lane.descents[b] == 0) ++covering_[b];
    }
  }
  for (std::uint32_t b = 0; b < bundles_.count(); ++b) {
    if (covering_[b] == 0) uncover(b);
  }
}

// ---- the search ----

bool LaneSearch::reduce(unsigned lanes, std::uint64_t effort) {
  std::vector<Lane> before = lanes_;
  lanes_.erase(lanes_.begin() + std::min<std::ptrdiff_t>(lanes, std::ssize(lanes_)), lanes_.end());
  std::fill(weight_.begin(), weight_.end(), 1U);
  random_.seed(bundles_.count());
  count_all();
  if (improve(effort)) return true;
  lanes_ = std::move(before);
  count_all();
  return false;
}

bool LaneSearch::improve(std::uint64_t effort) {
  const std::uint64_t begin = work_;
  const std::size_t at_first = uncovered_.size();
  std::uint64_t progress = work_;
  std::size_t fewest = at_first;
  while (!uncovered_.empty()) {
    const std::uint64_t spent = work_ - begin;
    if (spent > effort || work_ - progress > effort / 4) return false;
    if (asked_to_stop()) return false;
    // At this rate, the search would not end in time.
    if (spent > effort / 4 && (at_first - fewest) * effort < spent * at_first) return false;
    const std::uint32_t bundle = uncovered_[random_.below(uncovered_.size())];
    const Change change = cheapest_change(bundle);
    if (change.lane == nullptr || change.cost >= 0) ++weight_[bundle], ++cost_;
    if (change.lane != nullptr) {
      enforce(*change.lane, bundle, change.forward, std::numeric_limits<std::int64_t>::max());
      moves_.clear();
    }
    work_ += work_of_change;
    if (uncovered_.size() < fewest) {
      fewest = uncovered_.size();
      progress = work_;
    }
  }
  return true;
}

LaneSearch::Change LaneSearch::cheapest_change(std::uint32_t bundle) {
  Change best;
  best.cost = std::numeric_limits<std::int64_t>::max();
  const std::int64_t now = cost_;
  unsigned equals = 0;
  const std::size_t begin = random_.below(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[(begin + i) % lanes_.size()];
    for (const bool forward : {false, true}) {
      enforce(lane, bundle, forward, best.cost);
      const std::int64_t cost = cost_ - now;
      const bool ascends = lane.descents[bundle] == 0;
      take_back(lane);
      if (!ascends || cost > best.cost) continue;
      equals = cost < best.cost ? 1 : equals + 1;
      if (random_.below(equals) == 0) best = {&lane, forward, cost};
      if (cost < 0) return best;
    }
  }
  return best;
}

/// Makes all paths of the bundle ascend, forward from their first channel or backward from their
/// last. Stops early if the cost has risen by more than `give_up`, or if paths of the bundle
/// contradict each other.
void LaneSearch::enforce(Lane& lane, std::uint32_t bundle, bool forward, std::int64_t give_up) {
  const std::int64_t before = cost_;
  const std::uint32_t begin = bundles_.first_step[bundles_.first_path[bundle]];
  const std::uint32_t end = bundles_.first_step[bundles_.first_path[bundle + 1]];
  const unsigned rounds = bundles_.first_path[bundle + 1] - bundles_.first_path[bundle];
  for (unsigned round = 0; round < rounds && lane.descents[bundle] != 0; ++round) {
    for (std::uint32_t i = 0; i < end - begin; ++i) {
      const std::uint32_t d = bundles_.steps[forward ? begin + i : end - 1 - i];
      const std::uint32_t first = forest_.first_channel()[d], second = forest_.second_channel()[d];
      if (lane.order.before(first, second)) continue;
      if (forward) {
        move(lane, second, first);
      } else {
        move(lane, first, lane.order.previous(second));
      }
      if (cost_ - before > give_up) return;
    }
  }
}

void LaneSearch::take_back(Lane& lane) {
  while (!moves_.empty()) {
    const Move last = moves_.back();
    move(lane, last.channel, last.behind);
    moves_.pop_back();  // the reversal
    moves_.pop_back();  // and the reversed move
  }
}

void LaneSearch::move(Lane& lane, std::uint32_t channel, std::uint32_t behind) {
  moves_.push_back({channel, lane.order.previous(channel)});
  const std::uint64_t to = lane.order.label_behind(behind);
  const std::uint64_t from = lane.order.label(channel);
  const bool later = from < to;
  const std::uint64_t low = std::min(from, to), high = std::max(from, to);
  for (std::uint32_t i = first_incident_[channel]; i < first_incident_[channel + 1]; ++i) {
    const std::uint32_t d = incident_[i];
    const bool is_first = forest_.first_channel()[d] == channel;
    const std::uint64_t other =
        lane.order.label(is_first ? forest_.second_channel()[d] : forest_.first_channel()[d]);
    if (other < low || other > high) continue;
    if (is_first == later) {
      run_local_search(lane, d);
    } else {
      ascend(lane, d);
    }
  }
  work_ += first_incident_[channel + 1] - first_incident_[channel];
  lane.order.move_behind(channel, behind, to);
}

void LaneSearch::run_local_search(Lane& lane, std::uint32_t dependency) {
  for (std::uint32_t i = first_user_[dependency]; i < first_user_[dependency + 1]; ++i) {
    if (lane.descents[users_[i]]++ == 0 && --covering_[users_[i]] == 0) uncover(users_[i]);
  }
  work_ += first_user_[dependency + 1] - first_user_[dependency];
}

void LaneSearch::ascend(Lane& lane, std::uint32_t dependency) {
  for (std::uint32_t i = first_user_[dependency]; i < first_user_[dependency + 1]; ++i) {
    if (--lane.descents[users_[i]] == 0 && covering_[users_[i]]++ == 0) cover(users_[i]);
  }
  work_ += first_user_[dependency + 1] - first_user_[dependency];
}

void LaneSearch::uncover(std::uint32_t bundle) {
  place_[bundle] = static_cast<std::uint32_t>(uncovered_.size());
  uncovered_.push_back(bundle);
  cost_ += weight_[bundle];
}

void LaneSearch::cover(std::uint32_t bundle) {
  const std::uint32_t last = uncovered_.back();
  uncovered_[place_[bundle]] = last;
  place_[last] = place_[bundle];
  uncovered_.pop_back();
  place_[bundle] = no_index;
  cost_ -= weight_[bundle];
}

std::vector<ChannelOrder> LaneSearch::orders() const {
  std::vector<ChannelOrder> orders;
  orders.reserve(lanes_.size());
  for (const Lane& lane : lanes_) orders.push_back(lane.order);
  return orders;
}

}  // namespace pssp
