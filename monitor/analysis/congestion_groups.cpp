// Congestion spreads against the direction of the packets: a saturated link leaves no credits for
// the ports that send to it, these leave no credits for the ports before them, and so on
// (congestion tree). The search therefore follows the packets to the root. A root is a saturated
// link, or a host that takes packets from its link too slowly. Counters do not show which path the
// packets of a port take; the most probable one is the port that waits most at the next switch.
//
// The job of a group is the job with the most bytes per second at the hosts of the switch that the
// saturated links lead to, or, if that switch has no hosts, of the switch that they come from.

#include "monitor/analysis/congestion_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "monitor/analysis/incident_parts.h"
#include "monitor/analysis/utilisation.h"

namespace pssp {
namespace {

constexpr unsigned longest_tree = 16;

struct CongestionRoot {
  std::uint32_t node = 0;  ///< index into FabricMap::nodes; saturated links lead to this node or to
                           ///< its hosts
  CongestionCause cause = CongestionCause::unknown;
};

class CongestionSearch {
 public:
  CongestionSearch(const FabricMap& map, const std::vector<PortDifference>& differences,
                   const std::map<std::uint32_t, double>& waiting)
      : map_(map), differences_(differences), waiting_(waiting) {}

  /// Where the search from a waiting port ends.
  CongestionRoot root_of(std::uint32_t port) const {
    std::set<std::uint32_t> seen{port};
    for (unsigned hop = 0; hop < longest_tree; ++hop) {
      const std::uint32_t arrival = map_.ports[port].peer;
      const std::uint32_t node = map_.ports[arrival].node;
      if (!is_switch(node)) return {node, CongestionCause::slow_host};
      if (const auto link = busiest_exit(node, arrival)) {
        const std::uint32_t head = map_.ports[map_.ports[*link].peer].node;
        return is_switch(head) ? CongestionRoot{head, CongestionCause::links_to_switch}
                               : CongestionRoot{node, CongestionCause::links_to_hosts};
      }
      const auto next = most_waiting_exit(node, arrival);
      if (!next || !seen.insert(*next).second) return {node, CongestionCause::unknown};
      port = *next;
    }
    return {map_.ports[port].node, CongestionCause::unknown};
  }

  /// Ports that send to the saturated links of a root.
  std::vector<std::uint32_t> saturated_links(const CongestionRoot& root) const {
    std::vector<std::uint32_t> links;
    for (std::uint32_t i = 0; i < map_.nodes[root.node].ports; ++i) {
      const std::uint32_t inner = map_.nodes[root.node].first_port + i;
      const std::uint32_t outer = map_.ports[inner].peer;
      if (outer == MapPort::no_peer) continue;
      const bool from_switch = is_switch(map_.ports[outer].node);
      const std::uint32_t sender = root.cause == CongestionCause::links_to_switch ? outer : inner;
      const bool is_meant = root.cause == CongestionCause::links_to_switch  ? from_switch
                            : root.cause == CongestionCause::links_to_hosts ? !from_switch
                                                                            : false;
      if (is_meant && use_of(sender) > UseLimits{}.hot) links.push_back(sender);
    }
    return links;
  }

  double sent_per_s(std::uint32_t port) const {
    const PortDifference& own = differences_[port];
    if (own.ns != 0) return own.per_second(Counter::transmit_bytes);
    return differences_[map_.ports[port].peer].per_second(Counter::receive_bytes);
  }

 private:
  bool is_switch(std::uint32_t node) const {
    return map_.nodes[node].kind == NodeKind::switch_node;
  }

  double use_of(std::uint32_t port) const {
    return utilisation(differences_[port], Counter::transmit_bytes, map_.ports[port].rate);
  }

  template <class Value>
  std::optional<std::uint32_t> largest_exit(std::uint32_t node, std::uint32_t arrival, double above,
                                            const Value& value) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < map_.nodes[node].ports; ++i) {
      const std::uint32_t exit = map_.nodes[node].first_port + i;
      if (exit == arrival || map_.ports[exit].peer == MapPort::no_peer) continue;
      if (const double of_exit = value(exit); of_exit > above) {
        above = of_exit;
        best = exit;
      }
    }
    return best;
  }

  std::optional<std::uint32_t> busiest_exit(std::uint32_t node, std::uint32_t arrival) const {
    return largest_exit(node, arrival, UseLimits{}.hot,
                        [this](std::uint32_t exit) { return use_of(exit); });
  }

