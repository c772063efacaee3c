// A round is built greedily: units in random order, each takes the partner whose path is free and
// crosses the least-covered channels, by the sum of 1 / (1 + coverage)^3. Two consecutive channels
// that only the same flows have crossed so far cannot be distinguished, so together they count as
// one (chic, tables of best, where flows are in step: 3 rounds identify one cable in 100 of 100
// cases instead of 86). The greedy choice leaves channels uncovered whose few flows came too late;
// so pairs are exchanged: for an uncovered channel, each flow that could cross it is tried, the
// partners of its ends become a pair, and the change stays if more channels are newly covered than
// lost. A channel that leads to a single host is crossed at most once per round, without other such
// channels: if tables have many (deimos with minhop: 16 hosts have 2 to 6 each), three rounds
// cannot cover all, and exchanging pairs does not help (tried).
//
// The value of a pair is known by switch and destination before a round begins, and the set of used
// channels only grows while partners are chosen: so a path is followed only when it is valued, when
// its pair would be the best so far, and when it is found closed (PathValues; three rounds for 3675
// end ports in 2.4 s of processor time instead of 5.8).
//
// Both shapes use one algorithm: with both_ways, a unit in a pair neither sends nor receives
// elsewhere, and the flows of a pair are those of both directions.

#include "operations/diagnosis/round_plan.h"

#include <algorithm>
#include <unordered_map>

#include "base/no_index.h"
#include "base/random.h"
#include "operations/diagnosis/path_values.h"

namespace pssp {
namespace {

enum Purpose : std::uint64_t { unit_order = 0x706c616e, trial_order };

constexpr std::size_t most_trials = 64;  // flows tried per channel
constexpr int most_passes = 4;

/// Ports of units by switch: their paths to one destination are the same.
class SendersByRow {
 public:
  struct Sender {
    std::uint32_t unit = 0, rail = 0;
  };

  SendersByRow(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units)
      : units_(units), rows_(alternatives.row_count()) {
    for (std::uint32_t u = 0; u < units.size(); ++u) {
      for (const MeasuredUnit::Port& port : units[u].ports) {
        rows_[alternatives.row_of(port.rank)].push_back({u, port.rail});
      }
    }
  }

  /// Calls see(row, receiver, port of it) for each possible path of a flow: rails are separate, and
  /// there are no measurements within a node.
  template <class See>
  void each_direction(const See& see) const {
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      for (std::uint32_t v = 0; v < units_.size(); ++v) {
        for (const MeasuredUnit::Port& port : units_[v].ports) {
          const bool is_taken = std::ranges::any_of(
              rows_[row], [&](const Sender& each) { return sends_to(each, v, port.rail); });
          if (is_taken) see(row, v, port);
        }
      }
    }
  }
  /// Calls take(unit) for each unit of the row that sends to this port.
  template <class Take>
  void each_sender(std::uint32_t row, std::uint32_t v, std::uint32_t rail, const Take& take) const {
    for (const Sender& sender : rows_[row]) {
      if (sends_to(sender, v, rail)) take(sender.unit);
    }
  }

 private:
  bool sends_to(const Sender& sender, std::uint32_t v, std::uint32_t rail) const {
    return sender.rail == rail && units_[sender.unit].node != units_[v].node;
  }

  std::span<const MeasuredUnit> units_;
  std::vector<std::vector<Sender>> rows_;
};

class RoundBuilder {
 public:
  RoundBuilder(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
               const RoundPlanOptions& options)
      : alternatives_(alternatives),
        units_(units),
        options_(options),
        senders_(alternatives, units),
        values_(alternatives),
        coverage_(alternatives.link_count(), 0),
        crossed_by_(alternatives.channel_count(), 0),
        is_possible_(alternatives.channel_count(), 0) {}

  void note_possible(std::span<const std::uint64_t> prints) {
    for (std::size_t c = 0; c < prints.size(); ++c) is_possible_[c] = prints[c] != 0 ? 1 : 0;
  }

  std::vector<UnitPair> build(std::uint32_t round) {
    used_.assign(alternatives_.link_count(), 0);
    to_.assign(units_.size(), no_index);
    from_.assign(units_.size(), no_index);
    weigh();
    open_paths();
    choose_greedily(round);
    for (int pass = 0; pass < most_passes && exchange_pairs(round, pass); ++pass) {
    }
    std::vector<UnitPair> pairs;
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      if (to_[u] != no_index) pairs.push_back({u, to_[u]});
    }
    for (std::uint32_t link = 0; link < alternatives_.link_count(); ++link)
      coverage_[link] += used_[link];
    for (const UnitPair& pair : pairs) note_flows(pair, round);
    return pairs;
  }

