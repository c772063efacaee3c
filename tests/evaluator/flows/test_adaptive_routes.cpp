// Tests adaptive routing, in which switches choose among ports. Compares with forwarding tables if
// there is only one port to choose, and otherwise with an enumeration of all paths.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "evaluator/flows/adaptive_routes.h"
#include "evaluator/flows/pattern_simulation.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/patterns/registry.h"
#include "fabric/builder.h"
#include "routing/engines/engine.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

const std::vector<AdaptiveChoice>& all_choices() {
  static const std::vector<AdaptiveChoice> choices =
      parse_adaptive_choices("flow,spray,hash,hash:3,hash:7");
  return choices;
}

std::unique_ptr<Pattern> pattern_of(const char* name, std::uint32_t ranks) {
  PatternSpec spec;
  spec.pattern = name;
  spec.ranks = ranks;
  return make_pattern(spec);
}

/// Switches in a random tree, with links of several rates and hosts at random switches. Each pair
/// of hosts has exactly one path.
Fabric random_tree(std::uint64_t seed, std::uint32_t switches, std::uint32_t hosts) {
  RandomGenerator random = random_stream(seed, 7, 0);
  const std::vector<LinkRate> rates{{1, 2500}, {4, 2500}, {4, 10000}};
  FabricBuilder builder;
  std::vector<NodeId> nodes;
  std::vector<PortNumber> used(switches, 0);
  for (std::uint32_t s = 0; s < switches; ++s) {
    nodes.push_back(builder.add_switch(1 + mix64(seed + s), 200, "S" + std::to_string(s), ""));
    if (s == 0) continue;
    const std::uint32_t parent = random.below(s);
    builder.connect(nodes[s], ++used[s], nodes[parent], ++used[parent], rates[random.below(3)]);
  }
  for (std::uint32_t h = 0; h < hosts; ++h) {
    const NodeId host = builder.add_adapter(1 + mix64(~seed - h), 1, EndPortKind::channel_adapter,
                                            "H" + std::to_string(h), "");
    const std::uint32_t s = random.below(switches);
    builder.connect(host, 1, nodes[s], ++used[s], rates[random.below(3)]);
    builder.set_lid(host, 1, static_cast<Lid>(h + 1), 0);
  }
  for (std::uint32_t s = 0; s < switches; ++s)
    builder.set_lid(nodes[s], 0, static_cast<Lid>(hosts + 1 + s), 0);
  return std::move(builder).build();
}

/// A minimal path of a flow, with the probability that random choices of ports produce this path.
struct WeighedPath {
  std::vector<std::uint32_t> channels;
  double probability = 1;
};

/// Enumerates all minimal paths by distances to the destination switch, without the classes under
/// test.
class EveryPath {
 public:
  explicit EveryPath(const Fabric& fabric) : fabric_(fabric) {}

  std::vector<WeighedPath> of(Flow flow) const {
    const std::uint32_t from = at(flow.source);
    const std::uint32_t to = at(flow.destination);
    const std::vector<int> distance = distances_to(to);
    std::vector<WeighedPath> found;
    extend(from, to, distance, {}, found);
    return found;
  }

 private:
  std::uint32_t at(std::uint32_t rank) const {
    return fabric_.end_port(fabric_.endpoints()[rank]).attached.value();
  }
  std::vector<int> distances_to(std::uint32_t to) const {
    std::vector<int> distance(fabric_.switch_count(), 1000);
    distance[to] = 0;
    for (std::size_t round = 0; round < fabric_.switch_count(); ++round) {
      for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
        int& tail = distance[fabric_.channel_tail()[c]];
        tail = std::min(tail, distance[fabric_.channel_head()[c]] + 1);
      }
    }
    return distance;
  }
  void extend(std::uint32_t s, std::uint32_t to, const std::vector<int>& distance, WeighedPath path,
              std::vector<WeighedPath>& found) const {
    if (s == to) {
      found.push_back(std::move(path));
      return;
    }
    std::vector<std::uint32_t> ports;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (distance[fabric_.channel_head()[c]] == distance[s] - 1) ports.push_back(c);
    }
    for (const std::uint32_t c : ports) {
      WeighedPath longer = path;
      longer.channels.push_back(c);
      longer.probability /= static_cast<double>(ports.size());
      extend(fabric_.channel_head()[c], to, distance, std::move(longer), found);
    }
  }

  const Fabric& fabric_;
};

