#include "tools/deploy_tables/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/workers.h"
#include "evaluator/scoring/evaluation.h"
#include "routing/verify/verify.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

void score(const PlanInput& input, const PlanOptions& options, Plan& plan) {
  EvaluationOptions evaluation;
  evaluation.bisections.patterns = options.patterns;
  evaluation.bisections.seed = options.seed;
  evaluation.single_hosts = false;
  plan.comparison.seed = options.seed;
  std::vector<std::vector<double>> bandwidths;
  std::array<double, 2> means{};
  std::optional<IndexBound> bound;
  for (const bool is_new : {false, true}) {
    const ForwardingTables& tables = is_new ? input.after : input.before;
    ProgressLine progress(is_new ? "bisections after" : "bisections before");
    Evaluation found =
        evaluate(input.fabric, tables, evaluation, {},
                 [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all); },
                 {.verify = is_new ? input.verified : nullptr, .bound = bound ? &*bound : nullptr});
    bound = found.bound;
    plan.comparison.tables.push_back(
        compared_tables(is_new ? input.after_name : input.before_name, found));
    means.at(is_new ? 1 : 0) = found.bandwidth.mean;
    bandwidths.push_back(std::move(found.bandwidths));
  }
  const std::array<const ForwardingTables*, 2> both{&input.before, &input.after};
  plan.structured = structured_traffic(
      input.fabric, both, order_hosts(input.fabric, HostOrderRule::name), "name",
      {.only_if_cheap = true, .all_phases = false, .lids = {}}, means, bandwidths.front().size());
  compare(plan.comparison, bandwidths);
}

std::vector<SwitchWrites> writes_by_switch(const PlanInput& input, const TableChanges& tables) {
  std::map<std::uint32_t, SwitchWrites> found;
  for (const BlockWrite& write : tables.writes) {
    SwitchWrites& each = found[write.at_switch];
    each.at_switch = write.at_switch;
    ++each.blocks;
    const SwitchId s(write.at_switch);
    const std::uint32_t begin = write.block * lids_per_block;
    const std::uint32_t end =
        std::min<std::uint32_t>(begin + lids_per_block, std::uint32_t{input.after.max_lid()} + 1);
    for (std::uint32_t lid = begin; lid < end; ++lid) {
      const auto at = static_cast<Lid>(lid);
      each.entries += input.before.at(s, at) != input.after.at(s, at) ? 1U : 0U;
    }
  }
  std::vector<SwitchWrites> list;
  list.reserve(found.size());
  for (const auto& [s, writes] : found) list.push_back(writes);
  std::ranges::stable_sort(list, std::ranges::greater(), &SwitchWrites::entries);
  return list;
}

void try_orders(const PlanInput& input, const PlanOptions& options, Plan& plan) {
  const TableMixture mixture{input.fabric, input.before, input.after};
  const TransientStates states(mixture);
  const std::vector<BlockWrite>& writes = plan.tables.writes;
  plan.orders.resize(std::size_t{1} + options.orders);
  run_tasks(workers_or_all(0), plan.orders.size(), [&](std::size_t i) {
    plan.orders[i] = states.impact_of(i == 0 ? writes : random_order(writes, options.seed, i - 1));
  });
}

}  // namespace

VerifyReport require_deployable(const std::string& name, const Fabric& fabric,
                                const ForwardingTables& tables, const PlanOptions& options) {
  VerifyReport found = verify(fabric, tables);
  if (!found.usable()) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("{}: not deployable: {}\n  {}", name, describe_defects(found),
                            fmt::join(found.examples, "\n  ")));
  }
  if (!found.has_credit_loop() || options.accept_credit_loop) return found;
  throw Error(ErrorKind::unsuitable_topology,
              fmt::format("{}: the routes have a credit loop and need a second virtual lane, which "
                          "a file cannot assign: use an engine without credit loops (updown, "
                          "dmodk, ftree), or --accept-credit-loop\n{}",
                          name, describe_credit_loop(fabric, found)));
}

Plan count_changes(const PlanInput& input) {
  Plan plan;
  plan.before = input.before_name;
  plan.after = input.after_name;
  const FabricChange change(input.fabric, input.fabric);
  const RoutedState old_state{input.fabric, input.before}, new_state{input.fabric, input.after};
  plan.routes = route_changes(change, old_state, new_state);
  plan.tables = table_changes(input.before, new_state);
  plan.switches = writes_by_switch(input, plan.tables);
  const FlowChanges& flows = plan.routes.flows;
  const std::uint64_t routed = flows.same.flows + flows.moved.flows;
  if (routed != 0) {
    plan.moved_percent =
        100.0 * static_cast<double>(flows.moved.flows) / static_cast<double>(routed);
  }
  return plan;
}

Plan make_plan(const PlanInput& input, const PlanOptions& options) {
  Plan plan = count_changes(input);
  try_orders(input, options, plan);
  score(input, options, plan);
  return plan;
}

void require_few_moves(const Plan& plan, const PlanOptions& options) {
  if (plan.moved_percent <= options.max_moved) return;
  throw Error(
      ErrorKind::verification_failed,
      fmt::format("{}: {:.2f} % of the flows move to another path, and --max-moved allows {:g}",
                  plan.after, plan.moved_percent, options.max_moved));
}

}  // namespace pssp
