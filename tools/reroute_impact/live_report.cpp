#include "tools/reroute_impact/live_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/untrusted_text.h"
#include "base/version.h"
#include "tools/reroute_impact/report.h"

namespace pssp {
namespace {

using LiveJson = nlohmann::ordered_json;

constexpr std::size_t most_blocks_displayed = 10, most_steps_displayed = 20,
                      most_jobs_displayed = 20, most_ports_displayed = 10;

double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::string name_of_switch(const FabricMap& map, Guid guid) {
  const auto node = map.find_node(guid);
  return node ? untrusted_text(map.nodes[*node].description) : fmt::format("{:#018x}", guid);
}

/// From the first sign to the first new block, and to the last.
std::pair<double, double> times_of(const LiveReroute& reroute) {
  const std::vector<ChangedBlock>& changes = reroute.seen.changes;
  return {ms(changes.front().time_ns - reroute.instability.first_sign_ns),
          ms(changes.back().time_ns - reroute.instability.first_sign_ns)};
}

std::string head_text(const LiveReroute& reroute) {
  const RerouteImpact& impact = reroute.impact;
  std::string text = fmt::format("\nreroute{}: {} entries in {} blocks of {} switches differ\n",
                                 reroute.is_over ? "" : " (in progress)", impact.entries,
                                 impact.blocks, impact.switches);
  if (reroute.seen.changes.empty()) {
    text += "  the cabling changed, but no block of the tables\n";
  } else {
    const auto [first, last] = times_of(reroute);
    text += fmt::format("  first block {:.1f} ms after the first sign, last block {:.1f} ms\n",
                        first, last);
  }
  const Instability& instability = reroute.instability;
  if (instability.failed_by_lid != 0) {
    text += fmt::format(
        "  management saw {} of {} switches unreachable for {:.1f} ms ({} requests by LID "
        "failed)\n",
        instability.unreachable_switches, reroute.seen.after->switches,
        ms(instability.longest_unreachable_ns), instability.failed_by_lid);
  }
  return text;
}

std::string steps_text(const LiveReroute& reroute) {
  const ObservedStates& states = reroute.impact.states;
  std::vector<TableRow> columns;
  columns.push_back({"snapshot", "ms", "no route", "in a loop"});
  const std::size_t steps = reroute.impact.step_ns.size();
  for (std::size_t i = 0; i < std::min(steps + 1, most_steps_displayed); ++i) {
    const std::int64_t time =
        i == 0 ? reroute.instability.first_sign_ns : reroute.impact.step_ns[i - 1];
    columns.push_back({i == 0 ? "before" : std::to_string(i),
                       fmt::format("{:.1f}", ms(time - reroute.instability.first_sign_ns)),
                       std::to_string(states.without_route[i]),
                       std::to_string(states.in_a_loop[i])});
  }
  std::string text =
      "\nwhile the blocks were written (only flows with a route in the new tables)\n";
  text += text_table(columns, {.indent = 2});
  if (steps + 1 > most_steps_displayed) {
    text += fmt::format("  and {} more snapshots\n", steps + 1 - most_steps_displayed);
  }
  return text + fmt::format(
                    "  without route: {} flows, {} at once, the longest for {:.1f} ms\n"
                    "  in a loop:     {} flows, {} at once, the longest for {:.1f} ms\n",
                    states.no_route.flows, states.no_route.most, ms(states.no_route.longest_ns),
                    states.loop.flows, states.loop.most, ms(states.loop.longest_ns));
}

std::string errors_text(const LiveReroute& reroute) {
  if (!reroute.errors_known) return "";
  std::uint64_t discards = 0, received = 0;
  for (const CountedErrors& each : reroute.errors) {
    (each.counter == Counter::transmit_discards ? discards : received) += each.count;
  }
  std::string text = fmt::format("  counted during the reroute: {} XmitDiscards, {} RcvErrors\n",
                                 discards, received);
  for (std::size_t i = 0; i < std::min(most_ports_displayed, reroute.errors.size()); ++i) {
    const CountedErrors& each = reroute.errors[i];
    text += fmt::format("    {}: {} {}\n", each.port, each.count, info_of(each.counter).wire_name);
  }
  return text;
}

std::string jobs_text(const LiveReroute& reroute) {
  const std::vector<JobReroute>& jobs = reroute.impact.jobs;
  if (jobs.empty()) return "";
  std::vector<TableRow> columns;
  columns.push_back({"job", "flows", "moved", "longer", "lost", "gained"});
  for (std::size_t i = 0; i < std::min(most_jobs_displayed, jobs.size()); ++i) {
    const FlowChanges& flows = jobs[i].flows;
    columns.push_back({untrusted_text(jobs[i].id), std::to_string(flows.all.flows),
                       std::to_string(flows.moved.flows), std::to_string(flows.longer.flows),
                       std::to_string(flows.lost.flows), std::to_string(flows.gained.flows)});
  }
  std::string text = "\n" + text_table(columns, {.indent = 2});
  if (jobs.size() > most_jobs_displayed) {
    text += fmt::format("  and {} more jobs\n", jobs.size() - most_jobs_displayed);
  }
  return text;
}

LiveJson affected_json(const ObservedAffectedFlows& affected) {
  LiveJson json;
  json["at_first"] = affected.at_first;
  json["flows"] = affected.flows;
  json["at_once"] = affected.most;
  json["longest_ms"] = ms(affected.longest_ns);
  return json;
}

LiveJson flows_json(const FlowChanges& flows) {
  LiveJson json;
  json["all"] = flows.all.flows;
  json["same"] = flows.same.flows;
  json["moved"] = flows.moved.flows;
  json["longer"] = flows.longer.flows;
  json["lost"] = flows.lost.flows;
  json["gained"] = flows.gained.flows;
  json["unrouted"] = flows.unrouted.flows;
  return json;
}

LiveJson snapshots_json(const LiveReroute& reroute) {
  LiveJson list = LiveJson::array();
  const ObservedStates& states = reroute.impact.states;
  for (std::size_t i = 0; i < states.without_route.size(); ++i) {
    LiveJson each;
    const std::int64_t time =
        i == 0 ? reroute.instability.first_sign_ns : reroute.impact.step_ns[i - 1];
    each["ms"] = ms(time - reroute.instability.first_sign_ns);
    each["no_route"] = states.without_route[i];
    each["loop"] = states.in_a_loop[i];
    list.push_back(std::move(each));
  }
  return list;
}

LiveJson changes_json(const LiveReroute& reroute) {
  LiveJson list = LiveJson::array();
  for (const ChangedBlock& change : reroute.seen.changes) {
    LiveJson each;
    each["ms"] = ms(change.time_ns - reroute.instability.first_sign_ns);
    each["not_before_ms"] = ms(change.since_ns - reroute.instability.first_sign_ns);
    each["switch"] = fmt::format("{:#018x}", change.node);
    each["block"] = change.block;
    each["entries"] = change.entries();
    list.push_back(std::move(each));
  }
  return list;
}

LiveJson reroute_json(const LiveReroute& reroute) {
  LiveJson json;
  json["time"] = reroute.time_ms;
  json["over"] = reroute.is_over;
  json["tables"]["entries"] = reroute.impact.entries;
  json["tables"]["blocks"] = reroute.impact.blocks;
  json["tables"]["switches"] = reroute.impact.switches;
  const bool changed = !reroute.seen.changes.empty();
  json["first_ms"] = changed ? LiveJson(times_of(reroute).first) : LiveJson();
  json["last_ms"] = changed ? LiveJson(times_of(reroute).second) : LiveJson();
  if (reroute.impact.routes) {
    json["flows"] = flows_json(reroute.impact.routes->flows);
    json["no_route"] = affected_json(reroute.impact.states.no_route);
    json["loop"] = affected_json(reroute.impact.states.loop);
    json["snapshots"] = snapshots_json(reroute);
  } else {
    json["flows"] = nullptr;
    json["flows_reason"] = reroute.impact.problem;
  }
  json["management"]["failed_requests"] = reroute.instability.failed_by_lid;
  json["management"]["unreachable_switches"] = reroute.instability.unreachable_switches;
  json["management"]["switches"] = reroute.seen.after->switches;
  json["management"]["longest_ms"] = ms(reroute.instability.longest_unreachable_ns);
  json["errors"] = reroute.errors_known ? LiveJson::array() : LiveJson();
  for (const CountedErrors& each : reroute.errors) {
    LiveJson counted;
    counted["port"] = each.port;
    counted["counter"] = info_of(each.counter).name;
    counted["count"] = each.count;
    json["errors"].push_back(std::move(counted));
  }
  json["jobs"] = LiveJson::array();
  for (const JobReroute& each : reroute.impact.jobs) {
    LiveJson job;
    job["id"] = untrusted_text(each.id);
    job["flows"] = flows_json(each.flows);
    json["jobs"].push_back(std::move(job));
  }
  json["changes"] = changes_json(reroute);
  return json;
}

}  // namespace

std::string changes_text(const std::vector<ChangedBlock>& changes, const FabricMap& map,
                         std::int64_t start_ns) {
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), most_blocks_displayed); ++i) {
    const ChangedBlock& change = changes[i];
    text +=
        fmt::format("{:10.4f} s  {}: block {}, {} entries\n", ms(change.time_ns - start_ns) / 1e3,
                    name_of_switch(map, change.node), change.block, change.entries());
  }
  if (changes.size() <= most_blocks_displayed) return text;
  std::set<Guid> switches;
  std::uint64_t entries = 0;
  for (std::size_t i = most_blocks_displayed; i < changes.size(); ++i) {
    switches.insert(changes[i].node);
    entries += changes[i].entries();
  }
  return text + fmt::format("{:10.4f} s  {} more blocks of {} switches, {} entries\n",
                            ms(changes.back().time_ns - start_ns) / 1e3,
                            changes.size() - most_blocks_displayed, switches.size(), entries);
}