std::vector<double> congestion_of(const AdaptiveRoutes& routes, const std::vector<Flow>& flows,
                                  std::uint64_t run) {
  AdaptiveLoads loads(routes, HostLinks::counted);
  std::vector<double> result(flows.size());
  loads.begin_level(1, run, 0);
  loads.add(flows);
  loads.congestion(flows, result);
  return result;
}

std::vector<Flow> drawn_flows(std::uint32_t hosts, std::uint32_t count, std::uint64_t seed) {
  RandomGenerator random = random_stream(seed, 8, 0);
  const std::vector<std::uint32_t> order = random_permutation(hosts, random);
  std::vector<Flow> flows;
  for (std::uint32_t i = 0; i < count; ++i) flows.push_back({order[i], order[(i + 1) % hosts]});
  return flows;
}

/// Mean bandwidth over all combinations of paths that the parts can take, weighted by their
/// probabilities.
double expected_bandwidth(const std::vector<std::vector<WeighedPath>>& parts, unsigned parts_a_flow,
                          bool slowest, std::size_t channels) {
  std::vector<std::size_t> chosen(parts.size(), 0);
  double expected = 0;
  for (bool more = true; more;) {
    double probability = 1;
    std::vector<double> load(channels, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      probability *= parts[i][chosen[i]].probability;
      for (const std::uint32_t c : parts[i][chosen[i]].channels) load[c] += 1.0 / parts_a_flow;
    }
    double sum = 0;
    for (std::size_t flow = 0; flow < parts.size() / parts_a_flow; ++flow) {
      double added = 0, worst = 0;
      for (std::size_t p = flow * parts_a_flow; p < (flow + 1) * parts_a_flow; ++p) {
        double largest = 1;  // the host link
        for (const std::uint32_t c : parts[p][chosen[p]].channels)
          largest = std::max(largest, load[c]);
        added += 1 / largest / parts_a_flow;
        worst = std::max(worst, largest);
      }
      sum += slowest ? 1 / worst : added;
    }
    expected += probability * sum / (static_cast<double>(parts.size()) / parts_a_flow);
    more = false;
    for (std::size_t i = 0; i < parts.size() && !more; ++i) {
      more = ++chosen[i] < parts[i].size();
      if (!more) chosen[i] = 0;
    }
  }
  return expected;
}

}  // namespace

TEST_CASE(
    "every adaptive rule gives exactly the results of the tables if each port set has one port") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Fabric fabric = random_tree(seed, 12, 270);
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    const RouteStore routes(fabric, tables);
    const ShortestPorts paths(fabric);
    const HostMapping mapping(fabric, {});
    for (const AdaptiveChoice& choice : all_choices()) {
      const AdaptiveRoutes adaptive{paths, choice};
      CHECK(bisection_scores(adaptive, {.patterns = 20, .seed = seed}) ==
            bisection_scores(routes, {.patterns = 20, .seed = seed}));
      // all_to_all has two blocks of flows.
      for (const char* name : {"rand", "bruck", "all_to_all"}) {
        const auto pattern = pattern_of(name, mapping.ranks());
        for (const HostLinks links : {HostLinks::counted, HostLinks::left_out}) {
          const SimulationOptions options{.runs = 2, .seed = seed, .host_links = links};
          const SimulationResult found = simulate(adaptive, *pattern, mapping, options);
          const SimulationResult expected = simulate(routes, *pattern, mapping, options);
          CHECK(found.runs == expected.runs);
          CHECK(found.histogram == expected.histogram);
        }
      }
    }
  }
}

TEST_CASE("bisection scores have the bandwidths of bisection_bandwidths") {
  const Fabric fabric = make_fabric("chic");
  const RouteStore routes(fabric, make_engine("pssp", {})->route(fabric).tables);
  const std::vector<double> bandwidths = bisection_bandwidths(routes, {.patterns = 50});
  const std::vector<BisectionScore> scores = bisection_scores(routes, {.patterns = 50});
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK(scores[i].bandwidth == bandwidths[i]);
    CHECK(scores[i].slowest <= scores[i].bandwidth);
  }
}

