#include "monitor/service/stored_jobs.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "monitor/api/fit_view.h"
#include "monitor/api/list_order.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

constexpr std::int64_t job_list_ms = day_ms;
constexpr std::uint64_t latest_ms = std::uint64_t{1} << 53;
/// Longer windows take minutes to read.
constexpr std::int64_t longest_window_ms = 31 * day_ms;

/// Converts errors of libraries to error responses.
template <class Action>
auto answered(const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw ApiError{503, untrusted_text(error.what()), "choose another period"};
  }
}

TimeWindow asked_window(const Target& target, const TimeWindow& absent) {
  TimeWindow window;
  const auto time = [&](std::string_view name, std::int64_t otherwise) {
    return static_cast<std::int64_t>(target.number(
        name, static_cast<std::uint64_t>(std::max<std::int64_t>(0, otherwise)), 0, latest_ms));
  };
  window.until_ms = time("until", absent.until_ms);
  window.since_ms = time(
      "since", window.until_ms - std::min(longest_window_ms, absent.until_ms - absent.since_ms));
  if (window.since_ms >= window.until_ms) {
    throw ApiError{400, "since is not before until", "both are milliseconds since 1970"};
  }
  if (window.until_ms - window.since_ms > longest_window_ms) {
    throw ApiError{400, "the period is longer than 31 days", "request a shorter period"};
  }
  return window;
}

/// Writes the verdicts of a link at both ends, as of the last sweep.
void write_link_verdict(JsonWriter& json, const LiveView& view, Guid guid, PortNumber number) {
  const auto port = view.map().find_port(guid, number);
  VerdictLevel level = VerdictLevel::unknown;
  std::vector<std::string> reasons;
  if (port) {
    const std::uint32_t peer = view.map().ports[*port].peer;
    level = view.levels[*port];
    if (peer != MapPort::no_peer) level = std::max(level, view.levels[peer]);
    for (const VerdictView& each : view.facts.verdicts) {
      if (each.port == *port || each.port == peer) reasons.push_back(each.reason);
    }
  }
  json.member("verdict", name_of(level)).key("reasons").begin_array();
  for (const std::string& reason : reasons) json.value(untrusted_text(reason));
  json.end_array();
}

void write_nodes(JsonWriter& json, const LiveView& view, const StoredJob& job) {
  json.key("nodes").begin_array();
  for (const JobAdapter& adapter : job.adapters) {
    if (adapter.guid == 0) continue;
    const auto node = view.map().find_node(adapter.guid);
    json.begin_object().key("guid").guid(adapter.guid);
    json.member("job_name", untrusted_text(adapter.name)).key("name");
    if (node) {
      json.value((*view.names)[*node]);
    } else {
      json.null();
    }
    write_fit_of(json, view.facts.fit.get(), adapter.guid);
    json.end_object();
  }
  json.end_array().key("unmatched").begin_array();
  for (const JobAdapter& adapter : job.adapters) {
    if (adapter.guid == 0) json.value(untrusted_text(adapter.name));
  }
  json.end_array();
}

void write_reroutes(JsonWriter& json, const JobContext& context, const TimeWindow& life) {
  EventQuery query;
  query.window = life;
  query.kind = name_of(EventKind::tables_changed);
  query.limit = 20;
  json.key("reroutes").begin_array();
  for (const StoredEvent& event : HistoryReader(context.database).events(query)) {
    json.begin_object().member("time", event.time_ms);
    json.member("text", untrusted_text(event.text)).end_object();
  }
  json.end_array();
}

void write_job_use(JsonWriter& json, const std::optional<JobUse>& use, const std::string& why_not) {
  json.key("traffic");
  if (!use) {
    json.null().member("traffic_reason", why_not);
    return;
  }
  json.begin_object().member("sent_bytes_per_s", use->sent);
  json.member("received_bytes_per_s", use->received);
  json.member("hot_links", std::uint64_t{use->hot});
  json.member("held_up_links", std::uint64_t{use->held_up}).end_object();
}

/// GUIDs of the ports of the hosts of a job.
std::vector<Guid> ports_of_job(const AttributedWindow& window, std::uint32_t job) {
  const ObservedTraffic& observed = window.traffic->observed;
  std::vector<Guid> ports;
  for (const std::uint32_t host : observed.jobs[job].hosts) {
    ports.push_back(observed.fabric->end_port(EndPortId(host)).port_guid);
  }
  return ports;
}

