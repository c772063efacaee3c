// All scenarios are experiments of M. M. Zeru, "Exploring InfiniBand Congestion Control in Mesh
// Topologies", University of Oslo 2016, section 3.6. Its tables route along the row first; its
// hosts have LIDs in the order of their names.

#include "simulator/scenarios/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

constexpr std::string_view mesh_3x3 = "mesh 3x3 --hosts 2 --ports thesis --lids=hosts-first";
constexpr std::string_view mesh_5x5 = "mesh 5x5 --hosts 2 --ports thesis --lids=hosts-first";

Scenario thesis_scenario(std::string_view name, std::string_view meaning,
                         std::string_view topology) {
  return {name, meaning, topology, "meshdor", "thesis-start", {}};
}

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> scenarios{
      thesis_scenario("thesis-a", "three contributors and a victim in a 3x3 mesh", mesh_3x3),
      thesis_scenario("thesis-b1", "five contributors in a 5x5 mesh without a victim", mesh_5x5),
      thesis_scenario("thesis-b2", "the same with a victim", mesh_5x5),
      thesis_scenario("thesis-c1",
                      "the same with uniform traffic from all other hosts to all hosts", mesh_5x5),
      thesis_scenario("thesis-c2", "the same, with half of the hosts as senders", mesh_5x5),
      thesis_scenario("thesis-c3", "the same, with half of the hosts as receivers", mesh_5x5),
      thesis_scenario("thesis-c4", "three hotspots with uniform traffic", mesh_5x5),
      thesis_scenario("thesis-d", "the same, CCTI_Timer and Marking_Rate varied (Table 4.9)",
                      mesh_5x5)};
  scenarios.back().axes = {{"CCTI_Timer", {"20us", "250us", "500us", "750us", "1000us"}},
                           {"Marking_Rate", {"1", "10", "20", "30", "40", "50"}}};
  return scenarios;
}

}  // namespace

std::span<const Scenario> scenario_registry() {
  static const std::vector<Scenario> scenarios = all_scenarios();
  return scenarios;
}

const Scenario& find_scenario(std::string_view name) {
  const auto known = scenario_registry();
  const auto found = std::ranges::find(known, name, &Scenario::name);
  if (found != known.end()) return *found;
  std::vector<std::string_view> names;
  for (const Scenario& each : known) names.push_back(each.name);
  throw Error(ErrorKind::usage, fmt::format("unknown scenario '{}'; expected one of {}",
                                            excerpt(name), fmt::join(names, ", ")));
}

ScenarioFabric make_scenario_fabric(const Scenario& scenario) {
  Fabric fabric = make_fabric(scenario.topology);
  Routing routing = make_engine(scenario.engine, {})->route(fabric);
  return {std::move(fabric), std::move(routing.tables)};
}

}  // namespace pssp