  std::uint32_t uncovered() const {
    std::uint32_t count = 0;
    for (std::uint32_t c = 0; c < alternatives_.channel_count(); ++c) {
      if (is_possible_[c] != 0 && coverage_[c] == 0) ++count;
    }
    return count;
  }

 private:
  void weigh() {
    weight_.resize(coverage_.size());
    for (std::size_t link = 0; link < coverage_.size(); ++link) {
      const double times = 1 + static_cast<double>(coverage_[link]);
      weight_[link] = 1 / (times * times * times);
    }
  }

  void note_flows(UnitPair pair, std::uint32_t round) {
    each_flow(pair.from, pair.to, [&](Flow flow) {
      const std::uint64_t id = std::uint64_t{flow.source} << 32U | flow.destination;
      const std::uint64_t print = mix64(mix64(id + golden_ratio_64) + round);
      return alternatives_.each_channel(flow, [&](std::uint32_t channel) {
        crossed_by_[channel] += print;
        return true;
      });
    });
  }

  bool sends(std::uint32_t u) const {
    return to_[u] != no_index || (options_.shape == RoundShape::both_ways && from_[u] != no_index);
  }
  bool receives(std::uint32_t u) const {
    return from_[u] != no_index || (options_.shape == RoundShape::both_ways && to_[u] != no_index);
  }

  void open_paths() {
    senders_.each_direction([&](std::uint32_t row, std::uint32_t, const MeasuredUnit::Port& port) {
      values_.open(row, port.rank, weight_, crossed_by_);
    });
  }

  /// Value of a pair whose paths may be open; negative if there is none.
  double worth(std::uint32_t u, std::uint32_t v) const {
    constexpr double none = -1;
    if (units_[u].node == units_[v].node) return none;
    double sum = 0;
    bool has_flow = false;
    const bool is_open = each_flow(u, v, [&](Flow flow) {
      has_flow = true;
      const float value = values_.value(alternatives_.row_of(flow.source), flow.destination);
      sum += weight_[alternatives_.link_from(flow.source)] +
             weight_[alternatives_.link_to(flow.destination)] + static_cast<double>(value);
      return value >= 0;
    });
    return is_open && has_flow ? sum : none;
  }

  /// Whether no flow of the pair crosses a used channel, or a channel of another flow of the pair.
  /// Calls closed(flow) for the first flow that fails.
  template <class Closed>
  bool is_free(std::uint32_t u, std::uint32_t v, const Closed& closed) const {
    if (units_[u].node == units_[v].node) return false;
    bool has_flow = false;
    const bool is_free = each_flow(u, v, [&](Flow flow) {
      has_flow = true;
      if (alternatives_.each_channel(flow,
                                     [&](std::uint32_t channel) { return used_[channel] == 0; })) {
        return true;
      }
      closed(flow);
      return false;
    });
    // Rails of one pair can share a channel, too.
    return is_free && has_flow && (units_[u].ports.size() == 1 || is_disjoint(u, v));
  }

  template <class Take>
  bool each_flow(std::uint32_t u, std::uint32_t v, const Take& take) const {
    std::size_t i = 0;
    for (const MeasuredUnit::Port& here : units_[u].ports) {
      while (i < units_[v].ports.size() && units_[v].ports[i].rail < here.rail) ++i;
      if (i == units_[v].ports.size()) break;
      const MeasuredUnit::Port& there = units_[v].ports[i];
      if (there.rail != here.rail) continue;
      if (!take(Flow{here.rank, there.rank})) return false;
      if (options_.shape == RoundShape::both_ways && !take(Flow{there.rank, here.rank}))
        return false;
    }
    return true;
  }

  std::vector<std::uint32_t> links_of(std::uint32_t u, std::uint32_t v) const {
    std::vector<std::uint32_t> links;
    each_flow(u, v, [&](Flow flow) { return alternatives_.append(flow, links); });
    return links;
  }

  bool is_disjoint(std::uint32_t u, std::uint32_t v) const {
    std::vector<std::uint32_t> links = links_of(u, v);
    std::sort(links.begin(), links.end());
    return std::adjacent_find(links.begin(), links.end()) == links.end();
  }

