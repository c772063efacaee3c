// squeue prints what users called their jobs, line ends included (22.05 was tried): a job named
// "x\n17|RUNNING|.." would be two lines. Hence the mark, which is drawn anew for each call, and the
// name as the last field.

#include "monitor/jobs/slurm.h"

#include <fmt/format.h>

#include <random>

#include "base/error.h"
#include "base/shown.h"
#include "base/text_lines.h"
#include "monitor/jobs/job_collector.h"
#include "monitor/jobs/scheduler_program.h"

namespace pssp {
namespace {

/// Times as seconds, whatever the time zone.
constexpr const char* time_format = "SLURM_TIME_FORMAT=%s";

std::string_view take_field(std::string_view& line) {
  const std::size_t end = line.find('|');
  if (end == std::string_view::npos) {
    throw Error(ErrorKind::unreadable_input, "a line of a job has fields missing");
  }
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end + 1);
  return field;
}

/// Slurm has N/A, NONE, Unknown and 0 for times that are not known.
std::optional<std::int64_t> slurm_time(std::string_view field) {
  const auto seconds = take_number(field);
  if (!seconds || *seconds == 0 || !field.empty()) return {};
  if (*seconds > std::uint64_t{1} << 40) return {};
  return static_cast<std::int64_t>(*seconds);
}

bool no_nodes(std::string_view field) {
  return field.empty() || field == "(null)" || field == "None assigned";
}

void take_job(std::string_view line, JobCollector& jobs) {
  Job job;
  job.id = take_field(line);
  if (job.id.empty()) throw Error(ErrorKind::unreadable_input, "a job has no number");
  job.state = take_field(line);
  job.start_s = slurm_time(take_field(line));
  job.end_s = slurm_time(take_field(line));
  const std::string_view nodes = take_field(line);
  job.user = take_field(line);
  job.name = line;
  if (!no_nodes(nodes)) jobs.add_nodes(job, nodes);
  jobs.add(std::move(job));
}

}  // namespace

std::string random_line_mark() {
  std::random_device random;
  return fmt::format("job-{:08x}{:08x}", random(), random());
}

std::string squeue_format(std::string_view mark) {
  return fmt::format("{}|%A|%T|%S|%e|%N|%u|%j", mark);
}

JobList parse_squeue(std::string_view text, std::string_view mark) {
  JobCollector jobs;
  const std::string first = fmt::format("{}|", mark);
  const std::string next = "\n" + first;
  if (!text.empty() && text.substr(0, first.size()) != first) {
    const std::size_t begin = text.find(next);
    jobs.refuse(fmt::format("squeue said '{}', which is no job", shown(text.substr(0, begin))));
    text.remove_prefix(begin == std::string_view::npos ? text.size() : begin + 1);
  }
  while (!text.empty()) {
    text.remove_prefix(first.size());
    const std::size_t end = text.find(next);
    std::string_view line = text.substr(0, end);
    if (end == std::string_view::npos && !line.empty() && line.back() == '\n') {
      line.remove_suffix(1);
    }
    try {
      take_job(line, jobs);
    } catch (const Error& error) {
      jobs.refuse(fmt::format("squeue said '{}': {}", shown(line), error.what()));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return jobs.finish();
}

JobList read_slurm_queue(const SlurmOptions& options, const StopSignal& stop) {
  const std::string mark = random_line_mark();
  const std::string said =
      run_scheduler({options.squeue, "--noheader", "--states=all", "--format", squeue_format(mark)},
                    time_format, {options.time_out, options.most_output}, stop);
  return parse_squeue(said, mark);
}

}  // namespace pssp
