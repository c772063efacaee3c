// A fault is seen before its repair: a sweep finds that a cable is gone, and the subnet manager
// writes new tables seconds later. The tables before the change are those from the time with the
// cable. The time between the two therefore belongs to the change. The change stays open until
// blocks have changed and are stable again, or until no block has changed for a while.

#include "monitor/analysis/reroute_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {
namespace {

constexpr unsigned calm_readings_wanted = 2;
constexpr std::int64_t longest_wait_for_tables_ms = 60'000;
constexpr std::int64_t ns_per_ms = 1'000'000;

void compare_switch(const LiveTables& before, const LiveTables& after, std::size_t was,
                    std::size_t is, std::vector<ChangedBlock>& changes) {
  const std::vector<PortNumber>& old_entries = before.by_node[was];
  const std::vector<PortNumber>& entries = after.by_node[is];
  if (old_entries.empty() || entries.empty()) return;
  const auto entry = [](const std::vector<PortNumber>& of, std::size_t at) {
    return at < of.size() ? of[at] : no_port;
  };
  const std::size_t end = std::max(old_entries.size(), entries.size());
  for (std::size_t first = 0; first < end; first += linear_block_size) {
    ChangedBlock change;
    for (std::size_t i = 0; i < linear_block_size; ++i) {
      change.before[i] = entry(old_entries, first + i);
      change.after[i] = entry(entries, first + i);
    }
    if (change.before == change.after) continue;
    change.node = after.map->nodes[is].guid;
    change.block = static_cast<std::uint16_t>(first / linear_block_size);
    change.since_ns = before.time_ms * ns_per_ms;
    change.time_ns = after.time_ms * ns_per_ms;
    changes.push_back(change);
  }
}

/// The number with separators: "278,256".
std::string grouped(std::uint64_t number) {
  constexpr std::size_t group = 3;
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > group;) digits.insert(at -= group, ",");
  return digits;
}

std::string length_text(std::int64_t ms) {
  return ms < 1000 ? fmt::format("{} ms", ms)
                   : fmt::format("{:.1f} s", static_cast<double>(ms) / 1e3);
}

}  // namespace

bool RerouteWatch::collect_changes(const LiveTables& tables) {
  const std::size_t known = changes_.size();
  for (std::size_t n = 0; n < tables.by_node.size(); ++n) {
    const auto was = last_->map->find_node(tables.map->nodes[n].guid);
    if (was) compare_switch(*last_, tables, *was, n, changes_);
  }
  if (changes_.size() == known && tables.map->hash == last_->map->hash) return false;
  if (!is_changing_) {
    const bool other_cables = tables.map->hash != last_->map->hash;
    begin_ms_ = other_cables ? std::clamp(tables.map->time_ms, last_->time_ms, tables.time_ms)
                             : last_->time_ms;
  }
  return true;
}

std::optional<SeenReroute> RerouteWatch::add(const LiveTablesPointer& tables) {
  if (tables->unread_switches == tables->switches) return std::nullopt;
  if (!last_) {
    calm_ = last_ = tables;
    return std::nullopt;
  }
  const bool changed = collect_changes(*tables);
  last_ = tables;
  if (changed) {
    is_changing_ = true;
    calm_readings_ = 0;
    return std::nullopt;
  }
  if (is_changing_) {
    ++calm_readings_;
    const bool waits = changes_.empty() && tables->time_ms - begin_ms_ < longest_wait_for_tables_ms;
    if (waits || calm_readings_ < calm_readings_wanted) return std::nullopt;
  }
  const LiveTablesPointer before = std::exchange(calm_, tables);
  is_changing_ = false;
  if (changes_.empty()) return std::nullopt;
  return SeenReroute{before, tables, std::exchange(changes_, {}), begin_ms_ * ns_per_ms};
}

RerouteRecord record_of(const SeenReroute& reroute, const RerouteImpact& impact) {
  RerouteRecord record;
  record.begin_ms = reroute.begin_ns / ns_per_ms;
  record.end_ms =
      reroute.changes.empty() ? record.begin_ms : reroute.changes.back().time_ns / ns_per_ms;
  record.entries = impact.entries;
  record.blocks = impact.blocks;
  record.switches = impact.switches;
  record.problem = impact.problem;
  if (!impact.routes) return record;
  const FlowChanges& flows = impact.routes->flows;
  record.flows = flows.all.flows;
  record.moved = flows.moved.flows;
  record.longer = flows.longer.flows;
  record.lost = flows.lost.flows;
  record.gained = flows.gained.flows;
  record.no_route = impact.states.no_route.flows;
  record.no_route_ms = impact.states.no_route.longest_ns / ns_per_ms;
  record.loop = impact.states.loop.flows;
  record.loop_ms = impact.states.loop.longest_ns / ns_per_ms;
  record.jobs.reserve(impact.jobs.size());
  for (const JobReroute& job : impact.jobs) {
    record.jobs.push_back({job.id, job.flows.all.flows, job.flows.moved.flows,
                           job.flows.longer.flows, job.flows.lost.flows});
  }
  return record;
}

std::string sentence_of(const RerouteRecord& record) {
  std::string text = fmt::format("routes changed: {} table entries in {} blocks of {} switches",
                                 grouped(record.entries), grouped(record.blocks), record.switches);
  if (!record.problem.empty()) return text + "; " + record.problem;
  text += fmt::format("; of {} host pairs, {} use another path and {} lost their path",
                      grouped(record.flows), grouped(record.moved), grouped(record.lost));
  if (record.no_route != 0) {
    text += fmt::format("; {} had no path for at most {} (between readings of the tables)",
                        grouped(record.no_route), length_text(record.no_route_ms));
  }
  if (record.loop != 0) {
    text += fmt::format("; {} were in a loop for a while", grouped(record.loop));
  }
  if (record.jobs.empty()) return text;
  const std::size_t lost = jobs_with_lost_paths(record);
  const bool is_one = record.jobs.size() == 1;
  text += fmt::format("; {} job{} ", record.jobs.size(), is_one ? "" : "s");
  text += lost == 0 ? fmt::format("use{} other paths, none lacks a path now", is_one ? "s" : "")
                    : fmt::format("affected, {} of them without a path now", lost);
  return text;
}

}  // namespace pssp
