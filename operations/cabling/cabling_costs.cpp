// All fabrics are routed from scratch by the same engine, so that differences are caused by the
// cables and not by the current tables. Fabrics with different hosts have different bisections.

#include "operations/cabling/cabling_costs.h"

#include "base/error.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "routing/engines/engine.h"
#include "routing/structured_suite/structured_suite.h"

namespace pssp {
namespace {

/// Evaluates tables of one fabric.
class WorthOf {
 public:
  WorthOf(const Fabric& fabric, std::uint64_t patterns)
      : fabric_(fabric),
        patterns_(patterns),
        structured_suite_(fabric, order_hosts(fabric, HostOrderRule::name), false,
                          StructuredSuite::Extent::summary) {}

  RoutedWorth tables(const ForwardingTables& tables) const {
    RoutedWorth worth;
    worth.hosts = structured_suite_.hosts().hosts.size();
    worth.bandwidth = effective_bisection_bandwidth(RouteStore(fabric_, tables),
                                                    {.patterns = patterns_, .seed = 1, .first = 0})
                          .mean;
    worth.slowdown = structured_suite_.measure(tables).structured_slowdown;
    return worth;
  }

  RoutedWorth engine(const std::string& engine) const {
    try {
      return tables(make_engine(engine, {})->route(fabric_).tables);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      RoutedWorth worth;
      worth.hosts = structured_suite_.hosts().hosts.size();
      worth.refused = error.what();
      return worth;
    }
  }

 private:
  const Fabric& fabric_;
  std::uint64_t patterns_;
  StructuredSuite structured_suite_;
};

}  // namespace

CablingCosts costs_of(const CostedFabrics& fabrics, const std::string& engine,
                      std::uint64_t patterns) {
  CablingCosts costs;
  costs.engine = engine;
  costs.patterns = patterns;
  costs.planned = WorthOf(fabrics.planned, patterns).engine(engine);
  const WorthOf real(fabrics.real, patterns);
  costs.real = real.engine(engine);
  if (fabrics.in_force != nullptr) costs.in_force = real.tables(*fabrics.in_force);
  costs.repaired = WorthOf(fabrics.repaired, patterns).engine(engine);
  return costs;
}

}  // namespace pssp
