// Processes LID by LID, not state by state: a write affects only the LIDs of its block, and LIDs
// are independent. So each LID whose entries change is simulated separately (ChangingTree), and the
// states of its sources are stored as intervals of transient states.
//
// Credit loops involve all LIDs. Changes of dependencies are collected by block, because only the
// LIDs of one block change in one transient state; changes that cancel out are dropped, and then
// the transient states are processed in order (CreditLoopWatch).

#include "evaluator/rerouting/transient_states.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/random.h"
#include "evaluator/rerouting/credit_loop_watch.h"

namespace pssp {
namespace {

constexpr std::uint64_t purpose_of_orders = 0x7265726F757465;

ServiceLevel level_of(const TableMixture& mixture, std::uint32_t s, Lid lid) {
  if (mixture.levels == nullptr || lid > mixture.levels->max_lid()) return 0;
  return mixture.levels->at(SwitchId(s), lid);
}

/// Hosts by switch that send to a LID on a lane, without the owner of the LID.
void find_senders(const TableMixture& mixture, Lid lid, ServiceLevel lane,
                  std::vector<std::uint32_t>& senders) {
  const Fabric& fabric = mixture.fabric;
  const std::span<const std::uint32_t> hosts = fabric.endpoints_per_switch();
  senders.assign(hosts.begin(), hosts.end());
  --senders[fabric.delivery(lid).at.value()];
  if (mixture.levels == nullptr) return;
  for (std::uint32_t s = 0; s < senders.size(); ++s) {
    if (level_of(mixture, s, lid) != lane) senders[s] = 0;
  }
}

struct TimedEvent {
  std::uint64_t key = 0;  // transient state and dependency
  std::int32_t change = 0;
};

/// A bad state of a flow, from one transient state to another.
struct Interval {
  std::uint32_t at_switch = 0;
  std::uint32_t from = 0, to = 0;
};

/// Sums up intervals of flows.
class AffectedFlowsSum {
 public:
  explicit AffectedFlowsSum(std::size_t states) : more_(states + 1, 0) {}

  /// Adds all intervals of one LID, and their senders.
  void add(std::span<const Interval> intervals, std::span<const std::uint32_t> senders,
           std::vector<std::uint32_t>& states_by_switch) {
    for (const Interval& each : intervals) {
      const std::uint32_t flows = senders[each.at_switch];
      more_[each.from] += flows;
      more_[each.to] -= flows;
      if (each.from == 0) sum_.at_first += flows;
      std::uint32_t& states = states_by_switch[each.at_switch];
      if (states == 0) sum_.flows += flows;
      states += each.to - each.from;
      sum_.longest = std::max<std::uint64_t>(sum_.longest, states);
    }
    for (const Interval& each : intervals) states_by_switch[each.at_switch] = 0;
  }
  AffectedFlows result() const {
    AffectedFlows result = sum_;
    std::int64_t now = 0;
    for (const std::int64_t more : more_) {
      now += more;
      result.most = std::max(result.most, static_cast<std::uint64_t>(now));
    }
    return result;
  }

 private:
  std::vector<std::int64_t> more_;  // by transient state: change of the number of flows
  AffectedFlows sum_;
};

class OrderReplay {
 public:
  OrderReplay(const TableMixture& mixture, const DependencyNumbers& numbers,
              std::span<const BlockWrite> order, const StopSignal& stop)
      : mixture_(mixture),
        numbers_(numbers),
        order_(order),
        stop_(stop),
        tree_(mixture.fabric, numbers),
        since_(mixture.fabric.switch_count()),
        states_by_switch_(mixture.fabric.switch_count(), 0),
        no_route_(order.size() + 1),
        loop_(order.size() + 1),
        has_credit_loop_(order.size() + 1, 0) {
    by_block_.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) by_block_.push_back(i);
    std::ranges::stable_sort(by_block_, {}, [&](std::uint32_t i) { return order[i].block; });
  }

