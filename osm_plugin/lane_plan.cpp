// Derives service levels from forwarding tables and the available lanes.
//
// If the channel dependency graph of all routes has no cycle, any levels are deadlock-free, because
// a cycle of waiting packets on several lanes is also a cycle of their channels. OpenSM's levels
// (partitions, QoS policy) then stay in force, and QoS may be off. Otherwise, the planner tries the
// levels of the previous tables and of the baseline with the new tables. For repaired tables, it
// then keeps the levels of the baseline for all unchanged routes. Only then it searches for new
// levels. The result must pass verify_lanes(), which shares no code with the search.
//
// If no levels are found, the planner rejects the tables (`require`), or a message describes the
// remaining cycle and the settings to change (`prefer`).

#include "osm_plugin/lane_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <string_view>
#include <utility>

#include "routing/deadlock/extended_levels.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/lanes.h"

namespace pssp {
namespace {

constexpr std::uint64_t million = 1'000'000;
constexpr std::string_view how_to_turn_qos_on =
    "set 'qos TRUE' in opensm.conf (or start opensm with -Q)";

std::string count_of(unsigned lanes) {
  if (lanes == 1) return "one virtual lane";
  if (lanes > max_data_lanes) return fmt::format("more than {} virtual lanes", max_data_lanes);
  return fmt::format("{} virtual lanes", lanes);
}

class LanePlanner {
 public:
  LanePlanner(const Fabric& fabric, const ForwardingTables& tables, const LaneSupply& supply,
              const DeadlockOptions& options, const EarlierLevels& earlier, LaneMemory* memory,
              const LaneLimits& limits)
      : fabric_(fabric),
        tables_(tables),
        supply_(supply),
        options_(options),
        earlier_(earlier),
        memory_(memory),
        limits_(limits),
        usable_(supply.lanes - std::min(supply.lanes, options.first_lane)) {}

  LanePlan run() && {
    if (options_.policy == DeadlockPolicy::require && !supply_.qos) {
      fall_short(
          fmt::format("QoS is off, so all paths share one virtual lane; {}", how_to_turn_qos_on));
    } else if (!needs_nothing() && !lacks_lanes() && !keep_earlier(options_.reversible) &&
               !extend_baseline()) {
      assign();
    }
    if (plan_.levels && earlier_.in_force != nullptr) compare_with_those_in_force();
    return std::move(plan_);
  }

