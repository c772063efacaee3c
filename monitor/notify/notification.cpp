#include "monitor/notify/notification.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"
#include "monitor/counters/counter_set.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

std::string as_text(const Json& body) {
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string port_text(const IncidentPort& port) {
  return port.key.number == 0 ? port.name : port_label(port.name, port.key.number);
}

Json port_json(const IncidentPort& port) {
  return {{"guid", fmt::format("0x{:016x}", port.key.node)},
          {"port", port.key.number},
          {"name", port.name}};
}

std::string spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// `text` comes first, because chat services display it and ignore the other members.
Json new_body(const std::string& id, std::string_view kind, const std::string& summary,
              std::int64_t since_ms, std::int64_t time_ms, const std::string& page_url) {
  Json body;
  body["text"] = summary;
  body["status"] = "opened";
  body["id"] = id;
  body["kind"] = kind;
  body["since"] = since_ms;
  body["time"] = time_ms;
  if (!page_url.empty()) body["url"] = fmt::format("{}/#/incident/{}", page_url, id);
  return body;
}

/// "link down", "symbol errors (SymbolErrorCounter)"
std::string kind_text(const FabricFault& fault) {
  const bool is_of_counter = fault.kind == FaultKind::errors || fault.kind == FaultKind::no_data;
  const std::string& what = fault.findings.front().what;
  const auto counter = is_of_counter ? find_counter(what) : std::nullopt;
  if (!counter) return spaced(name_of(fault.kind));
  return fmt::format("{} ({}){}", spaced(what), info_of(*counter).wire_name,
                     fault.kind == FaultKind::no_data ? " at its largest value" : "");
}

}  // namespace

std::string summary_of(const FabricFault& fault) {
  if (fault.kind == FaultKind::unreachable) return "the monitor reaches no switch of the fabric";
  std::string place = port_text(fault.end);
  if (fault.peer) place += " - " + port_text(*fault.peer);
  return fmt::format("{}: {}", place, kind_text(fault));
}

Notification opened(const FabricFault& fault, const std::string& page_url, std::int64_t time_ms) {
  const IncidentFinding& first = fault.findings.front();
  Json body =
      new_body(fault.id, name_of(fault.kind), summary_of(fault), fault.since_ms, time_ms, page_url);
  body["level"] = name_of(fault.level);
  body["what"] = first.what;
  body["measured"] = first.measured;
  body["advice"] = fault.advice;
  body["ends"] = Json::array();
  if (fault.end.key.node != 0) body["ends"].push_back(port_json(fault.end));
  if (fault.peer) body["ends"].push_back(port_json(*fault.peer));
  body["jobs"] = fault.jobs;
  return {fault.id, false, as_text(body)};
}

Notification opened(const CongestionGroup& group, const std::string& page_url,
                    std::int64_t time_ms) {
  Json body = new_body(group.id, "congestion", "congestion: " + group.summary, group.since_ms,
                       time_ms, page_url);
  body["level"] = name_of(Level::watch);
  body["waiting_hosts"] = group.waiting_hosts;
  body["ends"] = Json::array({port_json(group.target)});
  body["jobs"] = group.job.empty() ? Json::array() : Json::array({group.job});
  return {group.id, false, as_text(body)};
}

Notification cleared(const std::string& incident, const std::string& opened_body,
                     std::int64_t time_ms) {
  Json body = Json::parse(opened_body, nullptr, false);
  if (!body.is_object() || !body["text"].is_string()) {
    body = {{"text", incident}, {"status", ""}, {"id", incident}};
  }
  body["text"] = "cleared: " + body["text"].get<std::string>();
  body["status"] = "cleared";
  body["time"] = time_ms;
  return {incident, true, as_text(body)};
}

}  // namespace pssp