TEST_CASE("hashed parts of four flows get the mean bandwidth over all their choices") {
  const std::vector<std::pair<const char*, unsigned>> cases{{"k-ary-n-tree 2 3", 1},
                                                            {"mesh 3x3 --hosts 1", 1},
                                                            {"mesh 3x3 --hosts 1", 2},
                                                            {"torus 4x3 --hosts 1", 1},
                                                            {"xgft 4,4 1,2 --parallel 2", 2}};
  for (const auto& [spec, parts] : cases) {
    const Fabric fabric = make_fabric(spec);
    const ShortestPorts paths(fabric);
    const EveryPath all(fabric);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<Flow> flows =
          drawn_flows(static_cast<std::uint32_t>(fabric.endpoints().size()), 4, seed);
      std::vector<std::vector<WeighedPath>> of_parts;
      double choices = 1;
      for (const Flow& flow : flows) {
        for (unsigned p = 0; p < parts; ++p) {
          of_parts.push_back(all.of(flow));
          choices *= static_cast<double>(of_parts.back().size());
        }
      }
      if (choices > 20'000) continue;
      for (const bool slowest : {false, true}) {
        constexpr std::uint64_t runs = 1500;
        double sum = 0, squares = 0;
        for (std::uint64_t run = 0; run < runs; ++run) {
          double mean = 0;
          const AdaptiveRoutes routes{paths, {AdaptiveRule::hash, parts, slowest}};
          for (const double each : congestion_of(routes, flows, run)) mean += 1 / each / 4;
          sum += mean;
          squares += mean * mean;
        }
        const double mean = sum / runs;
        const double error = std::sqrt(std::max(0.0, squares / runs - mean * mean) / runs);
        INFO(spec << " parts " << parts << " seed " << seed << " choices " << choices);
        CHECK(std::abs(mean - expected_bandwidth(of_parts, parts, slowest,
                                                 fabric.channel_count())) <= 4 * error + 1e-9);
      }
    }
  }
}

TEST_CASE("spraying loads each channel as all minimal paths do, weighted by their probabilities") {
  for (const char* spec :
       {"k-ary-n-tree 3 3", "mesh 3x4 --hosts 2", "torus 4x3 --hosts 2",
        "xgft 4,4 1,2 --parallel 2", "random-regular 12 --degree 4 --hosts 2 --seed 3"}) {
    const Fabric fabric = make_fabric(spec);
    const ShortestPorts paths(fabric);
    const EveryPath all(fabric);
    const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
    const std::vector<Flow> flows = drawn_flows(hosts, std::min(hosts, 60U), 1);
    std::vector<double> load(fabric.channel_count(), 0);
    std::vector<std::vector<WeighedPath>> of_flows;
    for (const Flow& flow : flows) {
      of_flows.push_back(all.of(flow));
      for (const WeighedPath& path : of_flows.back()) {
        for (const std::uint32_t c : path.channels) load[c] += path.probability;
      }
    }
    AdaptiveLoads loads(AdaptiveRoutes{paths, {AdaptiveRule::spray}}, HostLinks::counted);
    std::vector<double> congestion(flows.size());
    loads.begin_level(1, 0, 0);
    loads.add(flows);
    loads.congestion(flows, congestion);
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c)
      CHECK(loads.load(c) == Approx(load[c]).margin(1e-9));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      double largest = 1;
      for (const WeighedPath& path : of_flows[i]) {
        for (const std::uint32_t c : path.channels) largest = std::max(largest, load[c]);
      }
      CHECK(congestion[i] == Approx(largest));
    }
  }
}

TEST_CASE("the slowest part of ever more hashed parts converges to spraying") {
  const Fabric fabric = make_fabric("mesh 4x4 --hosts 3");
  const ShortestPorts paths(fabric);
  const std::vector<Flow> flows = drawn_flows(48, 48, 2);
  const std::vector<double> sprayed = congestion_of({paths, {AdaptiveRule::spray}}, flows, 0);
  double before = std::numeric_limits<double>::infinity();
  for (const std::uint32_t parts : {4U, 32U, 256U, 1024U}) {
    double error = 0;
    for (std::uint64_t run = 0; run < 20; ++run) {
      const std::vector<double> hashed =
          congestion_of({paths, {AdaptiveRule::hash, parts, true}}, flows, run);
      for (std::size_t i = 0; i < flows.size(); ++i)
        error += std::abs(1 / hashed[i] - 1 / sprayed[i]) / static_cast<double>(20 * flows.size());
    }
    CHECK(error < before);
    before = error;
  }
  CHECK(before < 0.02);
}

TEST_CASE("spraying gives every flow of a permutation full bandwidth in a full tree") {
  for (const char* spec : {"k-ary-n-tree 4 3", "k-ary-n-tree 6 2", "xgft 4,4,4 1,4,4"}) {
    const Fabric fabric = make_fabric(spec);
    const ShortestPorts paths(fabric);
    const HostMapping mapping(fabric, {});
    const auto pattern = pattern_of("rand", mapping.ranks());
    const SimulationResult result =
        simulate(AdaptiveRoutes{paths, {AdaptiveRule::spray}}, *pattern, mapping, {.runs = 20});
    for (const RunResult& run : result.runs)
      CHECK(RunQuantity::slowest_bandwidth.of(run) == Approx(1).margin(1e-12));
  }
}

