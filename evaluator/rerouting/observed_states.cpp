// As in transient_states.cpp, each LID is simulated separately: writes are sorted by LID, and the
// states of its sources are stored as intervals of transient states. Only written entries matter,
// because a flow of another LID stays in one state.

#include "evaluator/rerouting/observed_states.h"

#include <algorithm>
#include <array>

#include "evaluator/rerouting/changing_tree.h"

namespace pssp {
namespace {

struct LidWrite {
  Lid lid = no_lid;
  std::uint32_t step = 0;
  std::uint32_t at_switch = 0;
  PortNumber port = no_port;
};

/// From transient state `from` until before `to`.
struct SeenInterval {
  std::uint32_t at_switch = 0, from = 0, to = 0;
};

class SeenReplay {
 public:
  SeenReplay(const Fabric& fabric, const ForwardingTables& old_tables, std::int64_t begin_ns,
             std::span<const SeenStep> steps)
      : fabric_(fabric),
        old_tables_(old_tables),
        numbers_(fabric),
        tree_(fabric, numbers_),
        state_(fabric.switch_count()),
        since_(fabric.switch_count()),
        time_by_switch_(fabric.switch_count()) {
    begins_.push_back(begin_ns);
    for (const SeenStep& step : steps) begins_.push_back(std::max(begin_ns, step.time_ns));
    result_.without_route.assign(begins_.size(), 0);
    result_.in_a_loop.assign(begins_.size(), 0);
  }

  /// All writes of one LID.
  void apply(std::span<const LidWrite> writes) {
    const Lid lid = writes.front().lid;
    if (lid >= fabric_.max_lid() + 1U || !fabric_.is_endpoint_lid(lid)) return;
    const std::span<const std::uint32_t> hosts = fabric_.endpoints_per_switch();
    senders_.assign(hosts.begin(), hosts.end());
    --senders_[fabric_.delivery(lid).at.value()];
    tree_.begin(old_tables_, lid, senders_);
    for (std::uint32_t s = 0; s < senders_.size(); ++s) state_[s] = tree_.state(s);
    std::ranges::fill(since_, 0U);
    for (std::vector<SeenInterval>& each : intervals_) each.clear();
    for (std::size_t i = 0; i < writes.size();) {
      const std::uint32_t step = writes[i].step;
      for (; i < writes.size() && writes[i].step == step; ++i) {
        tree_.change(writes[i].at_switch, writes[i].port);
      }
      tree_.events().clear();
      end_states(step + 1);
    }
    add(RouteState::no_route, result_.no_route, result_.without_route);
    add(RouteState::loop, result_.loop, result_.in_a_loop);
  }

  ObservedStates result() { return std::move(result_); }

 private:
  void end_states(std::uint32_t instant) {
    for (std::uint32_t s = 0; s < senders_.size(); ++s) {
      const RouteState is = tree_.state(s);
      if (is == state_[s]) continue;
      if (senders_[s] != 0) {
        intervals_[static_cast<std::size_t>(state_[s])].push_back({s, since_[s], instant});
      }
      state_[s] = is;
      since_[s] = instant;
    }
  }

  void add(RouteState state, ObservedAffectedFlows& sum, std::vector<std::uint64_t>& by_state) {
    const std::vector<SeenInterval>& intervals = intervals_[static_cast<std::size_t>(state)];
    std::ranges::fill(time_by_switch_, no_time);
    for (const SeenInterval& each : intervals) {
      // Flows without a final route are not an effect of the rewriting.
      if (state_[each.at_switch] != RouteState::arrives) continue;
      const std::uint64_t flows = senders_[each.at_switch];
      if (each.from == 0) sum.at_first += flows;
      std::int64_t& time = time_by_switch_[each.at_switch];
      if (time == no_time) {
        sum.flows += flows;
        time = 0;
      }
      time += begins_[each.to] - begins_[each.from];
      sum.longest_ns = std::max(sum.longest_ns, time);
      for (std::uint32_t m = each.from; m < each.to; ++m) by_state[m] += flows;
    }
    sum.most = *std::ranges::max_element(by_state);
  }

  static constexpr std::int64_t no_time = -1;

  const Fabric& fabric_;
  const ForwardingTables& old_tables_;
  DependencyNumbers numbers_;
  ChangingTree tree_;
  std::vector<std::int64_t> begins_;  // by transient state
  std::vector<RouteState> state_;     // by switch, in this transient state
  std::vector<std::uint32_t> since_, senders_;
  std::vector<std::int64_t> time_by_switch_;
  std::array<std::vector<SeenInterval>, 3> intervals_;  // by RouteState
  ObservedStates result_;
};

}  // namespace

ObservedStates observed_states(const Fabric& fabric, const ForwardingTables& old_tables,
                               std::int64_t begin_ns, std::span<const SeenStep> steps) {
  std::vector<LidWrite> writes;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    for (const EntryWrite& write : steps[i].writes) {
      writes.push_back({write.lid, i, write.at_switch, write.port});
    }
  }
  std::ranges::stable_sort(writes, {}, &LidWrite::lid);
  SeenReplay replay(fabric, old_tables, begin_ns, steps);
  for (std::size_t i = 0; i < writes.size();) {
    std::size_t end = i;
    while (end < writes.size() && writes[end].lid == writes[i].lid) ++end;
    replay.apply(std::span(writes).subspan(i, end - i));
    i = end;
  }
  return replay.result();
}

std::vector<SeenStep> steps_of_writes(std::span<const BlockWrite> order,
                                      std::span<const std::int64_t> times_ns,
                                      const ForwardingTables& new_tables) {
  std::vector<SeenStep> steps(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    steps[i].time_ns = times_ns[i];
    const std::uint32_t first = order[i].block * lids_per_block;
    for (std::uint32_t lid = first; lid < first + lids_per_block; ++lid) {
      const Lid each = static_cast<Lid>(lid);
      const PortNumber port = each <= new_tables.max_lid()
                                  ? new_tables.at(SwitchId(order[i].at_switch), each)
                                  : no_port;
      steps[i].writes.push_back({order[i].at_switch, each, port});
    }
  }
  return steps;
}

}  // namespace pssp
