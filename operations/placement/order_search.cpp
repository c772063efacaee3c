// A step takes the flows of the moved nodes from the channels and puts them on those of their new
// ways; what that changes of the sum is known as soon as the last one is there. A step that is
// refused is taken back from a list of what it overwrote.
//
// A round takes as long as its busiest channel. So rounds count by the logarithm of their excess:
// to free one of its last busy channel is worth more than to make a bad one a little better. (With
// the excess itself recursive doubling on 64 nodes of four rails gained 1.38 instead of 1.53.)
//
// The sum is steered by, the cost is what counts: every few steps the largest loads are looked up,
// and the order is kept if it is the best so far.

#include "operations/placement/order_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/random.h"

namespace pssp {
namespace {

/// What a host sends or receives at most in each round, by the usual cost of the job's ports: a
/// few slow ports are no reason to let channels be as slow.
std::vector<double> own_loads(const JobWays& ways, const PlacedRounds& rounds) {
  std::vector<double> costs(ways.port_cost().begin(), ways.port_cost().end());
  std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2),
                   costs.end());
  const double usual_cost = costs[costs.size() / 2];
  const std::size_t ports = ways.port_cost().size();
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

/// The excess of a channel by round and load: 8^(load / own - 1) - 1, and nothing where no load is
/// above the host's own. It is asked for twice at each channel of each step, and there are few
/// speeds of hosts and channels: what is usual is looked up.
class Excesses {
 public:
  Excesses(std::span<const double> own, std::span<const double> costs)
      : own_(own), costs_(costs), row_of_round_(own.size()), row_of_channel_(costs.size()) {
    const std::vector<double> speeds = distinct(own_), cables = distinct(costs_);
    if (speeds.size() * cables.size() > most_rows) return;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      row_of_round_[i] = index_in(speeds, own_[i]) * cables.size() * width;
    }
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      row_of_channel_[i] = index_in(cables, costs_[i]) * width;
    }
    for (const double speed : speeds) {
      for (const double cable : cables) {
        for (std::uint64_t load = 0; load < width; ++load) {
          table_.push_back(computed(load, cable, speed));
        }
      }
    }
  }

  double operator()(std::uint64_t load, std::uint32_t round, std::uint32_t channel) const {
    if (load >= width || table_.empty()) return computed(load, costs_[channel], own_[round]);
    return table_[row_of_round_[round] + row_of_channel_[channel] + load];
  }

 private:
  static constexpr std::size_t width = 128, most_rows = 64;

  /// For a load that may be far beyond all measure.
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

  std::span<const double> own_, costs_;                     // of the caller, who keeps them
  std::vector<std::size_t> row_of_round_, row_of_channel_;  // parts of a place in table_
  std::vector<double> table_;  // by speed of hosts, cost of channels and load; empty: too many
};