  void count_lane(ServiceLevel lane, const std::vector<std::uint32_t>& first_counts) {
    changes_.clear();
    segments_.assign(order_.size() + 1, {0, 0});
    for (std::size_t i = 0; i < by_block_.size();) {
      std::size_t end = i;
      const std::uint32_t block = order_[by_block_[i]].block;
      while (end < by_block_.size() && order_[by_block_[end]].block == block) ++end;
      stop_.check("orders of writes", by_block_[i], by_block_);
      apply_block(block, std::span(by_block_).subspan(i, end - i), lane);
      i = end;
    }
    watch_credit_loops(first_counts);
  }

  OrderImpact result() {
    impact_.no_route = no_route_.result();
    impact_.loop = loop_.result();
    impact_.new_tables_have_one = has_credit_loop_.back() != 0;
    has_credit_loop_.pop_back();
    impact_.credit_loop_states =
        static_cast<std::uint64_t>(std::ranges::count(has_credit_loop_, std::uint8_t{1}));
    return std::move(impact_);
  }

 private:
  /// `writes`: positions in the order of the block's writes, ascending.
  void apply_block(std::uint32_t block, std::span<const std::uint32_t> writes, ServiceLevel lane) {
    events_.clear();
    const std::uint32_t first = block * lids_per_block;
    for (std::uint32_t lid = first; lid < first + lids_per_block; ++lid) {
      const Lid each = static_cast<Lid>(lid);
      if (!mixture_.fabric.is_endpoint_lid(each)) continue;
      find_senders(mixture_, each, lane, senders_);
      apply_lid(each, writes);
    }
    keep_events();
  }

  PortNumber entry(const ForwardingTables& tables, std::uint32_t s, Lid lid) const {
    return lid <= tables.max_lid() ? tables.at(SwitchId(s), lid) : no_port;
  }

  void apply_lid(Lid lid, std::span<const std::uint32_t> writes) {
    tree_.begin(mixture_.old_tables, lid, senders_);
    tree_.events().clear();
    std::ranges::fill(since_, 0U);
    for (std::vector<Interval>& each : intervals_) each.clear();
    for (const std::uint32_t write : writes) {
      const std::uint32_t s = order_[write].at_switch;
      const PortNumber port = entry(mixture_.new_tables, s, lid);
      if (port == entry(mixture_.old_tables, s, lid)) continue;
      const RouteState was = tree_.state(s);
      tree_.change(s, port);
      if (tree_.state(s) != was) end_states(was, write + 1);
      for (const DependencyEvent& event : tree_.events()) {
        events_.push_back({std::uint64_t{write + 1} << 32 | event.dependency, event.change});
      }
      tree_.events().clear();
    }
    add_intervals(no_route_, RouteState::no_route);
    add_intervals(loop_, RouteState::loop);
  }

  /// All switches touched by the last change were in the same state, and are now in another.
  void end_states(RouteState was, std::uint32_t step) {
    for (const std::uint32_t u : tree_.touched()) {
      if (was != RouteState::arrives && senders_[u] != 0) {
        intervals_[static_cast<std::size_t>(was)].push_back({u, since_[u], step});
      }
      since_[u] = step;
    }
  }

  void add_intervals(AffectedFlowsSum& sum, RouteState state) {
    std::vector<Interval>& intervals = intervals_[static_cast<std::size_t>(state)];
    std::erase_if(intervals, [this](const Interval& each) {
      return tree_.state(each.at_switch) != RouteState::arrives;
    });
    sum.add(intervals, senders_, states_by_switch_);
  }

  /// Keeps the net changes of events_ by transient state and dependency.
  void keep_events() {
    std::ranges::sort(events_, {}, &TimedEvent::key);
    for (std::size_t i = 0; i < events_.size();) {
      std::int32_t sum = 0;
      const std::uint64_t key = events_[i].key;
      for (; i < events_.size() && events_[i].key == key; ++i) sum += events_[i].change;
      if (sum == 0) continue;
      auto& [begin, end] = segments_[key >> 32];
      if (begin == end) begin = changes_.size();
      changes_.push_back({static_cast<std::uint32_t>(key), sum});
      end = changes_.size();
    }
  }

