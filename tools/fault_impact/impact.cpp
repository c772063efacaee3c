// A damaged fabric is a separate fabric with the GUIDs, LIDs and port numbers of the complete one:
// so entries can be compared, and with the same hosts, bisection number i is the same, too.

#include "tools/fault_impact/impact.h"

#include <chrono>
#include <utility>

#include "base/error.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/virtual_lanes.h"
#include "routing/engines/engine.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/table_transfer.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/verify.h"
#include "topologies/survivors.h"

namespace pssp {
namespace {

void count_changes(const Fabric& before, const ForwardingTables& old, const Fabric& now,
                   const ForwardingTables& made, Impact& impact) {
  for (std::uint32_t s = 0; s < before.switch_count(); ++s) {
    const auto is = now.find_switch(before.switch_at(SwitchId(s)).guid);
    if (!is) continue;
    for (const Lid lid : before.lids()) {
      const PortNumber port = lid <= made.max_lid() ? made.at(*is, lid) : no_port;
      if (old.at(SwitchId(s), lid) == port) continue;
      ++(before.is_endpoint_lid(lid) ? impact.changed_for_hosts : impact.changed_for_management);
    }
  }
}

}  // namespace

FaultTrial::FaultTrial(const Fabric& fabric, const ForwardingTables& tables,
                       const FaultOptions& options)
    : fabric_(fabric),
      tables_(tables),
      options_(options),
      longest_extra_hops_(options.repair == Repair::stable ? longest_extra_hops(fabric, tables)
                                                           : 0) {
  if (options.repair == Repair::baseline)
    baseline_ = make_baseline(survivors(fabric, {}, {}), tables);
}

TableState FaultTrial::state_of(const Fabric& now, const ForwardingTables& tables) const {
  TableState state;
  const VerifyReport report = verify(now, tables);
  state.usable = report.usable();
  state.unreachable_pairs = report.unreachable_pairs;
  state.lanes = lanes_needed(now, tables, report, {});
  state.bandwidth =
      effective_bisection_bandwidth(RouteStore(now, tables),
                                    {.patterns = options_.patterns, .seed = options_.seed})
          .mean;
  state.slowdown = StructuredSuite(now, order_hosts(now, HostOrderRule::name), false,
                                   StructuredSuite::Extent::summary)
                       .measure(tables)
                       .structured_slowdown;
  return state;
}

TableState FaultTrial::intact() const { return state_of(fabric_, tables_); }

ForwardingTables FaultTrial::repaired(const Fabric& now) const {
  if (options_.repair == Repair::from_scratch) {
    return make_engine(options_.engine, {})->route(now).tables;
  }
  if (baseline_) {
    return pssp::repaired(*baseline_, now, nullptr, {.keep_long_management_paths = true}, {})
        .tables;
  }
  ForwardingTables previous = transfer_tables(fabric_, tables_, now);
  if (options_.repair == Repair::none) return previous;
  return reroute_stably(now, previous,
                        {.max_extra_hops = longest_extra_hops_, .keep_long_management_paths = true})
      .tables;
}

Impact FaultTrial::suffer(const Fault& fault) const {
  Impact impact;
  impact.fault = fault;
  const Fabric now = survivors(fabric_, fault.switches, fault.links);
  impact.hosts_cut_off =
      fabric_.endpoints().size() - order_hosts(now, HostOrderRule::guid).hosts.size();
  const auto started = std::chrono::steady_clock::now();
  ForwardingTables tables;
  try {
    tables = repaired(now);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    impact.refused = error.what();
    return impact;
  }
  impact.repair_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  count_changes(fabric_, tables_, now, tables, impact);
  impact.state = state_of(now, tables);
  return impact;
}

}  // namespace pssp
