// Verdicts are collected in a map by the end of the cable with the smaller (GUID, port), which the
// id of the fault names; verdicts on a node that does not answer are collected by the node. Links
// that went down together with their node are one fault of that node. Cables that one statement
// about the cabling names, such as two swapped cables, are one fault with one repair.
//
// If the monitor itself is cut off, all nodes fall silent. This is one fault of the fabric, and
// says nothing about the nodes. Nodes that were silent before, and all other faults, stay as they
// are. A sweep may be cut off in the middle, so the last sweep that reached the fabric counts, too.

#include "monitor/analysis/incident_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <tuple>

#include "base/untrusted_text.h"
#include "monitor/analysis/incident_parts.h"
#include "monitor/analysis/jobs_on_links.h"

namespace pssp {
namespace {

FaultKind kind_of(const Verdict& verdict) {
  if (verdict.what == "readings") return FaultKind::not_responding;
  if (verdict.what == link_state) return FaultKind::link_down;
  if (verdict.what == link_cabling) return FaultKind::cabling;
  if (verdict.what == "width") return FaultKind::width;
  if (verdict.what == "speed") return FaultKind::speed;
  return verdict.level == Level::unknown ? FaultKind::no_data : FaultKind::errors;
}

bool is_congestion(const Verdict& verdict) {
  return verdict.what == info_of(Counter::transmit_wait).name;
}

std::string id_of(PortKey key) {
  return key.number == 0 ? fmt::format("{:016x}", key.node)
                         : fmt::format("{:016x}-{}", key.node, key.number);
}

bool is_silent(PortStatus status) {
  return status == PortStatus::silent || status == PortStatus::backed_off;
}
bool has_answered(PortStatus status) {
  return status == PortStatus::read || status == PortStatus::refused ||
         status == PortStatus::doubtful;
}

/// How many nodes answered in a sweep.
struct SweepReach {
  std::size_t answering_switches = 0, silent_switches = 0;
  std::size_t answering_others = 0, silent_others = 0;

  /// Whether the monitor is cut off: no switch answers, and either several switches are silent, or
  /// several nodes are silent and at most one other node answers, which may be the monitor's own.
  bool is_cut_off() const noexcept {
    const bool only_own = answering_others <= 1 && silent_switches + silent_others > 1;
    return answering_switches == 0 && (only_own || silent_switches > 1);
  }
};

SweepReach reach_of(const Snapshot& snapshot) {
  SweepReach reach;
  for (const MapNode& node : snapshot.map->nodes) {
    const auto status = std::span(snapshot.status).subspan(node.first_port, node.ports);
    const bool is_switch = node.kind == NodeKind::switch_node;
    if (std::ranges::any_of(status, has_answered)) {
      ++(is_switch ? reach.answering_switches : reach.answering_others);
    } else if (std::ranges::any_of(status, is_silent)) {
      ++(is_switch ? reach.silent_switches : reach.silent_others);
    }
  }
  return reach;
}

FabricFault unreachable_fault(const SweepReach& reach, std::int64_t since_ms) {
  FabricFault fault;
  fault.id = std::string(fault_unreachable);
  fault.kind = FaultKind::unreachable;
  fault.level = Level::bad;
  fault.end.name = "the fabric";
  fault.since_ms = since_ms;
  fault.findings.push_back({fault.end, std::string(fault_unreachable), fault.level, since_ms, 0, 0,
                            fmt::format("no answer from {} switches and {} other nodes",
                                        reach.silent_switches, reach.silent_others)});
  fault.advice =
      "check the port and the cable of the monitor's host, and the switch at the other end; other "
      "faults are not detected until the fabric answers again";
  return fault;
}

/// The most lost links of a sweep whose jobs are determined: a power failure may take thousands.
constexpr int most_links_with_jobs = 64;

/// A fault with the verdict that decides its kind, level and advice.
struct OpenFault {
  FabricFault fault;
  const StandingVerdict* first = nullptr;
  std::uint32_t links_down = 0;
};

/// `standing` is sorted by urgency; among verdicts of the same level, the kind of the fault
/// decides.
bool decides(const StandingVerdict& verdict, const OpenFault& open) {
  if (open.first == nullptr || verdict.verdict.level != open.fault.level) {
    return open.first == nullptr || verdict.verdict.level > open.fault.level;
  }
  return kind_of(verdict.verdict) < kind_of(open.first->verdict);
}

void add_finding(const FabricMap& map, const StandingVerdict& verdict, OpenFault& open) {
  FabricFault& fault = open.fault;
  fault.since_ms =
      open.first == nullptr ? verdict.since_ms : std::min(fault.since_ms, verdict.since_ms);
  IncidentFinding finding = incident_finding(map, verdict);
  if (!decides(verdict, open)) {
    fault.findings.push_back(std::move(finding));
    return;
  }
  open.first = &verdict;
  fault.level = verdict.verdict.level;
  fault.kind = kind_of(verdict.verdict);
  fault.advice = advice_in(verdict.verdict.reason);
  fault.findings.insert(fault.findings.begin(), std::move(finding));
}

}  // namespace

void IncidentWatch::remember_cables(const FabricMap& map) {
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    const std::uint32_t peer = map.ports[p].peer;
    if (peer == MapPort::no_peer) continue;
    partners_[incident_port(map, p).key] = incident_port(map, peer);
  }
}

