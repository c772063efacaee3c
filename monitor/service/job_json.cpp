#include "monitor/service/job_json.h"

#include <algorithm>
#include <numeric>

#include "base/untrusted_text.h"

namespace pssp {
namespace {

void write_time(JsonWriter& json, const char* name, const std::optional<std::int64_t>& seconds) {
  constexpr std::int64_t ms_a_second = 1000;
  json.key(name);
  if (seconds) {
    json.value(*seconds * ms_a_second);
  } else {
    json.null();
  }
}

void write_known(JsonWriter& json, const char* name, double value) {
  json.key(name);
  if (value < 0) {
    json.null();
  } else {
    json.value(value);
  }
}

void write_end_of_cable(JsonWriter& json, const FabricMap& map, std::uint32_t port) {
  const MapNode& node = map.node_of(map.ports[port]);
  json.key("guid").guid(node.guid).member("port", unsigned{map.ports[port].number});
  json.member("name", untrusted_text(node.description));
}

void write_port(JsonWriter& json, const FabricMap& map, std::uint32_t port) {
  write_end_of_cable(json, map, port);
  json.key("peer");
  if (map.ports[port].peer == MapPort::no_peer) {
    json.null();
    return;
  }
  json.begin_object();
  write_end_of_cable(json, map, map.ports[port].peer);
  json.end_object();
}

void write_share(JsonWriter& json, const JobShare& share) {
  json.member("share", share.share).member("low", share.low).member("high", share.high);
  json.member("sure_low", share.least).member("sure_high", share.most);
  json.member("evidence", name_of(share.evidence));
  json.member("wide_reason", reason_of(share.wide));
}

/// Writes id, name and user; all are null for hosts in no job.
void write_user(JsonWriter& json, const JobContext& context, const TrafficWindow& traffic,
                std::uint32_t job) {
  if (job >= traffic.jobs.size()) {
    json.key("id").null().key("name").null().key("user").null();
    return;
  }
  const Job& known = traffic.jobs[job].stored.job;
  json.member("id", untrusted_text(known.id)).member("name", untrusted_text(known.name));
  json.key("user");
  if (context.show_users) {
    json.value(untrusted_text(known.user));
  } else {
    json.null();
  }
}

/// Bytes of the hosts in each sweep. `bytes` is a vector of ObservedTraffic, and `hosts` has values
/// of EndPortId.
std::vector<double> bytes_of(const ObservedTraffic& observed, const std::vector<double>& bytes,
                             const std::vector<std::uint32_t>& hosts) {
  std::vector<double> sums(observed.sweeps, 0);
  for (std::size_t t = 0; t < observed.sweeps; ++t) {
    for (const std::uint32_t host : hosts) {
      sums[t] += std::max(0.0, bytes[t * observed.fabric->end_port_count() + host]);
    }
  }
  return sums;
}

void write_timeline(JsonWriter& json, const TrafficWindow& traffic,
                    const std::vector<std::uint32_t>& hosts) {
  const auto write_rates = [&](const char* name, const std::vector<double>& bytes) {
    json.key(name).begin_array();
    const std::vector<double> sums = bytes_of(traffic.observed, bytes, hosts);
    for (std::size_t t = 0; t < sums.size(); ++t) json.value(sums[t] / traffic.seconds[t]);
    json.end_array();
  };
  json.key("timeline").begin_object().key("time").begin_array();
  for (const std::int64_t time : traffic.time_ms) json.value(time);
  json.end_array();
  write_rates("sent_bytes_per_s", traffic.observed.sent);
  write_rates("received_bytes_per_s", traffic.observed.received);
  json.end_object();
}

void write_placed_job(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                      std::uint32_t job) {
  const WindowJob& placed = window.traffic->jobs[job];
  json.begin_object();
  write_job(json, placed.stored, context.show_users);
  json.key("nodes").begin_array();
  for (const std::uint32_t n : placed.nodes) {
    const MapNode& node = window.traffic->map->nodes[n];
    json.begin_object().key("guid").guid(node.guid);
    json.member("name", untrusted_text(node.description)).end_object();
  }
  json.end_array().key("unmatched").begin_array();
  for (const std::string& name : placed.not_found) json.value(untrusted_text(name));
  json.end_array().end_object();
}

}  // namespace

std::string user_name(const AttributedWindow& window, std::uint32_t job) {
  if (job >= window.traffic->jobs.size()) return "hosts in no job";
  return untrusted_text(window.traffic->jobs[job].stored.job.id);
}

void write_job(JsonWriter& json, const StoredJob& job, bool show_users) {
  json.member("id", untrusted_text(job.job.id)).member("name", untrusted_text(job.job.name));
  json.key("user");
  if (show_users) {
    json.value(untrusted_text(job.job.user));
  } else {
    json.null();
  }
  json.member("state", untrusted_text(job.job.state)).member("source", job.source);
  write_time(json, "start", job.job.start_s);
  write_time(json, "end", job.job.end_s);
  json.member("listed", !job.gone_ms);
}

void write_listed_job(JsonWriter& json, const StoredJob& job, bool show_users) {
  json.begin_object();
  write_job(json, job, show_users);
  json.key("nodes").begin_array();
  for (const std::string& name : job.job.nodes) json.value(untrusted_text(name));
  json.end_array().key("unmatched").begin_array();
  for (const JobAdapter& adapter : job.adapters) {
    if (adapter.guid == 0) json.value(untrusted_text(adapter.name));
  }
  json.end_array().end_object();
}

void write_window(JsonWriter& json, const TrafficWindow& traffic) {
  constexpr double ms_a_second = 1e3;
  json.key("window").begin_object();
  json.member("since", traffic.time_ms.front() -
                           static_cast<std::int64_t>(traffic.seconds.front() * ms_a_second));
  json.member("until", traffic.time_ms.back()).member("seconds", traffic.total_seconds());
  json.member("sweeps", std::uint64_t{traffic.observed.sweeps});
  json.member("level", name_of(traffic.level));
  json.key("jobs_stale_since");
  if (traffic.job_source && traffic.job_source->stale_since_ms != 0) {
    json.value(traffic.job_source->stale_since_ms);
  } else {
    json.null();
  }
  json.key("remarks").begin_array();
  for (const std::string& remark : traffic.remarks) json.value(untrusted_text(remark));
  json.end_array().end_object();
}

void write_users(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                 std::uint32_t map_port, const ChannelShares& users) {
  write_port(json, *window.traffic->map, map_port);
  json.member("bytes", users.bytes);
  write_known(json, "utilisation", utilisation_of(*window.traffic, map_port, users.bytes));
  write_known(json, "waiting_share", window.traffic->waiting_share[map_port]);
  json.key("jobs").begin_array();
  for (const JobShare& share : users.jobs) {
    json.begin_object();
    write_user(json, context, *window.traffic, share.job);
    write_share(json, share);
    json.end_object();
  }
  json.end_array().member("unexplained", users.unexplained).member("misfit", users.misfit);
  write_window(json, *window.traffic);
}

void write_no_job_links(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                        const StoredJob& job) {
  json.key("job").begin_object();
  write_job(json, job, context.show_users);
  json.key("nodes").begin_array().end_array().key("unmatched").begin_array();
  for (const std::string& name : job.job.nodes) json.value(untrusted_text(name));
  json.end_array().end_object();
  write_window(json, *window.traffic);
  json.member("reason", "the job did not run in this time, or none of its nodes is in the fabric");
  json.member("sent", 0.0).member("received", 0.0).member("may_use", std::uint64_t{0});
  json.key("timeline").begin_object();
  for (const char* series : {"time", "sent_bytes_per_s", "received_bytes_per_s"}) {
    json.key(series).begin_array().end_array();
  }
  json.end_object();
  json.key("held_up_by").begin_array().end_array().key("links").begin_array().end_array();
}

void write_hosts_traffic(JsonWriter& json, const JobContext& context, const TrafficWindow& traffic,
                         const std::vector<Guid>& ports) {
  std::vector<std::uint32_t> hosts;
  for (const Guid port : ports) {
    const auto host = traffic.observed.fabric->find_end_port(port);
    if (host) hosts.push_back(host->value());
  }
  const auto total = [&](const std::vector<double>& bytes) {
    const std::vector<double> sums = bytes_of(traffic.observed, bytes, hosts);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  write_window(json, traffic);
  json.member("hosts", std::uint64_t{hosts.size()});
  json.member("sent", total(traffic.observed.sent));
  json.member("received", total(traffic.observed.received));
  write_timeline(json, traffic, hosts);
  json.key("jobs").begin_array();
  for (std::uint32_t job = 0; job < traffic.jobs.size(); ++job) {
    const std::vector<std::uint32_t>& others = traffic.observed.jobs[job].hosts;
    const bool shares_hosts = std::ranges::any_of(
        hosts, [&](std::uint32_t host) { return std::ranges::binary_search(others, host); });
    if (!shares_hosts) continue;
    json.begin_object();
    write_user(json, context, traffic, job);
    json.end_object();
  }
  json.end_array();
}

void write_link_traffic(JsonWriter& json, const TrafficWindow& traffic, Guid node,
                        PortNumber number) {
  const Fabric& fabric = *traffic.observed.fabric;
  const auto port = traffic.map->find_port(node, number);
  const auto at = fabric.find_switch(node);
  const PortTarget target = at ? fabric.behind(*at, number) : PortTarget{};
  if (!port || target.kind != PortTarget::Kind::channel) {
    json.null();
    return;
  }
  const double bytes = channel_bytes(traffic.observed, target.index);
  json.begin_object().member("bytes", bytes);
  write_known(json, "utilisation", utilisation_of(traffic, *port, bytes));
  write_known(json, "waiting_share", traffic.waiting_share[*port]);
  json.end_object();
}

void write_job_links(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                     std::uint32_t job, const JobLinks& links, const LinkMembers& more) {
  json.key("job");
  write_placed_job(json, context, window, job);
  write_window(json, *window.traffic);
  json.member("sent", links.sent).member("received", links.received);
  json.member("may_use", std::uint64_t{links.may_use});
  write_timeline(json, *window.traffic, window.traffic->observed.jobs[job].hosts);
  json.key("held_up_by").begin_array();
  for (const JobNeighbour& other : links.held_up_by) {
    json.begin_object();
    write_user(json, context, *window.traffic, other.job);
    json.member("links", std::uint64_t{other.links});
    json.member("largest_share", other.largest_share).end_object();
  }
  json.end_array().key("links").begin_array();
  for (const JobLink& link : links.links) {
    json.begin_object();
    write_port(json, *window.traffic->map, link.port);
    json.member("bytes", link.users.bytes);
    write_known(json, "utilisation", link.utilisation);
    write_known(json, "waiting_share", link.waiting_share);
    json.member("hot", link.hot).member("held_up", link.held_up);
    write_share(json, link.share);
    json.key("others").begin_array();
    for (const JobShare& share : link.users.jobs) {
      if (share.job == job) continue;
      json.begin_object();
      write_user(json, context, *window.traffic, share.job);
      write_share(json, share);
      json.end_object();
    }
    json.end_array().member("unexplained", link.users.unexplained);
    const MapPort& port = window.traffic->map->ports[link.port];
    if (more) more(json, window.traffic->map->node_of(port).guid, port.number);
    json.end_object();
  }
  json.end_array();
}

}  // namespace pssp
