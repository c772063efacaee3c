// A step moves the flows of the moved nodes from the channels of their old paths to those of their
// new ones, which gives the change of the sum. A rejected step is undone from a list of overwritten
// values. Loads and paths are accessed randomly, so they are kept as small as possible.
//
// A round takes as long as its busiest channel. So rounds count by the logarithm of their excess:
// relieving the last busy channel of a round is worth more than slightly improving a bad round.
// (With the excess itself, recursive doubling on 64 nodes of four rails gained 1.38 instead of
// 1.53.)
//
// The sum guides the search, but the cost decides: every few steps the largest loads are computed,
// and the order is kept if it is the best so far.

#include "operations/placement/order_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "base/random.h"

namespace pssp {
namespace {

/// The largest load of a host in each round, with the usual cost of the job's ports, because a few
/// slow ports do not justify slow channels.
std::vector<double> own_loads(const JobPaths& alternatives, const PlacedRounds& rounds) {
  std::vector<double> costs(alternatives.port_cost().begin(), alternatives.port_cost().end());
  std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2),
                   costs.end());
  const double usual_cost = costs[costs.size() / 2];
  const std::size_t ports = alternatives.port_cost().size();
  std::vector<double> own;
  std::vector<std::uint64_t> sent(ports), received(ports);
  for (std::size_t round = 0; round < rounds.count(); ++round) {
    std::fill(sent.begin(), sent.end(), 0);
    std::fill(received.begin(), received.end(), 0);
    std::uint64_t most = 1;
    for (std::size_t i = rounds.first[round]; i < rounds.first[round + 1]; ++i) {
      const PlacedFlow& flow = rounds.flows[i];
      const std::uint64_t out = sent[flow.from * rounds.rails + flow.rail] += flow.weight;
      const std::uint64_t in = received[flow.to * rounds.rails + flow.rail] += flow.weight;
      most = std::max({most, out, in});
    }
    own.push_back(static_cast<double>(most) * usual_cost);
  }
  return own;
}

/// The excess of a channel by round and load: 8^(load / own - 1) - 1, and 0 if the load is at most
/// the host's own. Needed twice per channel and step; since there are few speeds of hosts and
/// channels, usual values are in a table.
class Excesses {
 public:
  Excesses(std::span<const double> own, std::span<const double> costs)
      : own_(own), costs_(costs), row_of_round_(own.size()), row_of_channel_(costs.size()) {
    const std::vector<double> speeds = distinct(own_), cables = distinct(costs_);
    if (speeds.size() * cables.size() > most_rows) return;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      row_of_round_[i] =
          static_cast<std::uint32_t>(index_in(speeds, own_[i]) * cables.size() * width);
    }
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      row_of_channel_[i] = static_cast<std::uint32_t>(index_in(cables, costs_[i]) * width);
    }
    for (const double speed : speeds) {
      for (const double cable : cables) {
        for (std::uint64_t load = 0; load < width; ++load) {
          table_.push_back(computed(load, cable, speed));
        }
      }
    }
  }

  /// The change of a channel's excess when its load changes.
  double change(std::uint64_t before, std::uint64_t after, std::uint32_t round,
                std::uint32_t channel) const {
    if (std::max(before, after) >= width || table_.empty()) {
      return computed(after, costs_[channel], own_[round]) -
             computed(before, costs_[channel], own_[round]);
    }
    const double* row = table_.data() + row_of_round_[round] + row_of_channel_[channel];
    return row[after] - row[before];
  }

 private:
  static constexpr std::size_t width = 128, most_rows = 64;

  /// For loads that may be extremely high.
  static double computed(std::uint64_t load, double cost, double own) {
    const double relative = static_cast<double>(load) * cost / own;
    return relative <= 1 ? 0 : std::exp2(std::min(3 * (relative - 1), 100.0)) - 1;
  }
  static std::vector<double> distinct(std::span<const double> all) {
    std::vector<double> values(all.begin(), all.end());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  static std::size_t index_in(const std::vector<double>& sorted, double value) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                    sorted.begin());
  }

  std::span<const double> own_, costs_;                       // of the caller, who keeps them
  std::vector<std::uint32_t> row_of_round_, row_of_channel_;  // parts of an index in table_
  std::vector<double> table_;  // by speed of hosts, cost of channels and load; empty: too many
};

