// A link has a lower capacity as long as its verdict stands, and verdicts improve only after a
// whole window (verdict_watch.h). A link that goes up and down is therefore avoided once, and not
// again each time it goes down.
//
// Programs that read the file scale the current rate of the link. A link that came up with one of
// four lanes already has a quarter of its rate, so the file must not lower it a second time.

#include "monitor/analysis/capacity_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "base/version.h"
#include "fabric/formats/capacity_file.h"
#include "fabric/nodes/node_description.h"
#include "monitor/counters/counter_set.h"

namespace pssp {
namespace {

constexpr std::size_t links_for_each_lowered = 10;
constexpr std::int64_t refreshed_after_ms = std::int64_t{6} * 3'600'000;

unsigned percent_of(const VerdictRecord& verdict, const VerdictSettings& settings) {
  if (verdict.what == "width" || verdict.what == "speed") return 100;
  if (verdict.what == info_of(Counter::link_downed).name) return settings.capacity_down_percent;
  return settings.capacity_bad_percent;
}

/// True if the verdict means that the cable is bad. A node that is flooded with management packets
/// has a good cable, and a link that is down carries no traffic at any capacity.
bool is_of_cable(const VerdictRecord& verdict) {
  return verdict.level == Level::bad && verdict.what != info_of(Counter::vl15_dropped).name &&
         verdict.what != link_state && verdict.what != link_cabling;
}

bool is_switch_port(const FabricMap& map, std::uint32_t port) {
  return map.node_of(map.ports[port]).kind == NodeKind::switch_node;
}

std::string name_of_end(const FabricMap& map, std::uint32_t port) {
  return port_label(untrusted_text(map.node_of(map.ports[port]).description),
                    map.ports[port].number);
}

std::string remark_of(const FabricMap& map, std::uint32_t port, const VerdictRecord& verdict) {
  const std::uint32_t peer = map.ports[port].peer;
  return fmt::format("{} - {}: {}: {}", name_of_end(map, port),
                     peer == MapPort::no_peer ? "no link now" : name_of_end(map, peer),
                     verdict.what, untrusted_text(verdict.reason));
}

std::vector<std::pair<PortKey, unsigned>> lines_of(const CapacityPlan& plan) {
  std::vector<std::pair<PortKey, unsigned>> lines;
  lines.reserve(plan.links.size());
  for (const LoweredLink& each : plan.links) lines.emplace_back(each.port, each.percent);
  return lines;
}

}  // namespace

bool CapacityPlan::is_too_much() const noexcept {
  return lowered > std::max<std::size_t>(1, cables / links_for_each_lowered);
}

CapacityPlan plan_capacities(const FabricMap& map, const std::vector<VerdictRecord>& standing,
                             const VerdictSettings& settings) {
  CapacityPlan plan;
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    const std::uint32_t peer = map.ports[p].peer;
    if (peer == MapPort::no_peer || peer < p) continue;
    if (is_switch_port(map, p) && is_switch_port(map, peer)) ++plan.cables;
  }
  std::map<std::uint32_t, LoweredLink> by_port;
  for (const VerdictRecord& each : standing) {
    if (!is_of_cable(each)) continue;
    const auto port = map.find_port(each.port.node, each.port.number);
    if (!port || !is_switch_port(map, *port)) continue;
    const std::uint32_t peer = map.ports[*port].peer;
    if (peer != MapPort::no_peer && !is_switch_port(map, peer)) continue;
    const std::uint32_t end = peer == MapPort::no_peer ? *port : std::min(*port, peer);
    const unsigned percent = percent_of(each, settings);
    const auto [at, is_new] = by_port.try_emplace(end);
    if (!is_new && at->second.percent <= percent) continue;
    const PortKey key = map.key_of(map.ports[end]);
    at->second = {key, percent, remark_of(map, *port, each)};
  }
  for (auto& [port, link] : by_port) {
    if (link.percent < 100) ++plan.lowered;
    plan.links.push_back(std::move(link));
  }
  return plan;
}

std::string capacity_text(const CapacityPlan& plan, std::int64_t time_ms) {
  std::string text =
      fmt::format("{} monitor_fabric {}, {}\n", capacity_mark, version(), utc_text(time_ms));
  text +=
      "# node GUID, port, percent of the nominal capacity in both directions; 0: avoid this link\n";
  for (const LoweredLink& each : plan.links) {
    fmt::format_to(std::back_inserter(text), "0x{:016x} {} {}  # {}\n", each.port.node,
                   each.port.number, each.percent, each.remark);
  }
  return text;
}

std::string too_much_text(const CapacityPlan& plan) {
  return fmt::format(
      "{} of {} links between switches would have less capacity, but at most 1 in {} may, so that "
      "a wrong limit does not reroute the fabric: check the verdicts, and section [verdicts] of "
      "the configuration",
      plan.lowered, plan.cables, links_for_each_lowered);
}

std::optional<std::string> CapacityPacer::offer(const CapacityPlan& plan, std::int64_t time_ms) {
  problem_.clear();
  if (plan.is_too_much()) {
    problem_ = "the capacity file was not updated: " + too_much_text(plan);
    return std::nullopt;
  }
  // After the clock was set back, the file must not stay unwritten until the old time is reached
  // again.
  if (written_ms_ && time_ms < *written_ms_) written_ms_ = time_ms;
  if (written_ms_ && time_ms - *written_ms_ < every_ms_) return std::nullopt;
  std::vector<std::pair<PortKey, unsigned>> lines = lines_of(plan);
  const bool is_same = written_ && *written_ == lines;
  if (is_same && written_ms_ && time_ms - *written_ms_ < refreshed_after_ms) return std::nullopt;
  written_ = std::move(lines);
  written_ms_ = time_ms;
  return capacity_text(plan, time_ms);
}

}  // namespace pssp