std::string reroute_text(const LiveReroute& reroute) {
  std::string text = head_text(reroute);
  const RerouteImpact& impact = reroute.impact;
  if (!impact.routes) {
    return text + "  flows: " + impact.problem + "\n" + errors_text(reroute);
  }
  text += errors_text(reroute);
  const RerouteReport offline{.before = {},
                              .after = {},
                              .fabric_before = *reroute.seen.before->map->fabric,
                              .fabric_after = *reroute.seen.after->map->fabric,
                              .routes = *impact.routes};
  text += flows_text(offline) + loads_text(offline);
  if (!impact.step_ns.empty()) text += steps_text(reroute);
  return text + jobs_text(reroute);
}

std::string resolution_text(const LiveReport& report) {
  return fmt::format(
      "\nwatched for {:.1f} s: {} switches with {} blocks; a block was read again after {:.1f} ms "
      "on average, {:.1f} ms at most; {} requests\n",
      report.watched_s, report.switches, report.blocks, ms(report.resolution.mean_ns),
      ms(report.resolution.most_ns), report.mads);
}

std::string live_json(const LiveReport& report) {
  LiveJson json;
  json["watched_s"] = report.watched_s;
  json["switches"] = report.switches;
  json["blocks"] = report.blocks;
  json["resolution"]["mean_ms"] = ms(report.resolution.mean_ns);
  json["resolution"]["most_ms"] = ms(report.resolution.most_ns);
  json["resolution"]["directed_reads"] = report.resolution.directed_reads;
  json["requests"] = report.mads;
  json["reroutes"] = LiveJson::array();
  for (const LiveReroute& each : report.reroutes) json["reroutes"].push_back(reroute_json(each));
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
