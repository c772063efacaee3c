// Job files, and the same bytes as the output of squeue and of sacct.

#include "monitor/jobs/job_file.h"
#include "monitor/jobs/slurm.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

void require_jobs(const JobList& list) {
  std::size_t nodes = 0;
  for (const Job& job : list.jobs) {
    require(!job.id.empty(), "a job has no id");
    nodes += job.nodes.size();
  }
  require(nodes <= JobList::most_nodes && list.jobs.size() <= JobList::most_jobs,
          "there are too many jobs or nodes");
  require(list.problems.size() <= list.bad_lines, "there are more problems than bad lines");
  require_messages(list.problems);
}

}  // namespace

void fuzz_jobs(std::string_view input) {
  require_jobs(parse_jobs(input, "input"));
  require_jobs(parse_squeue(input, "M"));
  require_jobs(parse_sacct(input, "M"));
}

}  // namespace pssp::test