class Annealing {
 public:
  Annealing(const JobWays& ways, const PlacedRounds& rounds, const NodeOrder& start,
            const OrderSearchOptions& options)
      : ways_(ways),
        rounds_(rounds),
        options_(options),
        random_(random_stream(options.seed, 0x6f726465, 0)),
        own_(own_loads(ways, rounds)),
        excess_(own_, ways.channel_cost()),
        round_of_(rounds.flows.size()),
        flows_of_(rounds.places),
        seen_(rounds.flows.size()),
        order_(start),
        best_(start),
        load_(rounds.count() * ways.channel_count()),
        excess_of_round_(rounds.count()),
        changed_(rounds.count()) {
    for (std::size_t round = 0; round < rounds.count(); ++round) {
      for (std::size_t i = rounds.first[round]; i < rounds.first[round + 1]; ++i) {
        round_of_[i] = static_cast<std::uint32_t>(round);
        flows_of_[rounds.flows[i].from].push_back(static_cast<std::uint32_t>(i));
        flows_of_[rounds.flows[i].to].push_back(static_cast<std::uint32_t>(i));
      }
    }
    for (std::uint32_t i = 0; i < rounds.flows.size(); ++i) put(i, 1);
    best_cost_ = cost_of_order(ways, rounds, best_).slowest;
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

  /// Adds (sign 1) or takes away (-1) a flow where its nodes are now.
  void put(std::uint32_t flow_index, int sign) {
    const PlacedFlow& flow = rounds_.flows[flow_index];
    const std::uint32_t round = round_of_[flow_index];
    const std::size_t row = std::size_t{round} * ways_.channel_count();
    double change = 0;
    for (const std::uint32_t channel : ways_.way(order_[flow.from], order_[flow.to], flow.rail)) {
      std::uint32_t& load = load_[row + channel];
      undo_.push_back({row + channel, load});
      const double before = excess_(load, round, channel);
      load = sign > 0 ? load + flow.weight : load - flow.weight;
      change += excess_(load, round, channel) - before;
    }
    if (change == 0) return;
    if (std::exchange(changed_[round], stamp_) != stamp_) {
      old_excesses_.push_back({round, excess_of_round_[round]});
    }
    excess_of_round_[round] += change;
  }

  void draw_move() {
    moved_.clear();
    const std::uint32_t n = rounds_.places;
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
  void turn_moved() {
    for (std::size_t i = 0, k = moved_.size() - 1; i < k; ++i, --k) {
      std::swap(order_[moved_[i]], order_[moved_[k]]);
    }
  }

  /// Turns the places in moved_ round; what the sum changes by.
  double move() {
    ++stamp_;
    undo_.clear();
    old_excesses_.clear();
    touched_.clear();
    for (const std::uint32_t place : moved_) {
      for (const std::uint32_t flow : flows_of_[place]) {
        if (seen_[flow] == stamp_) continue;
        seen_[flow] = stamp_;
        touched_.push_back(flow);
      }
    }
    for (const std::uint32_t flow : touched_) put(flow, -1);
    turn_moved();
    for (const std::uint32_t flow : touched_) put(flow, 1);
    double change = 0;
    for (const OldExcess& old : old_excesses_) {
      change += logarithm(excess_of_round_[old.round]) - logarithm(old.excess);
    }
    return change;
  }
  /// Of about one busy channel: below that a round is free for the logarithm, too.
  static double logarithm(double excess) {
    constexpr double free = 8;
    return std::log(free + std::max(excess, 0.0));
  }
  void take_back() {
    for (std::size_t i = undo_.size(); i-- > 0;) load_[undo_[i].place] = undo_[i].load;
    for (const OldExcess& old : old_excesses_) excess_of_round_[old.round] = old.excess;
    turn_moved();
  }

  void try_move(double temperature) {
    draw_move();
    const double change = move();
    if (change > 0 && unit_interval(random_()) >= std::exp(-change / temperature)) take_back();
  }

  /// As many as the visits allow, by what some moves visit.
  std::uint64_t number_of_steps() {
    if (rounds_.places < 2 || rounds_.flows.empty() || ways_.channel_count() == 0) return 0;
    constexpr int trials = 50;
    std::uint64_t visits = 0;
    changes_.clear();
    for (int trial = 0; trial < trials; ++trial) {
      draw_move();
      changes_.push_back(std::abs(move()));
      // A flow costs something, too, where it crosses nothing.
      visits += undo_.size() + touched_.size();
      take_back();
    }
    return std::min(options_.most_steps,
                    options_.visits / std::max<std::uint64_t>(visits / trials, 1));
  }
  /// A sixtieth of what half of all steps from the start change the sum by. The start is a good
  /// order already, by leaf or by name: hotter than that it is lost first, and found again in the
  /// best case.
  double first_temperature() {
    std::sort(changes_.begin(), changes_.end());
    return std::max(changes_[changes_.size() / 2] / 60, 1e-3);
  }

  void keep_if_best() {
    double sum = 0;
    for (std::uint32_t round = 0; round < rounds_.count(); ++round) {
      double largest = own_[round];
      const std::size_t row = std::size_t{round} * ways_.channel_count();
      for (std::uint32_t c = 0; c < ways_.channel_count(); ++c) {
        largest = std::max(largest, load_[row + c] * ways_.channel_cost()[c]);
      }
      sum += largest / own_[round];
    }
    if (sum / static_cast<double>(rounds_.count()) >= best_cost_ - tolerance) return;
    // Slow ports of hosts are not among the channels.
    const double cost = cost_of_order(ways_, rounds_, order_).slowest;
    if (cost >= best_cost_ - tolerance) return;
    best_cost_ = cost;
    best_ = order_;
  }

  struct Overwritten {
    std::size_t place;
    std::uint32_t load;
  };
  struct OldExcess {
    std::uint32_t round;
    double excess;
  };

  const JobWays& ways_;
  const PlacedRounds& rounds_;
  OrderSearchOptions options_;
  RandomGenerator random_;
  std::vector<double> own_;  // by round
  Excesses excess_;
  std::vector<std::uint32_t> round_of_;               // by flow
  std::vector<std::vector<std::uint32_t>> flows_of_;  // by place
  std::vector<std::uint32_t> seen_;                   // by flow: the last step that touched it
  NodeOrder order_, best_;
  double best_cost_ = 1;
  std::vector<std::uint32_t> load_;  // by round and channel
  std::vector<std::uint32_t> moved_, touched_;
  std::vector<double> excess_of_round_;
  std::vector<std::uint32_t> changed_;  // by round: the last step that changed its excess
  std::vector<Overwritten> undo_;
  std::vector<OldExcess> old_excesses_;
  std::vector<double> changes_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

OrderCost cost_of_order(const JobWays& ways, const PlacedRounds& rounds,
                        std::span<const std::uint32_t> order) {
  const std::vector<double> own = own_loads(ways, rounds);
  const std::size_t ports = ways.port_cost().size();
  std::vector<std::uint64_t> load(ways.channel_count()), sent(ports), received(ports);
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
        if (!ways.has_way(from, to, flow.rail)) continue;
        see(flow, from * rounds.rails + flow.rail, to * rounds.rails + flow.rail,
            ways.way(from, to, flow.rail));
      }
    };
    std::uint64_t with_way = 0;
    each_flow([&](const PlacedFlow& flow, std::size_t from, std::size_t to, const auto& way) {
      sent[from] += flow.weight;
      received[to] += flow.weight;
      for (const std::uint32_t channel : way) load[channel] += flow.weight;
      ++with_way;
    });
    double slowest = own[round];
    each_flow([&](const PlacedFlow& flow, std::size_t from, std::size_t to, const auto& way) {
      double congestion = std::max(static_cast<double>(sent[from]) * ways.port_cost()[from],
                                   static_cast<double>(received[to]) * ways.port_cost()[to]);
      for (const std::uint32_t channel : way) {
        congestion =
            std::max(congestion, static_cast<double>(load[channel]) * ways.channel_cost()[channel]);
      }
      slowest = std::max(slowest, congestion);
      bandwidth_sum += flow.weight * std::min(own[round] / congestion, 1.0);
      flows += flow.weight;
    });
    slowest_sum += slowest / own[round];
    cost.without_way += rounds.first[round + 1] - rounds.first[round] - with_way;
  }
  if (rounds.count() != 0) cost.slowest = slowest_sum / static_cast<double>(rounds.count());
  if (flows != 0) cost.bandwidth = bandwidth_sum / static_cast<double>(flows);
  return cost;
}

NodeOrder search_order(const JobWays& ways, const PlacedRounds& rounds, const NodeOrder& start,
                       const OrderSearchOptions& options) {
  return Annealing(ways, rounds, start, options).run();
}

}  // namespace pssp