  std::optional<std::uint32_t> most_waiting_exit(std::uint32_t node, std::uint32_t arrival) const {
    return largest_exit(node, arrival, 0, [this](std::uint32_t exit) {
      const auto found = waiting_.find(exit);
      return found == waiting_.end() ? 0 : found->second;
    });
  }

  const FabricMap& map_;
  const std::vector<PortDifference>& differences_;
  const std::map<std::uint32_t, double>& waiting_;
};

/// Ports of adapters cabled to a switch; for an adapter, its own ports.
std::vector<std::uint32_t> hosts_at(const FabricMap& map, std::uint32_t node) {
  const bool is_switch = map.nodes[node].kind == NodeKind::switch_node;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t i = 0; i < map.nodes[node].ports; ++i) {
    const std::uint32_t port = map.nodes[node].first_port + i;
    const std::uint32_t peer = map.ports[port].peer;
    if (peer == MapPort::no_peer) continue;
    if (!is_switch) hosts.push_back(port);
    if (is_switch && map.node_of(map.ports[peer]).kind != NodeKind::switch_node) {
      hosts.push_back(peer);
    }
  }
  return hosts;
}

/// Sets the job with the most bytes at the hosts, unless no job has any.
void name_job(const FabricMap& map, const CongestionSearch& search,
              const std::vector<RunningJob>& jobs, CongestionGroup& group,
              const std::vector<std::uint32_t>& hosts, bool receives) {
  std::vector<double> bytes(jobs.size());
  double all = 0;
  for (const std::uint32_t host : hosts) {
    const double rate = search.sent_per_s(receives ? map.ports[host].peer : host);
    all += rate;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (std::ranges::binary_search(jobs[j].nodes, map.ports[host].node)) bytes[j] += rate;
    }
  }
  const auto most = std::ranges::max_element(bytes);
  if (most == bytes.end() || *most <= 0) return;
  group.job = jobs[static_cast<std::size_t>(most - bytes.begin())].id;
  group.job_share = *most / all;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string summary_of(const CongestionGroup& group, CongestionCause cause, bool is_over) {
  const std::string waits = (group.waiting_hosts != 0 ? counted(group.waiting_hosts, "host")
                                                      : counted(group.waiting.size(), "port")) +
                            (is_over ? " waited" : " waiting");
  const std::string job = group.job.empty() ? "" : "job " + group.job;
  if (cause == CongestionCause::slow_host) {
    return fmt::format("host {} accepts packets too slowly{} ({})", group.target.name,
                       job.empty() ? "" : ", " + job, waits);
  }
  if (cause == CongestionCause::unknown) {
    return fmt::format("no saturated link was found downstream of {} that wait{} ({})",
                       counted(group.waiting.size(), "port"), group.waiting.size() == 1 ? "s" : "",
                       waits);
  }
  const std::size_t links = group.saturated.size();
  const std::string where = fmt::format(
      "{} {} {}", counted(links, "link"),
      cause == CongestionCause::links_to_hosts ? "to hosts of" : "to", group.target.name);
  if (!job.empty()) {
    return fmt::format("{} {} {} ({})", job, is_over ? "saturated" : "saturates", where, waits);
  }
  const std::string_view verb = is_over ? (links == 1 ? "was" : "were") : links == 1 ? "is" : "are";
  return fmt::format("{} {} saturated ({})", where, verb, waits);
}

/// The cause found for the port now, or the cause of an earlier sweep if that is better known.
CongestionRoot remembered_root(const FabricMap& map, std::uint32_t port,
                               const CongestionRoot& found, CongestionMemory& memory) {
  CongestionMemory::Root& before = memory.roots[incident_port(map, port).key];
  if (before.cause < found.cause) {
    const auto node = map.find_node(before.node);
    return node ? CongestionRoot{*node, before.cause} : found;
  }
  before = {map.nodes[found.node].guid, found.cause};
  return found;
}

/// Forgets ports that no longer wait, and nodes that are no longer a cause.
void forget_ended(const FabricMap& map, const std::map<std::uint32_t, double>& waiting,
                  CongestionMemory& memory) {
  std::erase_if(memory.roots, [&](const auto& root) {
    const auto port = map.find_port(root.first.node, root.first.number);
    return !port || !waiting.contains(*port);
  });
  std::erase_if(memory.traffic, [&](const auto& at) {
    return std::ranges::none_of(memory.roots,
                                [&](const auto& root) { return root.second.node == at.first; });
  });
}