  void join(std::uint32_t u, std::uint32_t v) {
    to_[u] = v;
    from_[v] = u;
    for (const std::uint32_t link : links_of(u, v)) ++used_[link];
  }
  void part(std::uint32_t u) {
    const std::uint32_t v = to_[u];
    for (const std::uint32_t link : links_of(u, v)) --used_[link];
    to_[u] = from_[v] = no_index;
  }

  void choose_greedily(std::uint32_t round) {
    const auto count = static_cast<std::uint32_t>(units_.size());
    RandomGenerator random = random_stream(options_.seed, unit_order, round);
    // Used channels stay so until all units have chosen, so a closed path is not tried again.
    const auto close = [&](Flow flow) {
      values_.close(alternatives_.row_of(flow.source), flow.destination);
    };
    for (const std::uint32_t u : random_permutation(count, random)) {
      if (sends(u)) continue;
      // Of equals, the first after a random position.
      const std::uint32_t begin = random.below(count);
      double best = 0;
      std::uint32_t partner = no_index;
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t v = begin + i < count ? begin + i : begin + i - count;
        if (v == u || receives(v)) continue;
        const double value = worth(u, v);
        if (value > best && is_free(u, v, close)) {
          best = value;
          partner = v;
        }
      }
      if (partner != no_index) join(u, partner);
    }
  }

  bool is_uncovered(std::uint32_t channel) const {
    return is_possible_[channel] != 0 && coverage_[channel] == 0 && used_[channel] == 0;
  }

  /// Flows over uncovered channels, by channel.
  std::unordered_map<std::uint32_t, std::vector<UnitPair>> candidates(std::uint32_t round,
                                                                      int pass) const {
    std::unordered_map<std::uint32_t, std::vector<UnitPair>> found;
    std::unordered_map<std::uint32_t, std::uint32_t> seen;
    RandomGenerator random =
        random_stream(options_.seed, trial_order,
                      std::uint64_t{round} * most_passes + static_cast<std::uint64_t>(pass));
    const auto sample = [&](std::uint32_t channel, UnitPair pair) {
      std::vector<UnitPair>& list = found[channel];
      const std::uint32_t number = seen[channel]++;
      // Reservoir sampling.
      if (list.size() < most_trials) {
        list.push_back(pair);
      } else if (const std::uint32_t place = random.below(number + 1); place < most_trials) {
        list[place] = pair;
      }
    };
    std::vector<std::uint8_t> is_open(alternatives_.channel_count());
    for (std::uint32_t c = 0; c < alternatives_.channel_count(); ++c)
      is_open[c] = is_uncovered(c) ? 1 : 0;
    if (std::find(is_open.begin(), is_open.end(), 1) == is_open.end()) return found;
    senders_.each_direction(
        [&](std::uint32_t row, std::uint32_t v, const MeasuredUnit::Port& port) {
          alternatives_.each_channel_from(row, port.rank, [&](std::uint32_t channel) {
            if (is_open[channel] != 0) {
              senders_.each_sender(row, v, port.rail, [&](std::uint32_t u) {
                sample(channel, {u, v});
              });
            }
            return true;
          });
        });
    return found;
  }

  bool exchange_pairs(std::uint32_t round, int pass) {
    const auto found = candidates(round, pass);
    bool has_changed = false;
    for (std::uint32_t channel = 0; channel < alternatives_.channel_count(); ++channel) {
      const auto list = found.find(channel);
      if (list == found.end() || !is_uncovered(channel)) continue;
      for (const UnitPair& pair : list->second) {
        if (!exchange(pair)) continue;
        has_changed = true;
        break;
      }
    }
    return has_changed;
  }

  /// Number of these channels that nothing else crosses in this round or an earlier one.
  int only_here(const std::vector<std::uint32_t>& links) const {
    return static_cast<int>(std::count_if(links.begin(), links.end(), [this](std::uint32_t link) {
      return link < alternatives_.channel_count() && coverage_[link] == 0 && used_[link] == 0;
    }));
  }

  /// The pairs that contain the ends of `wanted`.
  std::vector<UnitPair> blocking(UnitPair wanted) const {
    std::vector<UnitPair> pairs;
    const auto add = [&](std::uint32_t u) {
      if (u == no_index || to_[u] == no_index) return;
      const UnitPair pair{u, to_[u]};
      if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
    };
    add(wanted.from);
    add(from_[wanted.to]);
    if (options_.shape == RoundShape::both_ways) {
      add(from_[wanted.from]);
      add(wanted.to);
    }
    return pairs;
  }

  /// Makes `wanted` a pair, and a pair of the remaining partners, if that covers more channels.
  bool exchange(UnitPair wanted) {
    const std::vector<UnitPair> old = blocking(wanted);
    int gain = 0;
    for (const UnitPair& pair : old) {
      const std::vector<std::uint32_t> links = links_of(pair.from, pair.to);
      part(pair.from);
      gain -= only_here(links);
    }
    std::vector<UnitPair> made;
    const auto make = [&](UnitPair pair) {
      if (!is_free(pair.from, pair.to, [](Flow) {})) return;
      gain += only_here(links_of(pair.from, pair.to));
      join(pair.from, pair.to);
      made.push_back(pair);
    };
    make(wanted);
    if (!made.empty() && old.size() == 2) make(remaining(wanted, old));
    if (gain > 0) return true;
    for (const UnitPair& pair : made) part(pair.from);
    for (const UnitPair& pair : old) join(pair.from, pair.to);
    return false;
  }

  static UnitPair remaining(UnitPair wanted, const std::vector<UnitPair>& old) {
    const auto other = [&](const UnitPair& pair) {
      return pair.from == wanted.from || pair.from == wanted.to ? pair.to : pair.from;
    };
    // The receiver of `wanted.from` now receives from the sender to `wanted.to`.
    return {other(old[1]), other(old[0])};
  }

  const FlowAlternatives& alternatives_;
  std::span<const MeasuredUnit> units_;
  const RoundPlanOptions& options_;
  SendersByRow senders_;
  PathValues values_;
  std::vector<std::uint32_t> coverage_;    // by link, in earlier rounds
  std::vector<std::uint64_t> crossed_by_;  // by channel, a fingerprint of their flows; 0: none
  std::vector<std::uint8_t> is_possible_;
  std::vector<std::uint8_t> used_;  // by link, in this round
  std::vector<double> weight_;
  std::vector<std::uint32_t> to_, from_;  // by unit
};

}  // namespace