 private:
  bool needs_nothing();
  bool lacks_lanes();
  bool keep_earlier(bool reversible);
  bool keep(const PathLevels* earlier, bool reversible);
  bool extend_baseline();
  void assign();
  /// The result of a search, new or remembered: complete levels, or the reason why there are none.
  struct Search {
    ServiceLevels levels;
    FailedSearch failed;  // if there are levels, only `needed` is valid
  };
  Search search(bool reversible) const;
  std::string why_not(const FailedSearch& failed, bool reversible) const;
  void raise(ServiceLevels& levels) const;
  void hand_over(ServiceLevels levels, bool reversible);
  void fall_short(const std::string& why);
  void compare_with_those_in_force();

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const LaneSupply& supply_;
  const DeadlockOptions& options_;
  const EarlierLevels& earlier_;
  LaneMemory* memory_;
  const LaneLimits& limits_;
  unsigned usable_;               // lanes from first_lane on
  std::size_t cycle_length_ = 0;  // with all routes on one lane
  LanePlan plan_;
};

/// Returns whether all routes together have no cycle. Returns false if the administrator requests
/// other lanes than OpenSM would choose.
bool LanePlanner::needs_nothing() {
  const LaneReport report = verify_one_lane(fabric_, tables_);
  if (!report.is_deadlock_free()) {
    cycle_length_ = report.cycle.size();
    plan_.details = describe_deadlock(fabric_, report);
    return false;
  }
  if (supply_.qos && (options_.spread_lanes || options_.first_lane != 0)) return false;
  plan_.lanes_used = 1;
  plan_.lanes = supply_.qos ? supply_.lanes : 1;
  return true;
}

bool LanePlanner::lacks_lanes() {
  if (!supply_.qos) {
    fall_short(fmt::format("these routes need more than one virtual lane, and QoS is off; {}",
                           how_to_turn_qos_on));
    return true;
  }
  if (usable_ != 0) return false;
  plan_.worth_another_sweep = supply_.lanes_after_sweep > options_.first_lane;
  fall_short(fmt::format("first_lane={} leaves none of {} ({}); set a lower first_lane",
                         options_.first_lane, count_of(supply_.lanes), supply_.limit));
  return true;
}

bool LanePlanner::keep_earlier(bool reversible) {
  return keep(earlier_.in_baseline, reversible) || keep(earlier_.in_force, reversible);
}

/// Tries to use the levels of other tables for these tables.
bool LanePlanner::keep(const PathLevels* earlier, bool reversible) {
  if (earlier == nullptr || (reversible && !earlier->reversible())) return false;
  ServiceLevels levels = earlier->carried_over(fabric_, tables_);
  const LaneReport report = verify_lanes(fabric_, tables_, levels);
  if (!report.is_deadlock_free() || report.lanes > supply_.lanes) return false;
  hand_over(std::move(levels), earlier->reversible());
  plan_.keeps_levels = true;
  return true;
}

/// Keeps the levels of the routes that are unchanged from the baseline.
bool LanePlanner::extend_baseline() {
  if (earlier_.in_baseline == nullptr || earlier_.repaired_from == nullptr || options_.reversible ||
      bytes_to_extend_levels(fabric_) > limits_.most_bytes) {
    return false;
  }
  const ForwardingTables before =
      transfer_tables(earlier_.repaired_from->fabric, earlier_.repaired_from->tables, fabric_);
  const ServiceLevels levels_before = earlier_.in_baseline->carried_over(fabric_, tables_);
  std::optional<ServiceLevels> levels = extend_levels(
      fabric_, tables_, {before, levels_before}, options_.first_lane, supply_.lanes, limits_.stop);
  if (!levels) return false;
  const LaneReport report = verify_lanes(fabric_, tables_, *levels);
  if (!report.is_deadlock_free() || report.lanes > supply_.lanes) return false;
  hand_over(*std::move(levels), false);
  plan_.keeps_levels = true;
  return true;
}

LanePlanner::Search LanePlanner::search(bool reversible) const {
  LaneOptions options;
  options.max_lanes = usable_;
  // With one lane, the search only reports how many lanes are needed, so it need not be exhaustive.
  options.insist = options_.insist && usable_ != 1;
  options.balance = options_.spread_lanes && usable_ > 1;
  options.reversible = reversible;
  options.effort = options_.effort;
  options.budget = million * options_.budget;
  options.most_bytes = limits_.most_bytes;
  SearchDigest digest{};
  if (memory_ != nullptr) {
    digest = digest_of(fabric_, tables_, options);
    if (const std::optional<FailedSearch> failed = memory_->find(digest)) return {{}, *failed};
  }
  options.stop = limits_.stop;
  const auto begun = std::chrono::steady_clock::now();
  LaneAssignment found = assign_lanes(fabric_, tables_, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  // If the time limit ended the search, the number of lanes found depends on chance.
  FailedSearch outcome{found.stopped ? max_data_lanes + 1 : found.needed, found.budget_spent,
                       found.stopped, took.count(), found.bytes_wanted};
  if (memory_ != nullptr && outcome.needed > usable_) memory_->add(digest, outcome);
  return {std::move(found.service_levels), outcome};
}

/// Explains as a clause why a search found no levels.
std::string LanePlanner::why_not(const FailedSearch& failed, bool reversible) const {
  const char* const both_ways = reversible ? " with reversible=on" : "";
  if (failed.bytes_wanted != 0) {
    return fmt::format(
        "the search for virtual lanes{} would need {} MiB of memory and was not begun; raise "
        "budget.megabytes",
        both_ways, failed.bytes_wanted >> 20U);
  }
  if (failed.cut_short) {
    return fmt::format(
        "the search for virtual lanes{} was stopped after {:.1f} s and is not repeated for these "
        "tables; raise budget.seconds",
        both_ways, failed.seconds);
  }
  if (failed.budget_spent) {
    return fmt::format(
        "the search ended after {} million changes, with a solution for {}{}, and {} can be used "
        "({}); raise deadlock.budget",
        options_.budget, count_of(failed.needed), both_ways, usable_, supply_.limit);
  }
  return fmt::format("these routes need {}{}, and {} can be used: {}", count_of(failed.needed),
                     both_ways, usable_, supply_.limit);
}

void LanePlanner::assign() {
  bool reversible = options_.reversible;
  Search found = search(reversible);
  if (found.failed.needed > usable_ && reversible && options_.policy == DeadlockPolicy::prefer) {
    const FailedSearch& failed = found.failed;
    const bool is_known = !failed.cut_short && failed.bytes_wanted == 0;
    const std::string reason = is_known
                                   ? fmt::format("reversible=on needs {}, and {} can be used ({})",
                                                 count_of(failed.needed), usable_, supply_.limit)
                                   : why_not(failed, reversible);
    const LogMessage remark{
        LogDetail{},
        fmt::format("{}: the two directions of a path have different service levels; replies of "
                    "the communication manager are not covered by the proof",
                    reason)};
    reversible = false;
    if (!keep_earlier(reversible)) found = search(reversible);
    if (plan_.levels || found.failed.needed <= usable_) plan_.remarks.push_back(remark);
    if (plan_.levels) return;
  }
  if (found.failed.needed > usable_) {
    plan_.worth_another_sweep =
        found.failed.needed + options_.first_lane <= supply_.lanes_after_sweep;
    fall_short(why_not(found.failed, reversible));
    return;
  }
  ServiceLevels levels = std::move(found.levels);
  raise(levels);
  const LaneReport report = verify_lanes(fabric_, tables_, levels);
  if (report.is_deadlock_free() && report.lanes <= supply_.lanes) {
    hand_over(std::move(levels), reversible);
    return;
  }
  plan_.details = describe_deadlock(fabric_, report);
  plan_.remarks.push_back(
      {LogCode::failed_check,
       "the service levels that were computed do not pass the proof of deadlock freedom; they are "
       "not used, and traffic is not affected; report this line with the saved fabric"});
  fall_short("no service levels for these routes pass the proof of deadlock freedom");
}

/// Moves all levels up by first_lane.
void LanePlanner::raise(ServiceLevels& levels) const {
  if (options_.first_lane == 0) return;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    for (const Lid lid : fabric_.lids()) {
      const ServiceLevel level = levels.at(SwitchId(s), lid);
      if (level == no_service_level) continue;
      levels.set(SwitchId(s), lid, static_cast<ServiceLevel>(level + options_.first_lane));
    }
  }
}

void LanePlanner::hand_over(ServiceLevels levels, bool reversible) {
  std::uint16_t used = 0;  // one bit per level
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    for (const ServiceLevel level : levels.row(SwitchId(s))) {
      if (level != no_service_level) used = static_cast<std::uint16_t>(used | 1U << level);
    }
  }
  plan_.lanes_used = static_cast<unsigned>(std::popcount(used));
  plan_.lanes = supply_.lanes;
  plan_.levels.emplace(fabric_, std::move(levels), reversible);
  plan_.details.clear();
}

void LanePlanner::fall_short(const std::string& why) {
  plan_.falls_short = true;
  std::string reason = why;
  if (plan_.worth_another_sweep) {
    reason +=
        fmt::format("; OpenSM raises the number of virtual lanes to {} at the end of this sweep",
                    supply_.lanes_after_sweep);
  }
  if (options_.policy == DeadlockPolicy::require) {
    plan_.refusal = fmt::format("deadlock=require, and the routes can deadlock: {}", reason);
    return;
  }
  plan_.remarks.push_back(
      {LogCode::deadlock_possible,
       fmt::format("the routes can deadlock under congestion (credit loop of {} channels), and are "
                   "used with OpenSM's service levels (deadlock=prefer): {}",
                   cycle_length_, reason)});
}

void LanePlanner::compare_with_those_in_force() {
  const PathLevels::Changes changes = plan_.levels->changes_since(*earlier_.in_force);
  plan_.changed_levels = changes.changed;
  if (changes.changed == 0) return;
  plan_.changes_now.push_back(fmt::format(
      "{} of {} routes have another service level than before; open connections keep the old one, "
      "which the proof does not cover, until they query their path again",
      changes.changed, changes.common));
}

}  // namespace

LanePlan plan_lanes(const Fabric& fabric, const ForwardingTables& tables, const LaneSupply& supply,
                    const DeadlockOptions& options, const EarlierLevels& earlier,
                    LaneMemory* memory, const LaneLimits& limits) {
  if (options.policy == DeadlockPolicy::ignore) return {};
  return LanePlanner(fabric, tables, supply, options, earlier, memory, limits).run();
}

}  // namespace pssp
