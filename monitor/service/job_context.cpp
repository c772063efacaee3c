#include "monitor/service/job_context.h"

#include <algorithm>
#include <limits>

#include "base/names_in_list.h"
#include "monitor/jobs/job_span.h"

namespace pssp {
namespace {

WindowOptions window_options(const JobContext& context, const TimeWindow& window) {
  WindowOptions options;
  options.window = window;
  options.jobs = context.jobs;
  options.node_names = context.node_names;
  options.shared_hosts = context.shared_hosts;
  return options;
}

StoredJob stored(const Job& job) {
  StoredJob result;
  result.source = "file";
  result.job = job;
  for (const std::string& name : job.nodes) result.adapters.push_back({name, 0});
  return result;
}

}  // namespace

void JobContext::take(const JobSettings& settings) {
  node_names = settings.node_names;
  shared_hosts = names_in_list(settings.shared_hosts);
  show_users = settings.users == UsersView::show;
}

std::vector<StoredJob> jobs_of(const JobContext& context, const TimeWindow& window, bool waiting) {
  if (!context.jobs) {
    JobQuery query;
    query.window = window;
    query.only_begun = !waiting;
    return StateReader(context.database).jobs(query);
  }
  std::vector<StoredJob> all;
  for (const Job& job : context.jobs->jobs) {
    const auto span = span_of(job);
    const bool ran = span && span->since_ms < window.until_ms && span->until_ms > window.since_ms;
    if (ran || (!span && waiting)) all.push_back(stored(job));
  }
  return all;
}

std::optional<StoredJob> find_job(const JobContext& context, const std::string& id) {
  std::vector<StoredJob> found;
  if (context.jobs) {
    for (const Job& job : context.jobs->jobs) {
      if (job.id == id) found.push_back(stored(job));
    }
  } else {
    JobQuery query;
    query.window.since_ms = std::numeric_limits<std::int64_t>::min();
    query.id = id;
    query.only_begun = false;
    found = StateReader(context.database).jobs(query);
  }
  if (found.empty()) return std::nullopt;
  return std::move(found.back());
}

TimeWindow window_of_job(const StoredJob& job, std::int64_t newest_ms, std::int64_t length_ms) {
  const auto span = span_of(job.job, job.gone_ms);
  TimeWindow window;
  window.until_ms = newest_ms + 1;
  if (span) window.until_ms = std::min(window.until_ms, span->until_ms);
  window.since_ms = window.until_ms - length_ms;
  if (span) window.since_ms = std::min(std::max(window.since_ms, span->since_ms), newest_ms);
  return window;
}

TimeWindow week_before(const TimeWindow& window) {
  constexpr std::int64_t week_ms = 7 * day_ms;
  return {window.since_ms - week_ms, window.until_ms - week_ms};
}

TrafficWindowPointer traffic_of(const JobContext& context, const TimeWindow& window) {
  return read_traffic_window(context.database, window_options(context, window));
}

AttributedWindow::AttributedWindow(const JobContext& context, const TimeWindow& window,
                                   const StopSignal& stop)
    : asked(window),
      traffic(read_traffic_window(context.database, window_options(context, window), stop)),
      attribution(traffic->observed, attribution_options(*traffic), stop) {}

std::optional<std::uint32_t> AttributedWindow::find(const StoredJob& job) const {
  for (std::uint32_t i = 0; i < traffic->jobs.size(); ++i) {
    const StoredJob& each = traffic->jobs[i].stored;
    if (each.key == job.key && each.job.id == job.job.id) return i;
  }
  return std::nullopt;
}

}  // namespace pssp