std::vector<Flow> flows_of(std::span<const MeasuredUnit> units, UnitPair pair, RoundShape shape) {
  std::vector<Flow> flows;
  for (const MeasuredUnit::Port& here : units[pair.from].ports) {
    for (const MeasuredUnit::Port& there : units[pair.to].ports) {
      if (here.rail != there.rail) continue;
      flows.push_back({here.rank, there.rank});
      if (shape == RoundShape::both_ways) flows.push_back({there.rank, here.rank});
    }
  }
  return flows;
}

std::vector<std::uint64_t> crossing_prints(const FlowAlternatives& alternatives,
                                           std::span<const MeasuredUnit> units) {
  std::vector<std::uint64_t> prints(alternatives.channel_count(), 0);
  const SendersByRow senders(alternatives, units);
  senders.each_direction([&](std::uint32_t row, std::uint32_t, const MeasuredUnit::Port& port) {
    const std::uint64_t print = mix64((std::uint64_t{row} << 32U | port.rank) + golden_ratio_64);
    alternatives.each_channel_from(row, port.rank, [&](std::uint32_t channel) {
      prints[channel] += print;
      return true;
    });
  });
  return prints;
}

RoundPlan plan_rounds(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
                      const RoundPlanOptions& options) {
  RoundPlan plan;
  std::vector<std::uint64_t> prints = crossing_prints(alternatives, units);
  RoundBuilder builder(alternatives, units, options);
  builder.note_possible(prints);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    plan.rounds.push_back(builder.build(round));
    std::size_t senders = plan.rounds.back().size();
    if (options.shape == RoundShape::both_ways) senders *= 2;
    plan.left_out.push_back(static_cast<std::uint32_t>(units.size() - senders));
  }
  plan.coverage.channels = alternatives.channel_count();
  plan.coverage.uncovered = builder.uncovered();
  plan.coverage.without_flow =
      static_cast<std::uint32_t>(std::count(prints.begin(), prints.end(), 0U));
  std::erase(prints, 0U);
  std::sort(prints.begin(), prints.end());
  plan.coverage.inseparable =
      static_cast<std::uint32_t>(prints.end() - std::unique(prints.begin(), prints.end()));
  return plan;
}

}  // namespace pssp
