#pragma once

// What all sources of jobs do with the jobs that they read: each id once, each node of a job once,
// and no more than fit.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "monitor/jobs/job.h"

namespace pssp {

class JobCollector {
 public:
  /// Appends the names of a host list to the nodes of `job`, which is the one that is being read:
  /// it has no nodes yet, or those of the calls before. Throws Error(unreadable_input) as
  /// expand_host_list(), also when there are more nodes than most_host_names, or in all jobs that
  /// were read than JobList::most_nodes.
  void add_nodes(Job& job, std::string_view host_list);
  /// A job with an id that is there already takes its place. Throws Error(unreadable_input) when
  /// there are JobList::most_jobs already.
  void add(Job job);
  void refuse(std::string sentence) { list_.refuse(std::move(sentence)); }
  JobList finish() { return std::move(list_); }

 private:
  JobList list_;
  std::size_t names_read_ = 0;  // also of jobs that were refused: reading them took the same time
  std::unordered_set<std::string> names_;  // of the job that is being read
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace pssp
