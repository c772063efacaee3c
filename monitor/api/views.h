#pragma once

// The JSON of each path below /api/v1, as docs/reference/monitor-api.md describes it. All functions
// write one object; those with a Target throw ApiError for parameters that cannot be.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "monitor/api/history.h"
#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"
#include "monitor/counters/state_names.h"

namespace pssp {

/// version, time, sweep, generation: what every answer begins with; of the past level, since and
/// until, too.
void write_head(JsonWriter& json, const LiveView& view);

/// Index into FabricMap::nodes. Throws ApiError: 400 if the text is no GUID, 404 if no node has it.
std::uint32_t wanted_node(const LiveView& view, const std::string& guid);

/// Which part of a list is asked for, by `limit` and `after`.
struct ListPart {
  std::uint64_t limit = 100, first = 0;
};
ListPart list_part(const Target& target);
/// `total`, and `next` where there is more.
void write_list_end(JsonWriter& json, const ListPart& part, std::size_t total);

/// The top-level members that `fields` asks for; all where it is absent. Throws for others.
class FieldChoice {
 public:
  FieldChoice(const Target& target, std::span<const std::string_view> known);
  bool has(std::string_view name) const;

 private:
  std::vector<std::string> chosen_;
};

/// Whether the PortXmitWait of a port is at its largest value, so that its waiting share is
/// unknown.
bool has_full_wait(const LiveView& view, std::uint32_t port);
std::string status_view(const LiveView& view, const Target& target, std::int64_t now_ms,
                        std::size_t streams);
/// The worst verdict of the ports of each node, by index into FabricMap::nodes.
std::vector<VerdictLevel> node_levels(const LiveView& view);
std::string nodes_view(const LiveView& view, const Target& target);
/// `names`: what it was called, from the oldest to the newest.
std::string node_view(const LiveView& view, const Target& target, std::uint32_t node,
                      const std::vector<NameView>& names);
std::string ports_view(const LiveView& view, const Target& target);
std::string port_view(const LiveView& view, const Target& target, std::uint32_t port);
std::string links_view(const LiveView& view, const Target& target);
std::string verdicts_view(const LiveView& view, const Target& target);
std::string events_view(const LiveView& view, const std::vector<NumberedEvent>& events,
                        const Target& target);
std::string manager_view(const LiveView& view, const Target& target);

/// guid, port, name of a port, as members of an open object.
void write_port_name(JsonWriter& json, const LiveView& view, std::uint32_t port);
/// The same, and of its peer as the member `peer`; null where no cable is known.
void write_cable(JsonWriter& json, const LiveView& view, std::uint32_t port);
/// Of the history, on disk or in memory; 0: there is none yet.
std::int64_t oldest_time(const LiveView& view);
/// Totals of what is wrong and what is busy, as a member of an open object.
void write_summary(JsonWriter& json, const LiveView& view);
/// The same as an object of its own: what streams send each sweep.
std::string sweep_summary(const LiveView& view);
/// `view` may be null: then names of nodes are not known.
void write_event(JsonWriter& json, const LiveView* view, const NumberedEvent& numbered);
/// What a subscriber of one port gets of a sweep; empty where the port is not in its map.
std::string port_update(const RecentSweep& sweep, Guid node, PortNumber number);

/// A sentence; empty where the port was read.
std::string_view reason_of(PortStatus status);

}  // namespace pssp
