#include <algorithm>

#include "base/untrusted_text.h"
#include "base/version.h"
#include "monitor/api/views.h"

// Common parts of several responses: heads, lists, names of states.

namespace pssp {

void write_head(JsonWriter& json, const LiveView& view) {
  json.member("version", version())
      .member("time", view.snapshot->time_ms)
      .member("sweep", view.snapshot->sweep)
      .member("generation", view.map().generation);
  if (!view.past) return;
  json.member("level", view.past->level).member("since", view.past->since_ms);
  json.member("until", view.past->until_ms);
}

std::uint32_t wanted_node(const LiveView& view, const std::string& guid) {
  const auto node = view.map().find_node(parse_guid(guid));
  if (!node) throw ApiError{404, "unknown node", "/api/v1/nodes lists all nodes"};
  return *node;
}

ListPart list_part(const Target& target) {
  constexpr std::uint64_t most = 10'000, furthest = 100'000'000;
  return {target.number("limit", 100, 1, most), target.number("after", 0, 0, furthest)};
}

void write_list_end(JsonWriter& json, const ListPart& part, std::size_t total) {
  json.member("total", std::uint64_t{total});
  if (part.first + part.limit < total) {
    json.member("next", std::to_string(part.first + part.limit));
  }
}

FieldChoice::FieldChoice(const Target& target, std::span<const std::string_view> known)
    : chosen_(target.list("fields")) {
  for (const std::string& each : chosen_) {
    if (std::find(known.begin(), known.end(), each) != known.end()) continue;
    std::string all;
    for (const std::string_view name : known) all += (all.empty() ? "" : ", ") + std::string(name);
    throw ApiError{400, "unknown field '" + untrusted_text(each) + "'", "known fields: " + all};
  }
}

bool FieldChoice::has(std::string_view name) const {
  return chosen_.empty() || std::find(chosen_.begin(), chosen_.end(), name) != chosen_.end();
}

void write_port_name(JsonWriter& json, const LiveView& view, std::uint32_t port) {
  const MapPort& self = view.map().ports[port];
  json.key("guid").guid(view.map().node_of(self).guid);
  json.member("port", unsigned{self.number});
  json.member("name", view.name_of_port(port));
}

void write_cable(JsonWriter& json, const LiveView& view, std::uint32_t port) {
  write_port_name(json, view, port);
  json.key("peer");
  const std::uint32_t peer = view.map().ports[port].peer;
  if (peer == MapPort::no_peer) {
    json.null();
    return;
  }
  json.begin_object();
  write_port_name(json, view, peer);
  json.end_object();
}

std::string_view reason_of(PortStatus status) {
  switch (status) {
    case PortStatus::read:
      return "";
    case PortStatus::not_active:
      return "its link is not active";
    case PortStatus::silent:
      return "its node did not respond";
    case PortStatus::backed_off:
      return "its node did not respond and is queried less often";
    case PortStatus::refused:
      return "its node has no such counters";
    case PortStatus::doubtful:
      return "another node responds at its LID";
    case PortStatus::left_out:
      return "the configuration excludes it";
  }
  return "";
}

}  // namespace pssp