/// The new map has no routes over links that are down, so the jobs on them are those of the map and
/// tables before.
void IncidentWatch::remember_jobs(const IncidentInput& input) {
  const FabricMap& now = *input.snapshot.map;
  std::set<PortKey> down;
  for (const StandingVerdict& each : input.standing) {
    if (kind_of(each.verdict) != FaultKind::link_down) continue;
    down.insert(now.key_of(now.ports[each.verdict.port]));
  }
  std::erase_if(jobs_before_down_,
                [&down](const auto& each) { return !down.contains(each.first); });
  int links = 0;
  for (std::uint32_t p = 0; map_ != nullptr && p < map_->ports.size(); ++p) {
    const std::uint32_t peer = map_->ports[p].peer;
    if (peer == MapPort::no_peer || peer < p) continue;
    const PortKey key = map_->key_of(map_->ports[p]);
    const auto port = now.find_port(key.node, key.number);
    if (port && now.ports[*port].peer != MapPort::no_peer) continue;
    if (++links > most_links_with_jobs) return;
    const auto jobs = jobs_on_cable(*map_, p, tables_.get(), *jobs_);
    jobs_before_down_[key] = jobs;
    jobs_before_down_[map_->key_of(map_->ports[peer])] = jobs;
  }
}

/// Both ends of the cable or node of a verdict; the first end names the fault.
IncidentWatch::CableEnds IncidentWatch::ends_of(const FabricMap& map,
                                                const Verdict& verdict) const {
  IncidentPort self = incident_port(map, verdict.port);
  if (kind_of(verdict) == FaultKind::not_responding) {
    self.key.number = 0;
    return {self, std::nullopt};
  }
  const auto partner = partners_.find(self.key);
  if (partner == partners_.end()) return {self, std::nullopt};
  const IncidentPort& peer = partner->second;
  if (kind_of(verdict) == FaultKind::link_down && !map.find_node(peer.key.node)) {
    return {{{peer.key.node, 0}, peer.name}, std::nullopt};
  }
  return peer.key < self.key ? std::pair(peer, std::optional(self))
                             : std::pair(self, std::optional(peer));
}

const std::vector<std::string>& IncidentWatch::jobs_on(const IncidentInput& input,
                                                       const Verdict& verdict) {
  const std::uint32_t port = verdict.port;
  if (kind_of(verdict) == FaultKind::link_down) {
    const auto before =
        jobs_before_down_.find(input.snapshot.map->key_of(input.snapshot.map->ports[port]));
    if (before != jobs_before_down_.end()) return before->second;
  }
  const auto [at, is_new] = jobs_by_port_.try_emplace(port);
  if (is_new) {
    at->second = jobs_on_cable(*input.snapshot.map, port, input.tables.get(), *input.jobs);
  }
  return at->second;
}

