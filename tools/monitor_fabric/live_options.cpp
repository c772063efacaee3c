#include "tools/monitor_fabric/live_options.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "fabric/nodes/node_name_map.h"
#include "monitor/live/fabric_session.h"
#include "tools/kit/command_line.h"
#include "tools/kit/key_file.h"

namespace pssp {

void LiveOptions::add_options(CommandLine& line) {
  port.add_options(line);
  line.option("--topology", topology,
              "Output of ibnetdiscover to use instead of discovering the fabric")
      .reads();
  line.option("--mkey-file", m_key_file, "File with the M_Key, if the fabric protects its PortInfo")
      .reads();
  line.option("--node-name-map", node_name_map,
              "Node names by GUID, in the format of infiniband-diags")
      .reads();
  line.flag("--no-hosts", no_hosts,
            "Read only switch ports: half the requests, and still every cable");
}

FabricOptions LiveOptions::fabric() const {
  constexpr unsigned most_in_flight = 256;
  if (port.window > most_in_flight) {
    throw Error(ErrorKind::usage,
                fmt::format("--window {}: at most {} requests can be outstanding at a time",
                            port.window, most_in_flight));
  }
  FabricOptions options;
  options.adapters = port.adapters;
  options.exchange = port.exchange();
  options.topology_file = topology;
  options.hosts = !no_hosts;
  if (!m_key_file.empty()) options.m_key = read_key_file(m_key_file, "M_Key");
  if (!node_name_map.empty()) options.labels = read_node_name_map(node_name_map);
  return options;
}

namespace {

/// LIDs in a file may belong to another fabric.
void require_right_nodes(const Snapshot& snapshot, const std::vector<MonitorEvent>& events) {
  std::string names;
  std::size_t wrong = 0;
  for (const MonitorEvent& event : events) {
    if (event.kind != EventKind::wrong_node) continue;
    constexpr std::size_t displayed_names = 5;
    if (++wrong <= displayed_names) names += "\n  " + event.text;
  }
  if (wrong == 0) return;
  throw Error(ErrorKind::mismatch, fmt::format("the topology file does not match the fabric: {} of "
                                               "{} nodes differ; run ibnetdiscover again{}",
                                               wrong, snapshot.map->nodes.size(), names));
}

}  // namespace

TwoSweeps sweep_twice(const FabricOptions& options, double interval_s) {
  std::optional<DiscoveredFabric> of_file = fabric_of_file(options);
  FabricSession session(options);
  const DiscoveredFabric found = of_file ? std::move(*of_file) : session.discover();
  session.collector().set_map(found.map);
  TwoSweeps result;
  if (!found.problem.empty()) result.remarks.push_back("the fabric: " + found.problem);
  result.before = session.sweep();
  const std::vector<MonitorEvent> events = session.collector().take_events();
  if (!options.topology_file.empty()) require_right_nodes(*result.before, events);
  const auto due = std::chrono::nanoseconds(result.before->begin_ns) +
                   std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::duration<double>(interval_s));
  std::this_thread::sleep_until(Collector::Clock::time_point(due));
  result.after = session.sweep();
  result.differences = differences(*result.before, *result.after);
  for (const auto& list : {events, session.collector().take_events()}) {
    for (const MonitorEvent& event : list) result.remarks.push_back(event.text);
  }
  return result;
}

}  // namespace pssp