/// `Load` must hold the weights of all flows of a round.
template <class Load>
class Annealing {
 public:
  Annealing(const JobPaths& alternatives, const PlacedRounds& rounds, const NodeOrder& start,
            const OrderSearchOptions& options)
      : alternatives_(alternatives),
        rounds_(rounds),
        options_(options),
        random_(random_stream(options.seed, 0x6f726465, 0)),
        own_(own_loads(alternatives, rounds)),
        excess_(own_, alternatives.channel_cost()),
        bundles_of_(rounds.positions),
        order_(start),
        turned_(start),
        best_(start),
        load_(rounds.count() * alternatives.channel_count()),
        excess_of_round_(rounds.count()),
        changed_(rounds.count()) {
    for (std::uint32_t round = 0; round < rounds.count(); ++round) bundle_flows(round);
    seen_.resize(bundles_.size());
    for (std::uint32_t i = 0; i < bundles_.size(); ++i) {
      bundles_of_[bundles_[i].from].push_back(i);
      bundles_of_[bundles_[i].to].push_back(i);
      put(bundles_[i]);
    }
    best_cost_ = cost_of_order(alternatives, rounds, best_).slowest;
  }

  NodeOrder run() {
    const std::uint64_t steps = number_of_steps();
    if (steps == 0) return best_;
    constexpr std::uint64_t checks = 400;
    const std::uint64_t between = std::max<std::uint64_t>(steps / checks, 1);
    const double hot = first_temperature(), cold = hot / 40;
    for (std::uint64_t step = 0; step < steps && best_cost_ > 1 + tolerance; ++step) {
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      try_move(hot * std::pow(cold / hot, done));
      if (step % between == between - 1) keep_if_best();
    }
    return best_;
  }

 private:
  static constexpr double tolerance = 1e-9;

  /// Flows of a round between two positions on neighboring rails.
  struct Bundle {
    std::uint32_t from, to;
    std::uint32_t first_rail, rails_end;
    std::uint32_t round;
    std::uint32_t weight;
  };

  void bundle_flows(std::uint32_t round) {
    for (std::size_t i = rounds_.first[round]; i < rounds_.first[round + 1]; ++i) {
      const PlacedFlow& flow = rounds_.flows[i];
      const Bundle own{flow.from, flow.to, flow.rail, flow.rail + 1, round, flow.weight};
      const auto continues = [&](const Bundle& last) {
        return last.from == own.from && last.to == own.to && last.rails_end == own.first_rail &&
               last.round == round && last.weight == own.weight;
      };
      if (!bundles_.empty() && continues(bundles_.back())) {
        ++bundles_.back().rails_end;
      } else {
        bundles_.push_back(own);
      }
    }
  }

  std::size_t row_of(std::uint32_t round) const {
    return std::size_t{round} * alternatives_.channel_count();
  }

  void put(const Bundle& bundle) {
    Load* const loads = load_.data() + row_of(bundle.round);
    for (std::uint32_t rail = bundle.first_rail; rail < bundle.rails_end; ++rail) {
      for (const std::uint32_t c :
           alternatives_.path(order_[bundle.from], order_[bundle.to], rail)) {
        const auto after = static_cast<Load>(loads[c] + bundle.weight);
        excess_of_round_[bundle.round] += excess_.change(loads[c], after, bundle.round, c);
        loads[c] = after;
      }
    }
  }

  /// Moves a bundle from the nodes in order_ to those in turned_.
  void shift(const Bundle& bundle) {
    const std::uint32_t from = order_[bundle.from], to = order_[bundle.to];
    const std::uint32_t new_from = turned_[bundle.from], new_to = turned_[bundle.to];
    Load* const loads = load_.data() + row_of(bundle.round);
    double change = 0;
    for (std::uint32_t rail = bundle.first_rail; rail < bundle.rails_end; ++rail) {
      const auto before = alternatives_.path(from, to, rail),
                 after = alternatives_.path(new_from, new_to, rail);
      // A leaf switch has one path to a node, for all of its own nodes.
      if (before.data() == after.data() && before.size() == after.size()) continue;
      touched_flows_ += 1;
      if (undone_ + before.size() + after.size() > undo_.size()) {
        undo_.resize(2 * (undone_ + before.size() + after.size()));
      }
      Overwritten* undo = undo_.data() + undone_;
      const auto take = [&](std::uint32_t channel, Load load) {
        *undo++ = {loads + channel, loads[channel]};
        change += excess_.change(loads[channel], load, bundle.round, channel);
        loads[channel] = load;
      };
      for (const std::uint32_t c : before) take(c, static_cast<Load>(loads[c] - bundle.weight));
      for (const std::uint32_t c : after) take(c, static_cast<Load>(loads[c] + bundle.weight));
      undone_ = static_cast<std::size_t>(undo - undo_.data());
    }
    if (change == 0) return;
    if (std::exchange(changed_[bundle.round], stamp_) != stamp_) {
      old_excesses_.push_back({bundle.round, excess_of_round_[bundle.round]});
    }
    excess_of_round_[bundle.round] += change;
  }

