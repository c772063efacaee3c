#include "monitor/api/incidents_view.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/untrusted_text.h"
#include "monitor/api/views.h"

// Texts of incidents are already sanitized (monitor/counters/incident.h).

namespace pssp {
namespace {

constexpr std::size_t most_ports_listed = 20;

void write_incident_port(JsonWriter& json, const IncidentPort& port) {
  json.key("guid").guid(port.key.node).key("port");
  port.key.number == 0 ? json.null() : json.value(unsigned{port.key.number});
  json.member("name", port.name);
}

void write_incident_port_as(JsonWriter& json, std::string_view name, const IncidentPort* port) {
  json.key(name);
  if (port == nullptr) {
    json.null();
    return;
  }
  json.begin_object();
  write_incident_port(json, *port);
  json.end_object();
}

void write_findings(JsonWriter& json, std::string_view name,
                    std::span<const IncidentFinding> findings, std::size_t most) {
  json.key(name).begin_array();
  for (const IncidentFinding& each : findings.first(std::min(most, findings.size()))) {
    json.begin_object();
    write_incident_port(json, each.port);
    json.member("what", each.what).member("level", name_of(each.level));
    json.member("since", each.since_ms).member("measured", each.measured);
    const bool has_number = each.limit != 0;
    json.key("value");
    has_number ? json.value(each.value) : json.null();
    json.key("limit");
    has_number ? json.value(each.limit) : json.null();
    json.end_object();
  }
  json.end_array();
}

void write_acknowledgement(JsonWriter& json, const IncidentContext& context,
                           const std::string& id) {
  json.key("acknowledged");
  const Acknowledgement* const entry =
      valid_acknowledgement(context.acknowledged, id, context.now_ms);
  if (entry == nullptr) {
    json.null();
    return;
  }
  json.begin_object().member("comment", untrusted_text(entry->comment));
  json.member("since", entry->since_ms).member("until", entry->until_ms).end_object();
}

void write_fault(JsonWriter& json, const FabricFault& fault, const IncidentContext& context) {
  json.begin_object().member("id", fault.id).member("kind", name_of(fault.kind));
  json.member("level", name_of(fault.level)).member("since", fault.since_ms);
  write_incident_port_as(json, "end", fault.end.key.node == 0 ? nullptr : &fault.end);
  write_incident_port_as(json, "peer", fault.peer ? &*fault.peer : nullptr);
  json.member("advice", fault.advice).key("jobs").begin_array();
  for (const std::string& job : fault.jobs) json.value(job);
  json.end_array();
  write_acknowledgement(json, context, fault.id);
  write_findings(json, "findings", fault.findings, std::numeric_limits<std::size_t>::max());
  json.end_object();
}

void write_group(JsonWriter& json, const CongestionGroup& group, const IncidentContext& context,
                 std::size_t most) {
  json.begin_object().member("id", group.id).member("kind", "congestion");
  json.member("summary", group.summary).member("since", group.since_ms);
  write_incident_port_as(json, "target", group.target.key.node == 0 ? nullptr : &group.target);
  write_acknowledgement(json, context, group.id);
  json.key("job");
  group.job.empty() ? json.null() : json.value(group.job);
  json.member("job_share", group.job_share);
  json.member("waiting_hosts", std::uint64_t{group.waiting_hosts});
  json.member("waiting_ports", std::uint64_t{group.waiting.size()});
  json.member("saturated_links", std::uint64_t{group.saturated.size()});
  json.key("saturated").begin_array();
  for (std::size_t i = 0; i < std::min(most, group.saturated.size()); ++i) {
    json.begin_object();
    write_incident_port(json, group.saturated[i]);
    json.end_object();
  }
  json.end_array();
  write_findings(json, "waiting", group.waiting, most);
  json.end_object();
}

const IncidentList& incidents_of(const LiveView& view) {
  static const IncidentList none;
  return view.facts.incidents == nullptr ? none : *view.facts.incidents;
}

}  // namespace

std::string incidents_view(const LiveView& view, const Target& target,
                           const IncidentContext& context) {
  target.allow({"limit", "after"});
  const ListPart part = list_part(target);
  const IncidentList& list = incidents_of(view);
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("has_verdicts", view.facts.has_verdicts);
  json.member("may_acknowledge", context.may_acknowledge).key("faults").begin_array();
  for (std::size_t i = part.first; i < list.faults.size() && i - part.first < part.limit; ++i) {
    write_fault(json, list.faults[i], context);
  }
  json.end_array();
  write_list_end(json, part, list.faults.size());
  json.key("faults_by_level").begin_object();
  for (const Level level : {Level::bad, Level::watch, Level::unknown}) {
    const auto count = std::ranges::count(list.faults, level, &FabricFault::level);
    json.member(name_of(level), static_cast<std::uint64_t>(count));
  }
  json.end_object();
  json.key("congestion").begin_array();
  for (const CongestionGroup& each : list.congestion)
    write_group(json, each, context, most_ports_listed);
  return json.end_array().end_object().take();
}

void require_open_incident(const LiveView& view, const std::string& id) {
  const IncidentList& list = incidents_of(view);
  if (std::ranges::count(list.faults, id, &FabricFault::id) != 0) return;
  if (std::ranges::count(list.congestion, id, &CongestionGroup::id) != 0) return;
  throw ApiError{404, "no open incident has this id", "/api/v1/incidents lists all open incidents"};
}

std::string incident_view(const LiveView& view, const Target& target,
                          const IncidentContext& context, const std::string& id) {
  target.allow({});
  require_open_incident(view, id);
  const IncidentList& list = incidents_of(view);
  const auto fault = std::ranges::find(list.faults, id, &FabricFault::id);
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("may_acknowledge", context.may_acknowledge).key("item");
  if (fault != list.faults.end()) {
    write_fault(json, *fault, context);
  } else {
    write_group(json, *std::ranges::find(list.congestion, id, &CongestionGroup::id), context,
                std::numeric_limits<std::size_t>::max());
  }
  return json.end_object().take();
}

}  // namespace pssp