/// For each statement about the cabling, the smallest end of all cables that it names. The key is
/// the reason of the verdicts, which is the same for all ports of a statement.
IncidentWatch::StatementEnds IncidentWatch::statement_ends(const IncidentInput& input) const {
  StatementEnds ends;
  for (const StandingVerdict& each : input.standing) {
    if (each.verdict.what != link_cabling) continue;
    auto of_port = ends_of(*input.snapshot.map, each.verdict);
    const auto [at, is_new] = ends.try_emplace(each.verdict.reason, of_port);
    if (!is_new && of_port.first.key < at->second.first.key) at->second = std::move(of_port);
  }
  return ends;
}

void IncidentWatch::watch_reach(const Snapshot& snapshot) {
  const SweepReach reach = reach_of(snapshot);
  if (!reach.is_cut_off()) {
    unreachable_.reset();
    reached_ms_ = snapshot.time_ms;
  } else if (!unreachable_) {
    unreachable_ = unreachable_fault(reach, snapshot.time_ms);
  }
}

/// True if the node is silent only because the monitor is cut off.
bool IncidentWatch::is_unreached(const IncidentInput& input,
                                 const StandingVerdict& standing) const {
  return unreachable_ && kind_of(standing.verdict) == FaultKind::not_responding &&
         is_silent(input.snapshot.status[standing.verdict.port]) &&
         standing.since_ms >= reached_ms_;
}

std::vector<FabricFault> IncidentWatch::faults_of(const IncidentInput& input) {
  const FabricMap& map = *input.snapshot.map;
  const StatementEnds cabling = statement_ends(input);
  std::map<std::string, OpenFault> open;
  for (const StandingVerdict& each : input.standing) {
    if (is_congestion(each.verdict) && each.verdict.level != Level::unknown) continue;
    if (is_unreached(input, each)) continue;
    auto [end, peer] = each.verdict.what == link_cabling ? cabling.at(each.verdict.reason)
                                                         : ends_of(map, each.verdict);
    OpenFault& fault = open[id_of(end.key)];
    if (fault.first == nullptr) fault.fault.end = std::move(end);
    if (peer) fault.fault.peer = std::move(peer);
    fault.links_down += kind_of(each.verdict) == FaultKind::link_down ? 1 : 0;
    add_finding(map, each, fault);
    for (const std::string& id : jobs_on(input, each.verdict)) {
      const bool is_known = std::ranges::find(fault.fault.jobs, id) != fault.fault.jobs.end();
      if (!is_known) fault.fault.jobs.push_back(id);
    }
  }
  std::vector<FabricFault> faults;
  if (unreachable_) faults.push_back(*unreachable_);
  for (auto& [id, each] : open) {
    each.fault.id = id;
    if (each.fault.end.key.number == 0 && each.fault.kind == FaultKind::link_down) {
      each.fault.kind = FaultKind::node_down;
      each.fault.advice = fmt::format("{} link{} to it went down: check its power and its console",
                                      each.links_down, each.links_down == 1 ? "" : "s");
    }
    faults.push_back(std::move(each.fault));
  }
  std::ranges::stable_sort(faults, std::ranges::greater(), [](const FabricFault& fault) {
    return std::tuple(fault.level, -static_cast<int>(fault.kind), fault.jobs.size(),
                      fault.since_ms);
  });
  return faults;
}

std::shared_ptr<const IncidentList> IncidentWatch::add(const IncidentInput& input) {
  const bool is_other_map = input.snapshot.map != map_;
  if (is_other_map) {
    remember_jobs(input);
    remember_cables(*input.snapshot.map);
  }
  if (is_other_map || input.tables != tables_ || input.jobs != jobs_) jobs_by_port_.clear();
  map_ = input.snapshot.map;
  tables_ = input.tables;
  jobs_ = input.jobs;
  watch_reach(input.snapshot);
  auto list = std::make_shared<IncidentList>();
  list->faults = faults_of(input);
  list->congestion = congestion_groups(*input.snapshot.map, input.differences, input.standing,
                                       *input.jobs, congestion_);
  return list;
}

}  // namespace pssp
