// Measures how many events a second the simulator processes for packets of an application, with the
// routes of the tables and with adaptive routing, compared with uniform traffic.
//
//   application_packets [SPEC]     SPEC: a fabric of pssp make-topo (default: chic), routed by pssp
//
// The reference is simulate() with uniform traffic at full load. All runs take turns, five rounds;
// the table shows medians. Seconds are processor time.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "applications/generators/applications.h"
#include "applications/replay/network_replay.h"
#include "routing/engines/engine.h"
#include "simulator/adaptive/adaptive_groups.h"
#include "simulator/run/player_network.h"
#include "simulator/run/simulation.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;

struct Replayed {
  double events = 0, seconds = 0;
  double rate() const { return events / seconds; }
};

template <class Replay>
Replayed timed(const Replay& replay) {
  const std::clock_t start = std::clock();
  const std::uint64_t events = replay();
  return {static_cast<double>(events), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

class Selection {
 public:
  explicit Selection(std::string_view spec)
      : fabric_(make_fabric(std::string(spec))),
        tables_(make_engine("pssp", {})->route(fabric_).tables),
        groups_(minimal_groups(fabric_, tables_)),
        hosts_(fabric_.endpoints().begin(), fabric_.endpoints().end()) {
    ApplicationSize size;
    size.ranks = static_cast<std::uint32_t>(hosts_.size());
    size.bytes = 8 << 10;
    application_ = find_application("alltoall:pairwise").make(size);
    extent_ = extent_of(application_);
    traffic_.uniform.emplace_back();
    traffic_.uniform.front().senders.resize(hosts_.size());
    std::iota(traffic_.uniform.front().senders.begin(), traffic_.uniform.front().senders.end(), 0U);
    traffic_.uniform.front().destinations = traffic_.uniform.front().senders;
    traffic_.duration = traffic_.sample = picoseconds_per_millisecond;
  }

  std::uint64_t traffic() const {
    return simulate(fabric_, tables_, nullptr, traffic_, model_, nullptr, RunRequest{}).events;
  }
  std::uint64_t application(const AdaptiveRouting* adaptive) const {
    PacketNetwork network(fabric_, tables_, model_, hosts_, {.adaptive = adaptive});
    static_cast<void>(
        replay_on_network(application_, extent_, {}, network, RankPlacement{hosts_, {}}, {}));
    return network.events();
  }
  const AdaptiveGroups& groups() const { return groups_; }
  std::size_t hosts() const { return hosts_.size(); }

 private:
  Fabric fabric_;
  ForwardingTables tables_;
  AdaptiveGroups groups_;
  std::vector<EndPortId> hosts_;
  Application application_;
  ApplicationExtent extent_{};
  Traffic traffic_;
  Model model_;
};

void print_table(std::string_view spec) {
  const Selection selection(spec);
  const AdaptiveRouting by_packet{&selection.groups(), false, 1};
  const AdaptiveRouting by_message{&selection.groups(), true, 1};
  constexpr std::size_t rounds = 5, middle = rounds / 2;
  constexpr std::array names{"uniform traffic", "application", "adaptive, by packet",
                             "adaptive, by message"};
  std::array<std::vector<Replayed>, names.size()> runs;
  for (std::size_t i = 0; i < rounds; ++i) {
    runs[0].push_back(timed([&] { return selection.traffic(); }));
    runs[1].push_back(timed([&] { return selection.application(nullptr); }));
    runs[2].push_back(timed([&] { return selection.application(&by_packet); }));
    runs[3].push_back(timed([&] { return selection.application(&by_message); }));
  }
  fmt::print("{}, {} hosts\n{:<22} {:>10} {:>10} {:>10}\n", spec, selection.hosts(), "run",
             "M events", "M/s", "of uniform");
  double uniform = 0;
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    std::ranges::nth_element(runs[kind], runs[kind].begin() + middle, {}, &Replayed::rate);
    const Replayed& median = runs[kind][middle];
    if (kind == 0) uniform = median.rate();
    fmt::print("{:<22} {:>10.1f} {:>10.2f} {:>10.2f}\n", names[kind], median.events / 1e6,
               median.rate() / 1e6, median.rate() / uniform);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("application_packets", [&] {
    std::string spec = "chic";
    CommandLine line("application_packets", "Measures the simulator's events per second.");
    line.option("SPEC", spec, "Fabric, as arguments of make_topo").show_default();
    if (line.parse(argc, argv)) print_table(spec);
    return 0;
  });
}
