#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/untrusted_text.h"
#include "monitor/api/views.h"
#include "monitor/counters/verdict_record.h"

// The state of the fabric and of the monitor itself: summary, verdicts, events, subnet managers.

namespace pssp {
namespace {

/// Bytes of a MAD on the wire: 256, and 288 with headers (LRH, BTH, DETH) and checksums.
constexpr std::uint64_t mad_bytes = 288;

void write_levels(JsonWriter& json, std::string_view name,
                  const std::array<std::uint64_t, 4>& counts) {
  json.key(name).begin_object();
  for (const VerdictLevel level :
       {VerdictLevel::good, VerdictLevel::watch, VerdictLevel::bad, VerdictLevel::unknown}) {
    json.member(name_of(level), counts[static_cast<std::size_t>(level)]);
  }
  json.end_object();
}

void write_sweep(JsonWriter& json, const LiveView& view) {
  const SweepFigures& figures = view.snapshot->figures;
  json.key("sweep_figures").begin_object();
  json.member("duration_ms", static_cast<double>(figures.duration_ns) / 1e6)
      .member("asked", figures.asked)
      .member("answered", figures.answered)
      .member("mads", figures.mads)
      .member("bytes", 2 * mad_bytes * figures.mads)
      .member("timed_out", figures.timed_out)
      .member("implausible", figures.implausible)
      .member("late", figures.late)
      .member("late_sweeps", view.late_sweeps);
  json.end_object();
}

/// All requests and responses pass the monitor's own link, and no other link carries more of them.
/// The rate of this link is not known here; the slowest link is a conservative estimate.
void write_overhead(JsonWriter& json, const LiveView& view) {
  const double interval = std::max(view.facts.interval_s, 1e-3);
  const double bytes_per_s =
      static_cast<double>(mad_bytes * view.snapshot->figures.mads) / interval;
  std::uint32_t slowest = 0;
  for (const MapPort& port : view.map().ports) {
    if (!port.rate.stated()) continue;
    slowest = slowest == 0 ? port.rate.capacity() : std::min(slowest, port.rate.capacity());
  }
  json.key("overhead").begin_object();
  json.member("mad_bytes_per_s", bytes_per_s);
  json.key("share_of_own_link");
  if (slowest == 0) {
    json.null().member("share_of_own_link_reason", "no link rate is known");
  } else {
    json.value(bytes_per_s * 8 / (slowest * 1e6));
  }
  json.end_object();
}

void write_database(JsonWriter& json, const LiveView& view) {
  json.key("database");
  const auto& database = view.facts.database;
  if (!database) {
    json.null().member("database_reason",
                       "no database is configured, so only the last sweeps are kept: set database "
                       "in section [store] of the configuration");
    return;
  }
  json.begin_object().member("bytes", database->bytes);
  json.member("oldest", database->oldest_ms).member("state", untrusted_text(database->state));
  json.end_object();
}

void write_job_source(JsonWriter& json, const LiveView& view) {
  json.key("jobs");
  const auto& jobs = view.facts.jobs;
  if (!jobs) {
    json.null().member("jobs_reason", "no source of jobs is configured: [jobs] source");
    return;
  }
  json.begin_object().member("source", jobs->source);
  json.member("state", jobs->problem.empty() ? "fresh" : "stale");
  json.member("listed", jobs->jobs).member("bad_lines", jobs->bad_lines);
  json.member("time", jobs->time_ms).member("stale_since", jobs->stale_since_ms);
  json.member("accounting", jobs->accounting);
  json.member("problem", jobs->problem).end_object();
}

void write_manager_of(JsonWriter& json, const LiveView& view, const ManagerView& manager) {
  json.begin_object().key("guid").guid(manager.guid);
  std::string_view name;
  for (const MapPort& port : view.map().ports) {
    if (port.guid == manager.guid) name = (*view.names)[port.node];
  }
  json.member("name", name).member("lid", unsigned{manager.lid});
  json.member("priority", manager.priority).member("state", manager.state);
  json.member("act_count", manager.act_count).member("since", manager.since_ms);
  json.member("since_start", manager.since_start).end_object();
}

bool is_master(const ManagerView& manager) { return manager.state == "master"; }
bool is_standby(const ManagerView& manager) { return manager.state == "standby"; }

}  // namespace

void write_summary(JsonWriter& json, const LiveView& view) {
  std::array<std::uint64_t, 4> nodes{}, ports{};
  for (const VerdictLevel level : node_levels(view)) ++nodes[static_cast<std::size_t>(level)];
  std::uint64_t active = 0, silent = 0, hot = 0, held_up = 0, switches = 0;
  for (std::uint32_t p = 0; p < view.levels.size(); ++p) {
    const PortStatus status = view.snapshot->status[p];
    silent += status == PortStatus::silent || status == PortStatus::backed_off ? 1 : 0;
    const bool is_active = view.map().ports[p].state == LinkState::active;
    active += is_active ? 1 : 0;
    if (is_active || view.levels[p] != VerdictLevel::good) {
      ++ports[static_cast<std::size_t>(view.levels[p])];
    }
  }
  for (const ChannelUseView& use : view.use) {
    hot += use.utilisation > hot_utilisation ? 1 : 0;
    held_up += use.waiting_share > held_up_share ? 1 : 0;
  }
  const auto full_waits =
      std::ranges::count_if(view.channels, [&](std::uint32_t p) { return has_full_wait(view, p); });
  const auto down = std::ranges::count(view.facts.verdicts, link_state, &VerdictView::what);
  for (const MapNode& node : view.map().nodes) {
    switches += node.kind == NodeKind::switch_node ? 1 : 0;
  }
  json.key("summary").begin_object();
  json.member("switches", switches);
  json.member("adapters", std::uint64_t{view.map().nodes.size()} - switches);
  json.member("ports", std::uint64_t{view.map().ports.size()});
  json.member("active_ports", active).member("silent_ports", silent);
  json.member("lost_links", static_cast<std::uint64_t>(down));
  json.member("links", std::uint64_t{view.channels.size() / 2});
  json.member("hot_channels", hot).member("held_up_channels", held_up);
  json.member("full_wait_counters", static_cast<std::uint64_t>(full_waits));
  json.member("has_verdicts", view.facts.has_verdicts);
  write_levels(json, "nodes_by_verdict", nodes);
  write_levels(json, "ports_by_verdict", ports);
  json.end_object();
}

std::int64_t oldest_time(const LiveView& view) {
  const std::int64_t memory = view.recent.empty() ? 0 : view.recent.front()->time_ms();
  const std::int64_t disk = view.facts.database ? view.facts.database->oldest_ms : 0;
  return disk != 0 && (memory == 0 || disk < memory) ? disk : memory;
}

std::string sweep_summary(const LiveView& view) {
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write_sweep(json, view);
  write_summary(json, view);
  return json.end_object().take();
}

std::string status_view(const LiveView& view, const Target& target, std::int64_t now_ms,
                        std::size_t streams) {
  target.allow({});
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("uptime_s", static_cast<double>(now_ms - view.facts.started_ms) / 1e3);
  json.member("age_s", static_cast<double>(now_ms - view.snapshot->time_ms) / 1e3);
  json.member("interval_s", view.facts.interval_s).member("event_streams", std::uint64_t{streams});
  json.member("oldest", oldest_time(view));
  write_sweep(json, view);
  write_overhead(json, view);
  write_summary(json, view);
  write_database(json, view);
  write_job_source(json, view);
  json.key("manager");
  const auto master =
      std::find_if(view.facts.managers.begin(), view.facts.managers.end(), is_master);
  if (master == view.facts.managers.end()) {
    json.null().member("manager_reason", "no master subnet manager is known");
  } else {
    write_manager_of(json, view, *master);
  }
  const auto standbys = std::ranges::count_if(view.facts.managers, is_standby);
  json.member("standby_managers", static_cast<std::uint64_t>(standbys));
  json.key("problems").begin_array();
  for (const std::string& each : view.facts.problems) json.value(untrusted_text(each));
  return json.end_array().end_object().take();
}

std::string verdicts_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after", "level"});
  const ListPart part = list_part(target);
  const std::string_view level = target.choice("level", {"any", "bad", "watch", "unknown"});
  std::vector<const VerdictView*> chosen;
  for (const VerdictView& each : view.facts.verdicts) {
    const bool wanted =
        level == "any" ? each.level != VerdictLevel::good : name_of(each.level) == level;
    if (wanted) chosen.push_back(&each);
  }
  const auto urgency_of = [](const VerdictView* each) {
    return urgency(static_cast<Level>(each->level), each->what);
  };
  std::stable_sort(chosen.begin(), chosen.end(), [&](const VerdictView* a, const VerdictView* b) {
    return urgency_of(a) > urgency_of(b);
  });
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("has_verdicts", view.facts.has_verdicts);
  json.key("verdicts").begin_array();
  for (std::size_t i = part.first;
       i < std::min<std::size_t>(part.first + part.limit, chosen.size()); ++i) {
    const VerdictView& each = *chosen[i];
    json.begin_object();
    write_cable(json, view, each.port);
    json.member("level", name_of(each.level)).member("what", each.what);
    json.member("reason", untrusted_text(each.reason)).member("since", each.since_ms);
    for (const auto& [name, value] :
         {std::pair("value", each.value), std::pair("limit", each.limit)}) {
      json.key(name);
      value ? json.value(*value) : json.null();
    }
    json.end_object();
  }
  json.end_array();
  write_list_end(json, part, chosen.size());
  json.key("maintenance").begin_array();
  for (const MaintenanceView& each : view.facts.maintenance) {
    json.begin_object().key("guid").guid(each.node).key("port");
    each.port == 0 ? json.null() : json.value(std::uint64_t{each.port});
    json.member("until", each.until_ms).member("why", untrusted_text(each.why)).end_object();
  }
  json.end_array();
  return json.end_object().take();
}

