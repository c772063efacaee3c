// Serves the web interface for a synthetic fabric, for tests of sockets and pages:
//
//   synthetic_monitor SPECIFICATION INTERVAL_S [TOKEN]
//
// Listens on 127.0.0.1 and prints the port number. It ends when its standard input ends, so that no
// test leaves it running. Environment variables name optional files: HOSTILE_NAMES has names for
// the first nodes, one per line; ADVICE is the advice to serve; HISTORY is the database for jobs,
// recordings and past times.

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "monitor/analysis/incident_watch.h"
#include "monitor/server/http_server.h"
#include "monitor/service/recording_switch.h"
#include "monitor/service/stored_history.h"
#include "monitor/service/stored_jobs.h"
#include "monitor/service/stored_recordings.h"
#include "monitor/web/web_files.h"
#include "tests/monitor/synthetic_fabric.h"

namespace {

using namespace pssp;

/// The next snapshot, with the current time of the real clocks.
std::shared_ptr<Snapshot> now(SyntheticFabric& fabric, double interval_s) {
  auto snapshot = fabric.next(interval_s);
  using std::chrono::steady_clock;
  using std::chrono::system_clock;
  const auto wall = system_clock::now().time_since_epoch();
  const auto monotonic = steady_clock::now().time_since_epoch();
  snapshot->time_ms = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  snapshot->begin_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(monotonic).count();
  snapshot->figures.duration_ns = 0;
  return snapshot;
}

void rename_nodes(FabricMap& map) {
  const char* const file = std::getenv("HOSTILE_NAMES");
  if (file == nullptr) return;
  std::ifstream names(file);
  std::string name;
  for (MapNode& node : map.nodes) {
    if (!std::getline(names, name)) return;
    node.description = name;
  }
}

/// One adapter in seven belongs to a node that is unfit, and one to a node with fitness watch.
FitList some_fits(const FabricMap& map, std::int64_t since_ms) {
  std::vector<NodeFit> fits;
  for (const MapNode& node : map.nodes) {
    if (node.kind == NodeKind::switch_node) continue;
    NodeFit& fit = fits.emplace_back();
    const std::size_t which = fits.size() % 7;
    fit.name = node.description;
    fit.ports = {{node.guid, 1}};
    fit.level = which == 1 ? Level::bad : which == 4 ? Level::watch : Level::good;
    fit.since_ms = since_ms;
    if (which == 1) {
      fit.advice = DrainAdvice::drain;
      fit.reasons = {{Level::bad, {node.guid, 1}, "<b>leaf</b>[7] \"symbol\" errors: 31 in 1 h"}};
    }
    if (which == 4) {
      fit.reasons = {{Level::watch, {node.guid, 1}, "leaf port 8 runs at 1xHDR, its peers at 4x"}};
    }
  }
  return FitList(std::move(fits));
}

/// The plan has an additional cable between the first two switches.
CablingView a_missing_cable(const FabricMap& map, std::int64_t since_ms) {
  CablingView cabling;
  cabling.plan = "plan.net";
  CablingStatementView missing;
  missing.fault = "missing";
  missing.text = "a port 1 - b port 1";
  missing.since_ms = since_ms;
  for (const MapNode& node : map.nodes) {
    if (node.kind != NodeKind::switch_node || missing.positions.size() == 2) continue;
    missing.positions.push_back({node.guid, 1});
  }
  cabling.statements = {missing};
  cabling.kinds = {{"missing", 1}};
  return cabling;
}

LiveFacts facts_of(const FabricMap& map, double interval_s) {
  LiveFacts facts;
  facts.interval_s = interval_s;
  facts.has_verdicts = true;
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  facts.started_ms = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    if (map.ports[p].peer == MapPort::no_peer || p % 97 != 5) continue;
    facts.verdicts.push_back(
        {p, p % 2 == 0 ? VerdictLevel::watch : VerdictLevel::bad, "symbol_errors",
         "31 in 1 h, limit 10: reseat the cable, then swap it", facts.started_ms, 31.0, 10.0});
  }
  // Congestion at the first four ports and a lost link at the last port; the errors above are at
  // ports in between.
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    if (map.ports[p].peer != MapPort::no_peer && p < 4) {
      facts.verdicts.push_back({p, VerdictLevel::watch, "transmit_wait",
                                "waited 62 % of the time in 1 hour, limit 30 %: congestion, "
                                "not a fault; check the destinations of its traffic",
                                facts.started_ms, 0.62, 0.3});
    }
  }
  facts.verdicts.push_back(
      {static_cast<std::uint32_t>(map.ports.size() - 1), VerdictLevel::bad, "state",
       "the link to <b>top 9</b> port 1 is down: check the cable and both switches",
       facts.started_ms, std::nullopt, std::nullopt});
  for (const MapPort& port : map.ports) {
    if (map.node_of(port).kind == NodeKind::switch_node || facts.managers.size() == 2) continue;
    facts.managers.push_back(
        {port.guid, port.lid, 15U - static_cast<unsigned>(facts.managers.size()),
         facts.managers.empty() ? "master" : "standby", 4711, facts.started_ms});
  }
  RerouteRecord lost;
  lost.begin_ms = facts.started_ms - 90'000;
  lost.end_ms = facts.started_ms - 88'700;
  lost.entries = 209;
  lost.blocks = 60;
  lost.switches = 42;
  lost.flows = 46'440;
  lost.moved = lost.no_route = 420;
  lost.no_route_ms = 1300;
  lost.jobs = {{"4711 <b>", 240, 18, 0, 0}, {"4712", 56, 4, 4, 2}};
  RerouteRecord unknown;
  unknown.begin_ms = facts.started_ms - 9'000;
  unknown.end_ms = facts.started_ms - 9'000;
  unknown.entries = 3;
  unknown.blocks = 1;
  unknown.switches = 1;
  unknown.problem = "the fabric cannot be routed, so flows are not known";
  facts.reroute_list =
      std::make_shared<const std::vector<RerouteRecord>>(std::vector{lost, unknown});
  facts.fit = std::make_shared<const FitList>(some_fits(map, facts.started_ms));
  facts.cabling = std::make_shared<const CablingView>(a_missing_cable(map, facts.started_ms));
  return facts;
}