std::optional<TrafficWindow::Position> position_of(const TrafficWindow& traffic, PortKey port) {
  const auto there = traffic.map->find_port(port.node, port.number);
  return there ? traffic.place_of(*there) : std::nullopt;
}

void write_users_of(JsonWriter& json, const JobContext& context, const AttributedWindow& window,
                    PortKey port, const TrafficWindow::Position& position) {
  write_users(json, context, window, window.traffic->map->find_port(port.node, port.number).value(),
              users_of(*window.traffic, window.attribution, position));
}

/// Writes the member `week_before`: an object that `write` fills from the result of `read`, or null
/// and the reason if the history has no data of that time. Returns the result of `read`, or null.
template <class Read, class Write>
auto write_week_before(JsonWriter& json, const Read& read, const Write& write) -> decltype(read()) {
  decltype(read()) earlier;
  std::string reason;
  try {
    earlier = read();
  } catch (const Error& error) {
    reason = untrusted_text(error.what());
  }
  json.key("week_before");
  if (earlier) {
    json.begin_object();
    write(*earlier);
    json.end_object();
  } else {
    json.null().member("week_before_reason", reason);
  }
  return earlier;
}

}  // namespace

StoredJob StoredJobs::known_job(const std::string& id) const {
  const auto found = answered([&] { return find_job(context_, id); });
  if (!found) throw ApiError{404, "unknown job", "/api/v1/jobs lists all jobs"};
  return *found;
}

const AttributedWindow& StoredJobs::window_of(const TimeWindow& window) {
  const bool same =
      last_ && last_->asked.since_ms == window.since_ms && last_->asked.until_ms == window.until_ms;
  if (!same) {
    last_.reset();
    last_ = answered([&] { return std::make_unique<AttributedWindow>(context_, window); });
  }
  return *last_;
}

struct StoredJobs::ListedJob {
  StoredJob job;
  std::optional<JobUse> use;
  std::string why_not;  ///< why there is no use; sanitized
};

/// For ListOrder::sort(); below 0 if unknown.
double StoredJobs::weight_of(const ListedJob& job, std::string_view key) {
  if (key == "nodes") return static_cast<double>(job.job.job.nodes.size());
  if (!job.use) return -1;
  if (key == "sent") return job.use->sent;
  if (key == "received") return job.use->received;
  return static_cast<double>(job.use->hot + job.use->held_up);
}

/// The list is also returned if the traffic is unknown, with the reason.
void StoredJobs::add_use(std::vector<ListedJob>& jobs, std::int64_t now) {
  try {
    const AttributedWindow& window = window_of({now - users_window_ms, now});
    const std::vector<JobUse> use = use_of_jobs(*window.traffic, window.attribution);
    for (ListedJob& each : jobs) {
      if (const auto index = window.find(each.job)) {
        each.use = use[*index];
      } else {
        each.why_not =
            "the job did not run in the last five minutes, or none of its nodes is in the fabric";
      }
    }
  } catch (const ApiError& error) {
    for (ListedJob& each : jobs) each.why_not = error.message;
  }
}

