#include "monitor/service/reroute_output.h"

#include <algorithm>
#include <utility>

#include "monitor/jobs/node_names.h"

namespace pssp {
namespace {

constexpr std::size_t most_reroutes_kept = 1000, most_reroutes_waiting = 16;

/// The ports of each job in the list. Uses the map before the change, because nodes that have
/// disappeared also had jobs.
std::vector<JobPorts> ports_of_jobs(const JobReport& report, const FabricMap& map,
                                    const NodeNameRule& rule) {
  std::vector<JobPorts> list;
  const NodeNames names(map, rule);
  for (const Job& job : report.jobs->jobs) {
    JobPorts each{job.id, {}};
    for (const std::uint32_t node : place_of(job, names).nodes) {
      const MapNode& at = map.nodes[node];
      for (std::uint32_t p = 0; p < at.ports; ++p) {
        each.ports.push_back(map.ports[at.first_port + p].guid);
      }
    }
    if (each.ports.size() > 1) list.push_back(std::move(each));
  }
  return list;
}

}  // namespace

RerouteOutput::RerouteOutput(HistoryThread* history, std::vector<RerouteRecord> known,
                             NodeNameRule rule)
    : history_(history),
      rule_(std::move(rule)),
      list_(std::make_shared<const std::vector<RerouteRecord>>(std::move(known))) {}

void RerouteOutput::take_tables(const LiveTablesPointer& tables) {
  std::optional<SeenReroute> reroute = watch_.add(tables);
  if (!reroute) return;
  const std::scoped_lock lock(mutex_);
  if (waiting_.size() == most_reroutes_waiting) waiting_.pop_front();
  waiting_.push_back({*std::move(reroute), jobs_});
}

void RerouteOutput::take_jobs(JobReportPointer jobs) {
  const std::scoped_lock lock(mutex_);
  jobs_ = std::move(jobs);
}

RerouteList RerouteOutput::list() const {
  const std::scoped_lock lock(mutex_);
  return list_;
}

std::vector<MonitorEvent> RerouteOutput::work() {
  std::vector<MonitorEvent> events;
  for (;;) {
    Waiting next;
    {
      const std::scoped_lock lock(mutex_);
      if (waiting_.empty()) return events;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    std::vector<JobPorts> jobs;
    if (next.jobs && next.jobs->jobs) {
      jobs = ports_of_jobs(*next.jobs, *next.reroute.before->map, rule_);
    }
    const RerouteRecord record = record_of(next.reroute, impact_of(next.reroute, jobs));
    MonitorEvent event;
    event.kind = EventKind::rerouted;
    event.time_ms = record.end_ms;
    event.text = sentence_of(record);
    events.push_back(std::move(event));
    if (history_ != nullptr) history_->add_reroute(record);
    const std::scoped_lock lock(mutex_);
    auto longer = std::make_shared<std::vector<RerouteRecord>>(*list_);
    if (longer->size() == most_reroutes_kept) longer->erase(longer->begin());
    longer->push_back(record);
    list_ = std::move(longer);
  }
}

}  // namespace pssp
