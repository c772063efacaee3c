#pragma once

// Jobs, users of links and links of jobs as members of a JSON object: the same on the command line
// and at /api/v1 (docs/reference/monitor-api.md). All texts are sanitized.

#include <functional>
#include <string>

#include "monitor/api/json_writer.h"
#include "monitor/service/job_context.h"

namespace pssp {

/// Writes id, name, user, state, source, start, end and listed, as members of an open object. Times
/// are milliseconds since 1970, null if unknown.
void write_job(JsonWriter& json, const StoredJob& job, bool show_users);
/// Writes the same as an object, with `nodes` (names) and `unmatched`.
void write_listed_job(JsonWriter& json, const StoredJob& job, bool show_users);
/// Writes the member `window`: since, until, seconds, sweeps, level, jobs_stale_since, remarks.
void write_window(JsonWriter& json, const TrafficWindow& traffic);

/// Writes guid, port, name, peer, bytes, utilisation, waiting_share, jobs, unexplained, misfit,
/// window.
void write_users(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                 std::uint32_t map_port, const ChannelShares& users);

/// Writes more members of a link, given the GUID of its node and its port.
using LinkMembers = std::function<void(JsonWriter&, Guid, PortNumber)>;
/// Writes the members of write_job_links() without content, and `reason`, for a job that did not
/// run in the window or has no node in the fabric.
void write_no_job_links(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                        const StoredJob& job);
/// Writes job, window, sent, received, may_use, timeline, held_up_by, links.
void write_job_links(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                     std::uint32_t job, const JobLinks& links, const LinkMembers& more = {});

/// Writes the traffic of hosts regardless of their jobs: window, hosts (number of these hosts in
/// the fabric of that time), sent, received, timeline, jobs. `ports` has the GUIDs of the hosts'
/// ports.
void write_hosts_traffic(JsonWriter& json, const JobContext& context, const TrafficWindow& traffic,
                         const std::vector<Guid>& ports);
/// Writes an object with bytes, utilisation and waiting_share of the channel that leaves the port;
/// null if no channel between switches left the port.
void write_link_traffic(JsonWriter& json, const TrafficWindow& traffic, Guid node,
                        PortNumber number);

/// The id of the job; "hosts in no job" if the index is that of no job.
std::string user_name(const AttributedWindow& window, std::uint32_t job);

}  // namespace pssp