TEST_CASE("the flow rule balances the ports of a switch for any order of the flows") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 64, "A", "");
  const NodeId b = builder.add_switch(2, 64, "B", "");
  for (PortNumber port = 1; port <= 3; ++port) builder.connect(a, port, b, port, {});
  for (unsigned i = 0; i < 20; ++i) {
    const NodeId host =
        builder.add_adapter(0x10 + i, 1, EndPortKind::channel_adapter, "H" + std::to_string(i), "");
    builder.connect(host, 1, i < 10 ? a : b, static_cast<PortNumber>(10 + i), {});
  }
  const Fabric fabric = std::move(builder).build();
  const ShortestPorts paths(fabric);
  std::vector<Flow> flows;
  for (std::uint32_t i = 0; i < 10; ++i) flows.push_back({i, 10 + i});
  for (std::uint64_t run = 0; run < 50; ++run) {
    AdaptiveLoads loads(AdaptiveRoutes{paths, {AdaptiveRule::flow}}, HostLinks::counted);
    loads.begin_level(1, run, 0);
    loads.add(flows);
    std::map<double, int> channels;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) ++channels[loads.load(c)];
    CHECK(channels == std::map<double, int>{{0, 3}, {3, 2}, {4, 1}});
  }
}

TEST_CASE(
    "an unreachable flow has infinite congestion, and a flow within one switch has congestion 1") {
  FabricBuilder builder;
  for (unsigned i = 0; i < 2; ++i) {
    const NodeId s = builder.add_switch(1 + i, 8, "S", "");
    for (unsigned h = 0; h < 2; ++h) {
      const NodeId host =
          builder.add_adapter(0x10 + 2 * i + h, 1, EndPortKind::channel_adapter, "H", "");
      builder.connect(host, 1, s, static_cast<PortNumber>(h + 1), {});
    }
  }
  const Fabric fabric = std::move(builder).build();
  const ShortestPorts paths(fabric);
  const std::vector<Flow> flows{{0, 2}, {0, 1}, {3, 2}};
  for (const AdaptiveChoice& choice : all_choices()) {
    const std::vector<double> found = congestion_of({paths, choice}, flows, 0);
    CHECK(std::isinf(found[0]));
    CHECK(found[1] == 1);
    CHECK(found[2] == 1);
  }
}

TEST_CASE("adding a phase in blocks draws the same choices as adding it at once") {
  const Fabric fabric = make_fabric("deimos");
  const ShortestPorts paths(fabric);
  const std::vector<Flow> flows = drawn_flows(400, 400, 5);
  const std::span<const Flow> all(flows);
  for (const char* text : {"hash:5", "spray"}) {
    for (const AdaptiveChoice& choice : parse_adaptive_choices(text)) {
      const std::vector<double> whole = congestion_of({paths, choice}, flows, 3);
      AdaptiveLoads loads(AdaptiveRoutes{paths, choice}, HostLinks::counted);
      std::vector<double> found(flows.size());
      loads.begin_level(1, 3, 0);
      for (std::size_t i = 0; i < 400; i += 100) loads.add(all.subspan(i, 100));
      for (std::size_t i = 0; i < 400; i += 100)
        loads.congestion(all.subspan(i, 100), std::span(found).subspan(i, 100));
      for (std::size_t i = 0; i < 400; ++i) CHECK(found[i] == Approx(whole[i]));
    }
  }
}

TEST_CASE("adaptive rules are read by their names, and all other text is refused") {
  std::string names;
  for (const AdaptiveChoice& choice : parse_adaptive_choices("hash:4,flow,hash,spray"))
    names += name_of(choice) + ";";
  CHECK(names == "hash:4;hash:4, slowest part;flow;hash:1;spray;");
  for (const char* text :
       {"", ",", "flow,", "flow,flow", "hash,hash:1", "hash:", "hash:0", "hash:1025", "hash:-1",
        "hash:4x", "hash:99999999999", "Flow", "ugal", "flow;spray", "flow:2"}) {
    CHECK(test::error_of([&] { parse_adaptive_choices(text); }).find("2: --adaptive") == 0);
  }
}