  void watch_credit_loops(const std::vector<std::uint32_t>& first_counts) {
    CreditLoopWatch watch(mixture_.fabric, numbers_, first_counts);
    for (std::uint32_t step = 0; step < segments_.size(); ++step) {
      const auto [begin, end] = segments_[step];
      watch.apply(std::span(changes_).subspan(begin, end - begin));
      if (!watch.has_loop()) continue;
      has_credit_loop_[step] = 1;
      if (step == order_.size()) continue;
      if (impact_.credit_loop.empty() || step < impact_.first_credit_loop) {
        impact_.first_credit_loop = step;
        impact_.credit_loop.clear();
        for (const std::uint32_t c : watch.loop()) impact_.credit_loop.emplace_back(c);
      }
    }
  }

  const TableMixture& mixture_;
  const DependencyNumbers& numbers_;
  std::span<const BlockWrite> order_;
  const StopSignal& stop_;
  ChangingTree tree_;
  std::vector<std::uint32_t> by_block_;  // positions in the order
  std::vector<std::uint32_t> senders_, since_, states_by_switch_;
  std::array<std::vector<Interval>, 3> intervals_;  // by RouteState
  AffectedFlowsSum no_route_, loop_;
  std::vector<TimedEvent> events_;                             // of a block
  std::vector<DependencyEvent> changes_;                       // of a lane
  std::vector<std::pair<std::size_t, std::size_t>> segments_;  // by transient state, in changes_
  std::vector<std::uint8_t> has_credit_loop_;                  // by transient state, on any lane
  OrderImpact impact_;
};

}  // namespace

TransientStates::TransientStates(const TableMixture& mixture)
    : mixture_(mixture), numbers_(mixture.fabric) {
  std::array<bool, service_level_count> occurs{};
  occurs[0] = mixture.levels == nullptr;
  for (const Lid lid : mixture.fabric.lids()) {
    if (mixture.levels == nullptr || !mixture.fabric.is_endpoint_lid(lid)) continue;
    for (std::uint32_t s = 0; s < mixture.fabric.switch_count(); ++s) {
      const ServiceLevel level = level_of(mixture, s, lid);
      if (level < occurs.size()) occurs[level] = true;
    }
  }
  ChangingTree tree(mixture.fabric, numbers_);
  std::vector<std::uint32_t> senders;
  for (std::size_t level = 0; level < occurs.size(); ++level) {
    if (!occurs[level]) continue;
    const auto lane = static_cast<ServiceLevel>(level);
    lanes_.push_back(lane);
    std::vector<std::uint32_t>& counts = first_counts_.emplace_back(numbers_.count(), 0);
    for (const Lid lid : mixture.fabric.lids()) {
      if (!mixture.fabric.is_endpoint_lid(lid)) continue;
      find_senders(mixture, lid, lane, senders);
      tree.begin(mixture.old_tables, lid, senders);
      for (const DependencyEvent& event : tree.events()) ++counts[event.dependency];
    }
  }
}

OrderImpact TransientStates::impact_of(std::span<const BlockWrite> order,
                                       const StopSignal& stop) const {
  OrderReplay replay(mixture_, numbers_, order, stop);
  for (std::size_t i = 0; i < lanes_.size(); ++i) replay.count_lane(lanes_[i], first_counts_[i]);
  return replay.result();
}

std::vector<BlockWrite> random_order(std::span<const BlockWrite> writes, std::uint64_t seed,
                                     std::uint64_t index) {
  std::vector<BlockWrite> order(writes.begin(), writes.end());
  RandomGenerator random = random_stream(seed, purpose_of_orders, index);
  shuffle(order, random);
  return order;
}

}  // namespace pssp
