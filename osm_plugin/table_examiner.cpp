#include "osm_plugin/table_examiner.h"

#include <fmt/format.h>

#include <utility>

#include "routing/verify/verify.h"

namespace pssp {

std::optional<CandidateTables> TableExaminer::examine(const RoutingTask& task,
                                                      ForwardingTables tables,
                                                      const DeadlockOptions& deadlock,
                                                      const StopSignal& stop) {
  return examine(task, std::move(tables), deadlock, memory_.earlier_levels(), stop);
}

std::optional<CandidateTables> TableExaminer::examine_repaired(const RoutingTask& task,
                                                               ForwardingTables tables,
                                                               const StopSignal& stop) {
  EarlierLevels earlier = memory_.earlier_levels();
  if (memory_.baseline) earlier.repaired_from = &memory_.baseline->baseline;
  return examine(task, std::move(tables), options_.deadlock, earlier, stop);
}

std::optional<CandidateTables> TableExaminer::examine(const RoutingTask& task,
                                                      ForwardingTables tables,
                                                      const DeadlockOptions& deadlock,
                                                      const EarlierLevels& earlier,
                                                      const StopSignal& stop) {
  CandidateTables candidate;
  candidate.route_ms = task.watch.lap();
  if (!verified(task.fabric, tables, candidate)) return std::nullopt;
  candidate.verify_ms = task.watch.lap();
  candidate.plan = plan_lanes(task.fabric, tables, task.supply, deadlock, earlier,
                              &memory_.failed_searches, {stop, task.limits.most_bytes});
  candidate.lanes_ms = task.watch.lap();
  candidate.tables = std::move(tables);
  return candidate;
}

/// Notes in the candidate what was found.
bool TableExaminer::verified(const Fabric& fabric, const ForwardingTables& tables,
                             CandidateTables& candidate) const {
  // Under the other policies plan_lanes() checks the lanes, which includes this check.
  const bool credit_loops =
      options_.credit_loop_check && options_.deadlock.policy == DeadlockPolicy::ignore;
  const VerifyReport report = verify(fabric, tables, {.credit_loops = credit_loops});
  if (!report.usable()) {
    log_.message(
        {LogCode::failed_check,
         fmt::format(
             "the computed tables are not usable and are discarded: {} unreachable pairs of end "
             "ports ({} of them on different islands), {} unreachable switches, {} forwarding "
             "loops, {} entries to dead ports; report this line with the saved fabric",
             report.unreachable_pairs, report.separated_pairs, report.unreachable_switch_pairs,
             report.forwarding_loops, report.dead_port_entries)});
    log_.details(report.examples);
    return false;
  }
  candidate.unreachable_pairs = report.separated_pairs;
  if (!report.examples.empty()) candidate.unreachable_example = report.examples.front();
  if (credit_loops) candidate.has_credit_loop = report.has_credit_loop();
  if (report.has_credit_loop()) {
    log_.detail(fmt::format("the routes can deadlock under congestion: credit loop of {} channels",
                            report.credit_loop.size()));
    log_.text(describe_credit_loop(fabric, report));
  }
  return true;
}

}  // namespace pssp
