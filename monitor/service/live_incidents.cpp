// Jobs are mapped to nodes again only if the map or the scheduler's list is another object than
// before.

#include "monitor/service/live_incidents.h"

#include <utility>

#include "base/untrusted_text.h"
#include "monitor/jobs/job_span.h"
#include "monitor/jobs/node_names.h"

namespace pssp {
namespace {

bool runs_at(const Job& job, std::int64_t time_ms) {
  const auto span = span_of(job);
  return span && span->since_ms <= time_ms && time_ms < span->until_ms;
}

}  // namespace

void LiveIncidents::place_jobs(const SnapshotPointer& snapshot, const JobReportPointer& report) {
  const bool same_map = before_ != nullptr && before_->map == snapshot->map;
  if (jobs_ != nullptr && same_map && report == report_) return;
  auto jobs = std::make_shared<std::vector<RunningJob>>();
  if (report != nullptr && report->jobs != nullptr) {
    const NodeNames names(*snapshot->map, rule_);
    for (const Job& job : report->jobs->jobs) {
      if (!runs_at(job, snapshot->time_ms)) continue;
      jobs->push_back({untrusted_text(job.id), place_of(job, names).nodes});
    }
  }
  jobs_ = std::move(jobs);
  report_ = report;
}

std::shared_ptr<const IncidentList> LiveIncidents::add(const SnapshotPointer& snapshot,
                                                       const std::vector<StandingVerdict>& standing,
                                                       const JobReportPointer& jobs) {
  place_jobs(snapshot, jobs);
  const SnapshotPointer before = std::exchange(before_, snapshot);
  if (before == nullptr) return nullptr;
  const bool are_of_this_map = tables_ != nullptr && tables_->map->hash == snapshot->map->hash;
  return watch_.add({*snapshot, differences(*before, *snapshot), standing, jobs_,
                     are_of_this_map ? tables_ : nullptr});
}

}  // namespace pssp