  void draw_move() {
    moved_.clear();
    const std::uint32_t n = rounds_.positions;
    const std::uint32_t first = random_.below(n);
    constexpr std::uint32_t longest_run = 8;
    if (n > 3 && random_.below(4) == 0) {
      const std::uint32_t length = 2 + random_.below(std::min(longest_run, n / 2) - 1);
      for (std::uint32_t i = 0; i < length; ++i) moved_.push_back((first + i) % n);
    } else {
      const std::uint32_t second = random_.below(n - 1);
      moved_ = {first, second < first ? second : second + 1};
    }
  }
  void turn_moved(NodeOrder& order) const {
    for (std::size_t i = 0, k = moved_.size() - 1; i < k; ++i, --k) {
      std::swap(order[moved_[i]], order[moved_[k]]);
    }
  }

  /// Applies the rotation of the positions in moved_ to turned_; returns the change of the sum.
  double move() {
    ++stamp_;
    undone_ = touched_flows_ = 0;
    old_excesses_.clear();
    touched_.clear();
    for (const std::uint32_t place : moved_) {
      for (const std::uint32_t bundle : bundles_of_[place]) {
        if (std::exchange(seen_[bundle], stamp_) != stamp_) touched_.push_back(bundle);
      }
    }
    turn_moved(turned_);
    for (const std::uint32_t bundle : touched_) shift(bundles_[bundle]);
    double change = 0;
    for (const OldExcess& old : old_excesses_) {
      change += logarithm(excess_of_round_[old.round]) - logarithm(old.excess);
    }
    return change;
  }
  /// Of about one busy channel: below that, a round counts as free for the logarithm, too.
  static double logarithm(double excess) {
    constexpr double free = 8;
    return std::log(free + std::max(excess, 0.0));
  }
  void take_back() {
    for (std::size_t i = undone_; i-- > 0;) *undo_[i].place = undo_[i].load;
    for (const OldExcess& old : old_excesses_) excess_of_round_[old.round] = old.excess;
    turn_moved(turned_);
  }

  void try_move(double temperature) {
    draw_move();
    const double change = move();
    if (change > 0 && unit_interval(random_()) >= std::exp(-change / temperature)) {
      take_back();
    } else {
      turn_moved(order_);
    }
  }

  /// The number of steps that the visits permit, estimated from some moves.
  std::uint64_t number_of_steps() {
    if (rounds_.positions < 2 || rounds_.flows.empty() || alternatives_.channel_count() == 0)
      return 0;
    constexpr int trials = 50;
    std::uint64_t visits = 0;
    changes_.clear();
    for (int trial = 0; trial < trials; ++trial) {
      draw_move();
      changes_.push_back(std::abs(move()));
      // A flow has a cost even if it crosses no channel.
      visits += undone_ + touched_flows_;
      take_back();
    }
    return std::min(options_.most_steps,
                    options_.visits / std::max<std::uint64_t>(visits / trials, 1));
  }
  /// A sixtieth of the median change of the sum by steps from the start. The start is already a
  /// good order, by leaf or by name: a higher temperature would first destroy it.
  double first_temperature() {
    std::sort(changes_.begin(), changes_.end());
    return std::max(changes_[changes_.size() / 2] / 60, 1e-3);
  }

  void keep_if_best() {
    double sum = 0;
    for (std::uint32_t round = 0; round < rounds_.count(); ++round) {
      double largest = own_[round];
      const Load* const loads = load_.data() + row_of(round);
      for (std::uint32_t c = 0; c < alternatives_.channel_count(); ++c) {
        largest = std::max(largest, loads[c] * alternatives_.channel_cost()[c]);
      }
      sum += largest / own_[round];
    }
    if (sum / static_cast<double>(rounds_.count()) >= best_cost_ - tolerance) return;
    // Slow ports of hosts are not among the channels.
    const double cost = cost_of_order(alternatives_, rounds_, order_).slowest;
    if (cost >= best_cost_ - tolerance) return;
    best_cost_ = cost;
    best_ = order_;
  }