void write_event(JsonWriter& json, const LiveView* view, const NumberedEvent& numbered) {
  const MonitorEvent& event = numbered.event;
  json.begin_object().member("id", numbered.id).member("time", event.time_ms);
  json.member("kind", name_of(event.kind)).key("guid");
  if (event.node == 0) {
    json.null();
  } else {
    json.guid(event.node);
    const auto node = view == nullptr ? std::nullopt : view->map().find_node(event.node);
    if (node) json.member("name", (*view->names)[*node]);
  }
  if (event.port != 0) json.member("port", unsigned{event.port});
  json.member("text", printable(event.text)).end_object();
}

std::string events_view(const LiveView& view, const std::vector<NumberedEvent>& events,
                        const Target& target) {
  target.allow({"limit", "after", "kind"});
  const ListPart part = list_part(target);
  const std::string* kind = target.find("kind");
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.key("events").begin_array();
  std::size_t total = 0;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (kind != nullptr && name_of(events[i].event.kind) != *kind) continue;
    if (total >= part.first && total < part.first + part.limit) write_event(json, &view, events[i]);
    ++total;
  }
  json.end_array();
  write_list_end(json, part, total);
  return json.end_object().take();
}

std::string manager_view(const LiveView& view, const Target& target) {
  target.allow({});
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("changes", view.facts.manager_changes);
  json.key("managers").begin_array();
  for (const ManagerView& each : view.facts.managers) write_manager_of(json, view, each);
  return json.end_array().end_object().take();
}

}  // namespace pssp
