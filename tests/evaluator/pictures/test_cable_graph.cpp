#include <catch2/catch.hpp>
#include <string>

#include "evaluator/pictures/cable_graph.h"
#include "evaluator/pictures/congestion_colour.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

std::string dot_of(const RoutedFabric& routed, const ScaledCongestion& congestion) {
  std::string dot;
  write_congested_dot(routed.fabric, routed.tables, congestion, {},
                      [&dot](std::string_view part) { dot += part; });
  return dot;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("congestion colors run from green to red as in ORCS") {
  CHECK(congestion_colour(0) == "0.400000 0.900000 0.900000");
  CHECK(congestion_colour(1) == "0.000000 0.900000 0.900000");
  CHECK(congestion_colour(0.25) == "0.300000 0.900000 0.900000");
}

TEST_CASE("every edge of the graph has its congestion and color") {
  const RoutedFabric routed = chain(3);  // three hosts, two cables between switches
  CableLoads loads = no_loads(routed.fabric);
  loads.channels[0] = 4;
  loads.received[1] = 3;
  const std::string dot =
      dot_of(routed, scaled_congestion(routed.fabric, loads, HostLinks::counted));
  CHECK(count(dot, "->") == 10);
  CHECK(count(dot, R"("congestion"="1.000000")") == 1);
  CHECK(count(dot, R"("congestion"="0.750000")") == 1);
  CHECK(count(dot, R"("congestion"="0.000000")") == 8);
  CHECK(count(dot, R"("color"="0.000000 0.900000 0.900000")") == 1);
  CHECK(count(dot, R"("color"="0.400000 0.900000 0.900000")") == 8);
  // Only the edge to the second host has this value.
  const std::string to_host = "-> \"" + routed.fabric.end_port(routed.fabric.endpoints()[1]).name;
  const std::size_t edge = dot.find(to_host);
  REQUIRE(edge != std::string::npos);
  CHECK(count(dot.substr(edge, dot.find('\n', edge) - edge), "0.750000") == 1);
}

TEST_CASE("the graph includes ports without traffic") {
  const RoutedFabric routed = random_fabric(3, RandomTables::shortest_paths, true);
  const std::string dot =
      dot_of(routed, scaled_congestion(routed.fabric, no_loads(routed.fabric), HostLinks::counted));
  CHECK(count(dot, "congestion") == count(dot, "->"));
}
