#include "monitor/jobs/job_collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/nodes/host_list.h"

namespace pssp {

void JobCollector::add_nodes(Job& job, std::string_view host_list) {
  if (job.nodes.empty()) names_.clear();
  const std::size_t room =
      std::min(most_host_names - job.nodes.size(), JobList::most_nodes - names_read_);
  std::vector<std::string> names = expand_host_list(host_list, room);
  names_read_ += names.size();
  for (std::string& name : names) {
    if (names_.insert(name).second) job.nodes.push_back(std::move(name));
  }
}

void JobCollector::add(Job job) {
  const auto found = place_.find(job.id);
  if (found != place_.end()) {
    list_.jobs[found->second] = std::move(job);
    return;
  }
  if (list_.jobs.size() == JobList::most_jobs) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("more than {} jobs are listed", JobList::most_jobs));
  }
  place_.emplace(job.id, list_.jobs.size());
  list_.jobs.push_back(std::move(job));
}

}  // namespace pssp
