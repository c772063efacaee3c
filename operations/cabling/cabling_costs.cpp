// Both are routed anew by the same engine, so that what differs comes from the cables and not from
// tables that happen to be active. A fabric that lacks hosts has other bisections.

#include "operations/cabling/cabling_costs.h"

#include "base/error.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "routing/engines/engine.h"
#include "routing/portfolio/portfolio.h"

namespace pssp {
namespace {

RoutedWorth worth_of(const Fabric& fabric, const std::string& engine, std::uint64_t patterns) {
  RoutedWorth worth;
  const Portfolio portfolio(fabric, order_hosts(fabric, HostOrderRule::name), false,
                            Portfolio::Extent::summary);
  worth.hosts = portfolio.hosts().hosts.size();
  try {
    const ForwardingTables tables = make_engine(engine, {})->route(fabric).tables;
    worth.bandwidth = effective_bisection_bandwidth(RouteStore(fabric, tables),
                                                    {.patterns = patterns, .seed = 1, .first = 0})
                          .mean;
    worth.slowdown = portfolio.measure(tables).structured_slowdown;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    worth.refused = error.what();
  }
  return worth;
}

}  // namespace

CablingCosts costs_of(const Fabric& plan, const Fabric& fabric, const std::string& engine,
                      std::uint64_t patterns) {
  return {engine, patterns, worth_of(plan, engine, patterns), worth_of(fabric, engine, patterns)};
}

}  // namespace pssp