/// The incidents of these verdicts; no job runs.
std::shared_ptr<const IncidentList> incidents_of(const Snapshot& snapshot, const LiveView* before,
                                                 const std::vector<VerdictView>& verdicts) {
  std::vector<StandingVerdict> standing;
  for (const VerdictView& each : verdicts) {
    standing.push_back({{each.port, static_cast<Level>(each.level), each.what, each.reason,
                         each.value.value_or(0), each.limit.value_or(0)},
                        each.since_ms});
  }
  const std::vector<PortDifference> changed =
      before == nullptr ? std::vector<PortDifference>(snapshot.map->ports.size())
                        : differences(*before->snapshot, snapshot);
  IncidentWatch watch;
  return watch.add(
      {snapshot, changed, standing, std::make_shared<const std::vector<RunningJob>>(), nullptr});
}

/// Serves prepared advice. A new computation, once requested, never ends.
class GivenAdvice final : public AdviceSource {
 public:
  GivenAdvice() {
    const char* const file = std::getenv("ADVICE");
    if (file == nullptr) return;
    std::ifstream text(file);
    state_.last = std::make_shared<const std::string>(std::istreambuf_iterator<char>(text),
                                                      std::istreambuf_iterator<char>());
    state_.made_ms = 1'700'000'000'000;
  }
  AdviceState state() const override {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  bool start(const AdviceRequest& request) override {
    const std::scoped_lock lock(mutex_);
    if (request.engines == "nonsense") throw Error(ErrorKind::usage, "unknown engine 'nonsense'");
    if (state_.running) return false;
    state_.running = true;
    state_.since_ms = state_.made_ms;
    state_.engines = request.engines;
    return true;
  }

 private:
  mutable std::mutex mutex_;
  AdviceState state_;
};

/// Waits at most this long; true if standard input has ended.
bool input_ends(double seconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(seconds * 1000)) <= 0) return false;
  char byte = 0;
  return read(STDIN_FILENO, &byte, 1) <= 0;
}

int serve(const std::string& specification, double interval_s, const std::string& token) {
  SyntheticFabric fabric(specification);
  rename_nodes(fabric.map());
  LiveState live;
  const char* const history = std::getenv("HISTORY");
  StoredHistory stored(history != nullptr ? history : "");
  Api api(live, history != nullptr ? &stored : nullptr, web_files());
  JobContext context;
  if (history != nullptr) context.database = history;
  StoredJobs jobs(std::move(context));
  StoredRecordings recordings(history != nullptr ? history : "");
  RecordingSwitch control(history != nullptr ? history : "", [](const std::string&) {});
  AcknowledgementBook acknowledgements(history != nullptr ? history : "");
  if (history != nullptr) {
    api.set_acknowledgements(&acknowledgements);
    api.set_jobs(&jobs);
    api.set_recordings(&recordings);
    if (!token.empty()) api.set_recording_control(&control);
  }
  GivenAdvice advice;
  api.set_advice(&advice);
  HttpOptions options;
  options.listen.port = 0;
  options.access.token = token;
  HttpServer server(options, api, live);
  std::cout << server.port() << std::endl;
  LiveFacts facts = facts_of(fabric.map(), interval_s);
  if (history != nullptr) {
    facts.database = DatabaseView{history, 0, HistoryReader(history).status().oldest_ms, "writing"};
  }
  live.add_event({.time_ms = facts.started_ms, .text = "the first topology"});
  do {
    const auto snapshot = now(fabric, interval_s);
    facts.incidents = incidents_of(*snapshot, live.view().get(), facts.verdicts);
    live.publish(snapshot, facts);
  } while (!input_ends(interval_s));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3) return 2;
    return serve(argv[1], std::stod(argv[2]), argc > 3 ? argv[3] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
