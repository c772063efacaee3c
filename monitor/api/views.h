#pragma once

// The JSON of each path below /api/v1, as described in docs/reference/monitor-api.md. All functions
// write one object; those with a Target throw ApiError for invalid parameters.

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

/// Writes the members at the start of every response: version, time, sweep, generation; for a view
/// of the past also level, since and until.
void write_head(JsonWriter& json, const LiveView& view);

/// Index into FabricMap::nodes. Throws ApiError: 400 if the text is no GUID, 404 if no node has it.
std::uint32_t wanted_node(const LiveView& view, const std::string& guid);

/// The requested part of a list, by `limit` and `after`.
struct ListPart {
  std::uint64_t limit = 100, first = 0;
};
ListPart list_part(const Target& target);
/// Writes `total`, and `next` if the list has more elements.
void write_list_end(JsonWriter& json, const ListPart& part, std::size_t total);

/// The top-level members that `fields` selects; all if it is absent. Throws for unknown fields.
class FieldChoice {
 public:
  FieldChoice(const Target& target, std::span<const std::string_view> known);
  bool has(std::string_view name) const;

 private:
  std::vector<std::string> chosen_;
};

/// True if PortXmitWait of the port is at its largest value, so that its waiting share is unknown.
bool has_full_wait(const LiveView& view, std::uint32_t port);
std::string status_view(const LiveView& view, const Target& target, std::int64_t now_ms,
                        std::size_t streams);
/// The worst verdict of the ports of each node, by index into FabricMap::nodes.
std::vector<VerdictLevel> node_levels(const LiveView& view);
std::string nodes_view(const LiveView& view, const Target& target);
/// `names` has the descriptions of the node over time, oldest first.
std::string node_view(const LiveView& view, const Target& target, std::uint32_t node,
                      const std::vector<NameView>& names);
std::string ports_view(const LiveView& view, const Target& target);
std::string port_view(const LiveView& view, const Target& target, std::uint32_t port);
std::string links_view(const LiveView& view, const Target& target);
std::string verdicts_view(const LiveView& view, const Target& target);
std::string events_view(const LiveView& view, const std::vector<NumberedEvent>& events,
                        const Target& target);
std::string manager_view(const LiveView& view, const Target& target);

/// Writes guid, port and name of a port, as members of an open object.
void write_port_name(JsonWriter& json, const LiveView& view, std::uint32_t port);
/// Like write_port_name(), and the same for its peer as the member `peer`; null if no cable is
/// known.
void write_cable(JsonWriter& json, const LiveView& view, std::uint32_t port);
/// Start of the history on disk or in memory; 0 if there is none yet.
std::int64_t oldest_time(const LiveView& view);
/// Writes totals of verdicts and of busy channels, as a member of an open object.
void write_summary(JsonWriter& json, const LiveView& view);
/// The summary as an object of its own, sent to event streams with each sweep.
std::string sweep_summary(const LiveView& view);
/// `view` may be null; the names of nodes are unknown then.
void write_event(JsonWriter& json, const LiveView* view, const NumberedEvent& numbered);
/// The update for a subscriber of one port; empty if the port is not in the map of the sweep.
std::string port_update(const RecentSweep& sweep, Guid node, PortNumber number);

/// A sentence; empty if the port was read.
std::string_view reason_of(PortStatus status);

}  // namespace pssp