void StoredJobs::jobs(JsonWriter& json, const LiveView& view, const Target& target) {
  target.allow({"since", "until", "limit", "after", "sort", "order", "traffic"});
  const std::int64_t now = view.snapshot->time_ms + 1;
  const ListPart part = list_part(target);
  const ListOrder order(target, {"start", "nodes", "sent", "received", "hot_links"});
  const bool by_use = order.key() != "start" && order.key() != "nodes";
  const bool wants_use = target.flag("traffic", false) || by_use;
  std::vector<StoredJob> found = answered([&] {
    return jobs_of(context_, asked_window(target, {now - job_list_ms, now}), true);
  });
  std::vector<ListedJob> all;
  std::ranges::reverse(found);
  all.reserve(found.size());
  for (auto& job : found) all.push_back({std::move(job), {}, {}});
  if (wants_use) add_use(all, now);
  std::vector<std::uint32_t> sorted(all.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  order.sort(sorted, part.first + part.limit, [&](std::uint32_t i) {
    return order.key() == "start" ? static_cast<double>(all.size() - i)  // newest first
                                  : weight_of(all[i], order.key());
  });
  write_list(json, "jobs", part, sorted, [&](std::uint32_t i) {
    const StoredJob& job = all[i].job;
    const auto unmatched = std::count_if(job.adapters.begin(), job.adapters.end(),
                                         [](const JobAdapter& each) { return each.guid == 0; });
    json.begin_object();
    write_job(json, job, context_.show_users);
    json.member("nodes", std::uint64_t{job.job.nodes.size()});
    json.member("unmatched", static_cast<std::uint64_t>(unmatched));
    if (wants_use) write_job_use(json, all[i].use, all[i].why_not);
    json.end_object();
  });
}

void StoredJobs::write_found(JsonWriter& json, const LiveView& view, const SearchRequest& request) {
  const std::int64_t now = view.snapshot->time_ms + 1;
  std::vector<StoredJob> jobs = answered([&] {
    return jobs_of(context_, {now - job_list_ms, now}, true);
  });
  std::ranges::reverse(jobs);
  std::size_t written = 0;
  for (const StoredJob& job : jobs) {
    if (written == request.limit) break;
    if (!matches(request, job.job.id) && !matches(request, job.job.name)) continue;
    json.begin_object();
    write_job(json, job, context_.show_users);
    json.end_object();
    ++written;
  }
}

void StoredJobs::job(JsonWriter& json, const LiveView& view, const Target& target,
                     const std::string& id) {
  target.allow({});
  const StoredJob found = known_job(id);
  json.key("job").begin_object();
  write_job(json, found, context_.show_users);
  write_nodes(json, view, found);
  const auto span = span_of(found.job, found.gone_ms);
  answered([&] {
    write_reroutes(json, context_,
                   span ? TimeWindow{span->since_ms, span->until_ms} : TimeWindow{0, 0});
  });
  json.end_object();
}

void StoredJobs::job_links(JsonWriter& json, const LiveView& view, const Target& target,
                           const std::string& id) {
  target.allow({"since", "until", "limit", "week_before"});
  const StoredJob found = known_job(id);
  const auto most = target.number("limit", most_job_links, 1, 1000);
  const TimeWindow absent = window_of_job(found, view.snapshot->time_ms, job_window_ms);
  const AttributedWindow& window = window_of(asked_window(target, absent));
  const auto index = window.find(found);
  if (!index) return write_no_job_links(json, context_, window, found);
  const JobLinks links = answered([&] {
    return links_of_job(*window.traffic, window.attribution, *index,
                        static_cast<std::size_t>(most));
  });
  TrafficWindowPointer earlier;
  if (target.flag("week_before", false)) {
    earlier = write_week_before(
        json, [&] { return traffic_of(context_, week_before(window.asked)); },
        [&](const TrafficWindow& traffic) {
          write_hosts_traffic(json, context_, traffic, ports_of_job(window, *index));
        });
  }
  write_job_links(json, context_, window, *index, links,
                  [&](JsonWriter& to, Guid guid, PortNumber number) {
                    write_link_verdict(to, view, guid, number);
                    if (!earlier) return;
                    to.key("week_before");
                    write_link_traffic(to, *earlier, guid, number);
                  });
}

void StoredJobs::users(JsonWriter& json, const LiveView& view, const Target& target, PortKey port) {
  target.allow({"since", "until", "week_before"});
  const std::int64_t now = view.snapshot->time_ms + 1;
  const AttributedWindow& window = window_of(asked_window(target, {now - users_window_ms, now}));
  constexpr const char* no_cable = "the port had no cable to a switch or a host at that time";
  const auto position = position_of(*window.traffic, port);
  if (!position) throw ApiError{404, no_cable, "/api/v1/links lists ports with a cable"};
  write_users_of(json, context_, window, port, *position);
  if (!target.flag("week_before", false)) return;
  write_week_before(
      json,
      [&] {
        auto earlier = std::make_shared<AttributedWindow>(context_, week_before(window.asked));
        if (!position_of(*earlier->traffic, port)) {
          throw Error(ErrorKind::unreadable_input, no_cable);
        }
        return earlier;
      },
      [&](const AttributedWindow& earlier) {
        write_users_of(json, context_, earlier, port, *position_of(*earlier.traffic, port));
      });
}

}  // namespace pssp