/// Fills in the links and the job of an earlier sweep.
void recall_traffic(const FabricMap& map, const CongestionMemory::Traffic& traffic,
                    CongestionGroup& group) {
  for (const PortKey& key : traffic.saturated) {
    if (const auto port = map.find_port(key.node, key.number)) {
      group.saturated.push_back(incident_port(map, *port));
    }
  }
  group.job = traffic.job;
  group.job_share = traffic.job_share;
}

CongestionMemory::Traffic traffic_of(const CongestionGroup& group) {
  CongestionMemory::Traffic traffic{{}, group.job, group.job_share};
  for (const IncidentPort& each : group.saturated) traffic.saturated.push_back(each.key);
  return traffic;
}

struct OpenGroup {
  CongestionCause cause = CongestionCause::unknown;
  std::vector<const StandingVerdict*> waiting;  ///< by descending share
};

CongestionGroup closed_group(const FabricMap& map, const CongestionSearch& search,
                             const std::vector<RunningJob>& jobs, std::uint32_t node,
                             const OpenGroup& open, CongestionMemory& memory) {
  CongestionGroup group;
  group.id = "congestion-unknown";
  std::vector<std::uint32_t> links;
  if (open.cause != CongestionCause::unknown) {
    group.target = incident_node(map, node);
    group.id = fmt::format("congestion-{:016x}", group.target.key.node);
    links = search.saturated_links({node, open.cause});
  }
  for (const std::uint32_t link : links) group.saturated.push_back(incident_port(map, link));
  group.since_ms = open.waiting.front()->since_ms;
  for (const StandingVerdict* at : open.waiting) {
    group.waiting.push_back(incident_finding(map, *at));
    const bool is_host = map.node_of(map.ports[at->verdict.port]).kind != NodeKind::switch_node;
    group.waiting_hosts += is_host ? 1 : 0;
    group.since_ms = std::min(group.since_ms, at->since_ms);
  }
  const std::vector<std::uint32_t> receivers =
      open.cause == CongestionCause::unknown ? std::vector<std::uint32_t>() : hosts_at(map, node);
  const bool by_senders = receivers.empty() && !links.empty();
  name_job(map, search, jobs, group,
           by_senders ? hosts_at(map, map.ports[links.front()].node) : receivers, !by_senders);
  const auto before = memory.traffic.find(group.target.key.node);
  const bool is_over = links.empty() && before != memory.traffic.end();
  if (is_over) recall_traffic(map, before->second, group);
  if (!links.empty()) memory.traffic[group.target.key.node] = traffic_of(group);
  group.summary = summary_of(group, open.cause, is_over);
  return group;
}

}  // namespace

std::vector<CongestionGroup> congestion_groups(const FabricMap& map,
                                               const std::vector<PortDifference>& differences,
                                               const std::vector<StandingVerdict>& standing,
                                               const std::vector<RunningJob>& jobs,
                                               CongestionMemory& memory) {
  std::map<std::uint32_t, double> waiting;
  std::vector<const StandingVerdict*> verdicts;
  for (const StandingVerdict& each : standing) {
    const bool waits = each.verdict.what == info_of(Counter::transmit_wait).name &&
                       each.verdict.level != Level::unknown &&
                       map.ports[each.verdict.port].peer != MapPort::no_peer;
    if (!waits) continue;
    waiting[each.verdict.port] = each.verdict.value;
    verdicts.push_back(&each);
  }
  std::ranges::stable_sort(verdicts, std::ranges::greater(),
                           [](const StandingVerdict* at) { return at->verdict.value; });
  forget_ended(map, waiting, memory);
  const CongestionSearch search(map, differences, waiting);
  std::map<std::uint32_t, OpenGroup> open;  // by node; no_peer for ports without a known cause
  for (const StandingVerdict* each : verdicts) {
    const std::uint32_t port = each->verdict.port;
    const CongestionRoot root = remembered_root(map, port, search.root_of(port), memory);
    // All ports without a known cause form one group; otherwise there could be one group for each
    // switch.
    OpenGroup& group = open[root.cause == CongestionCause::unknown ? MapPort::no_peer : root.node];
    group.cause = std::min(group.cause, root.cause);
    group.waiting.push_back(each);
  }
  std::vector<CongestionGroup> groups;
  groups.reserve(open.size());
  for (const auto& [node, each] : open) {
    groups.push_back(closed_group(map, search, jobs, node, each, memory));
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &CongestionGroup::waiting_hosts);
  return groups;
}

}  // namespace pssp