  struct Overwritten {
    Load* place;
    Load load;
  };
  struct OldExcess {
    std::uint32_t round;
    double excess;
  };

  const JobPaths& alternatives_;
  const PlacedRounds& rounds_;
  OrderSearchOptions options_;
  RandomGenerator random_;
  std::vector<double> own_;  // by round
  Excesses excess_;
  std::vector<Bundle> bundles_;                         // by round
  std::vector<std::vector<std::uint32_t>> bundles_of_;  // by position
  std::vector<std::uint32_t> seen_;                     // by bundle: the last step that touched it
  NodeOrder order_, turned_, best_;                     // turned_ equals order_ between two steps
  double best_cost_ = 1;
  std::vector<Load> load_;  // by round and channel
  std::vector<std::uint32_t> moved_, touched_;
  std::vector<double> excess_of_round_;
  std::vector<std::uint32_t> changed_;  // by round: the last step that changed its excess
  std::vector<Overwritten> undo_;       // the first undone_ belong to this step
  std::size_t undone_ = 0, touched_flows_ = 0;
  std::vector<OldExcess> old_excesses_;
  std::vector<double> changes_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

OrderCost cost_of_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                        std::span<const std::uint32_t> order) {
  const std::vector<double> own = own_loads(alternatives, rounds);
  const std::size_t ports = alternatives.port_cost().size();
  std::vector<std::uint64_t> load(alternatives.channel_count()), sent(ports), received(ports);
  double slowest_sum = 0, bandwidth_sum = 0;
  std::uint64_t flows = 0;
  OrderCost cost;
  for (std::size_t round = 0; round < rounds.count(); ++round) {
    std::fill(load.begin(), load.end(), 0);
    std::fill(sent.begin(), sent.end(), 0);
    std::fill(received.begin(), received.end(), 0);
    const auto each_flow = [&](const auto& see) {
      for (std::size_t i = rounds.first[round]; i < rounds.first[round + 1]; ++i) {
        const PlacedFlow& flow = rounds.flows[i];
        const std::uint32_t from = order[flow.from], to = order[flow.to];
        if (!alternatives.has_path(from, to, flow.rail)) continue;
        see(flow, from * rounds.rails + flow.rail, to * rounds.rails + flow.rail,
            alternatives.path(from, to, flow.rail));
      }
    };
    std::uint64_t with_path = 0;
    each_flow([&](const PlacedFlow& flow, std::size_t from, std::size_t to, const auto& path) {
      sent[from] += flow.weight;
      received[to] += flow.weight;
      for (const std::uint32_t channel : path) load[channel] += flow.weight;
      ++with_path;
    });
    double slowest = own[round];
    each_flow([&](const PlacedFlow& flow, std::size_t from, std::size_t to, const auto& path) {
      double congestion =
          std::max(static_cast<double>(sent[from]) * alternatives.port_cost()[from],
                   static_cast<double>(received[to]) * alternatives.port_cost()[to]);
      for (const std::uint32_t channel : path) {
        congestion = std::max(
            congestion, static_cast<double>(load[channel]) * alternatives.channel_cost()[channel]);
      }
      slowest = std::max(slowest, congestion);
      bandwidth_sum += flow.weight * std::min(own[round] / congestion, 1.0);
      flows += flow.weight;
    });
    slowest_sum += slowest / own[round];
    cost.without_path += rounds.first[round + 1] - rounds.first[round] - with_path;
  }
  if (rounds.count() != 0) cost.slowest = slowest_sum / static_cast<double>(rounds.count());
  if (flows != 0) cost.bandwidth = bandwidth_sum / static_cast<double>(flows);
  return cost;
}

NodeOrder search_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                       const NodeOrder& start, const OrderSearchOptions& options) {
  std::uint64_t most = 0;
  for (std::size_t round = 0; round < rounds.count(); ++round) {
    std::uint64_t sum = 0;
    for (std::size_t i = rounds.first[round]; i < rounds.first[round + 1]; ++i) {
      sum += rounds.flows[i].weight;
    }
    most = std::max(most, sum);
  }
  if (most <= std::numeric_limits<std::uint16_t>::max()) {
    return Annealing<std::uint16_t>(alternatives, rounds, start, options).run();
  }
  return Annealing<std::uint32_t>(alternatives, rounds, start, options).run();
}

}  // namespace pssp
