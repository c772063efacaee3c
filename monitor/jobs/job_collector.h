#pragma once

// Collects jobs from any source: removes duplicate ids and duplicate nodes of a job, and enforces
// the limits of JobList.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "monitor/jobs/job.h"

namespace pssp {

class JobCollector {
 public:
  /// Appends the names of a host list to the nodes of `job`, the job that is being read. Before the
  /// first call for a job, `job.nodes` must be empty. Throws Error(unreadable_input) as
  /// expand_host_list() does, and if there would be more nodes than most_host_names in the job or
  /// JobList::most_nodes in all jobs read so far.
  void add_nodes(Job& job, std::string_view host_list);
  /// Adds a job; replaces an earlier job with the same id. Throws Error(unreadable_input) if there
  /// are already JobList::most_jobs jobs.
  void add(Job job);
  void refuse(std::string sentence) { list_.refuse(std::move(sentence)); }
  JobList finish() { return std::move(list_); }

 private:
  JobList list_;
  std::size_t names_read_ = 0;  // includes rejected jobs, because reading them took the same time
  std::unordered_set<std::string> names_;  // node names of the job that is being read
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace pssp
