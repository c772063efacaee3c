// squeue prints job names unchanged, including line breaks (tested with 22.05), so a job named
// "x\n17|RUNNING|.." could look like two jobs. Therefore a random mark, new for each call, precedes
// each job, and the name is the last field.
//
// sacct cannot print a text before each job, but accepts any text as delimiter, so the mark
// separates the fields there. A job id contains no line break, so the last line break before it is
// the one that sacct printed after the previous name.

#include "monitor/jobs/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/child_process.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "monitor/jobs/job_collector.h"

namespace pssp {
namespace {

/// Slurm then prints times as seconds, independent of the time zone.
constexpr const char* time_format = "SLURM_TIME_FORMAT=%s";

constexpr std::string_view no_accounts = "accounting storage is disabled";
/// Codes of CANCELLED, BOOT_FAIL, COMPLETED, DEADLINE, FAILED, NODE_FAIL, OUT_OF_MEMORY, PREEMPTED
/// and TIMEOUT.
constexpr const char* ended_states = "--state=CA,BF,CD,DL,F,NF,OOM,PR,TO";

std::string_view take_field(std::string_view& line, std::string_view delimiter) {
  const std::size_t end = line.find(delimiter);
  if (end == std::string_view::npos) {
    throw Error(ErrorKind::unreadable_input, "fields are missing");
  }
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end + delimiter.size());
  return field;
}

/// Slurm prints N/A, NONE, Unknown or 0 for unknown times.
std::optional<std::int64_t> slurm_time(std::string_view field) {
  const auto seconds = take_number(field);
  if (!seconds || *seconds == 0 || !field.empty()) return {};
  if (*seconds > std::uint64_t{1} << 40) return {};
  return static_cast<std::int64_t>(*seconds);
}

bool no_nodes(std::string_view field) {
  return field.empty() || field == "(null)" || field == "None assigned";
}

void take_job(std::string_view line, std::string_view delimiter, JobCollector& jobs) {
  Job job;
  job.id = take_field(line, delimiter);
  if (job.id.empty()) throw Error(ErrorKind::unreadable_input, "the job ID is missing");
  job.state = take_field(line, delimiter);
  // sacct prints "CANCELLED by 1000".
  job.state.resize(std::min(job.state.size(), job.state.find(' ')));
  job.start_s = slurm_time(take_field(line, delimiter));
  job.end_s = slurm_time(take_field(line, delimiter));
  const std::string_view nodes = take_field(line, delimiter);
  job.user = take_field(line, delimiter);
  job.name = line;
  if (!no_nodes(nodes)) jobs.add_nodes(job, nodes);
  jobs.add(std::move(job));
}

/// Runs a program of Slurm with limits on time and output, because schedulers may hang or print
/// without end.
std::string said_by(std::vector<std::string> arguments, const SlurmOptions& options,
                    const StopSignal& stop) {
  ProgramAnswer answer = run_program({.arguments = std::move(arguments), .variable = time_format},
                                     {}, {options.time_out, options.most_output}, stop);
  if (!answer.failure.empty()) throw Error(ErrorKind::unreadable_input, answer.failure);
  return std::move(answer.output);
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
    jobs.refuse(
        fmt::format("squeue printed '{}', which is not a job", excerpt(text.substr(0, begin))));
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
      take_job(line, "|", jobs);
    } catch (const Error& error) {
      jobs.refuse(fmt::format("squeue printed '{}': {}", excerpt(line), error.what()));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return jobs.finish();
}

JobList parse_sacct(std::string_view text, std::string_view mark) {
  constexpr int marks_a_job = 6;
  JobCollector jobs;
  while (!text.empty()) {
    std::size_t end = 0;
    for (int i = 0; i < marks_a_job && end != std::string_view::npos; ++i) {
      end = text.find(mark, end == 0 ? 0 : end + mark.size());
    }
    // The mark after the number of the next job. The name of this job ends before that number.
    const std::size_t next =
        end == std::string_view::npos ? end : text.find(mark, end + mark.size());
    std::size_t size = std::min(text.size(), next);
    size = std::min(size, text.substr(0, size).rfind('\n'));
    const std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(text.size(), size + 1));
    try {
      take_job(line, mark, jobs);
    } catch (const Error& error) {
      jobs.refuse(fmt::format("sacct printed '{}': {}", excerpt(line), error.what()));
      if (end == std::string_view::npos) break;
    }
  }
  return jobs.finish();
}

std::optional<JobList> read_slurm_accounts(std::int64_t seconds, const SlurmOptions& options,
                                           const StopSignal& stop) {
  const std::string mark = random_line_mark();
  try {
    const std::string said = said_by(
        {options.sacct, "--noheader", "--allocations", "--allusers", "--parsable2",
         "--delimiter=" + mark, fmt::format("--starttime=now-{}seconds", seconds), "--endtime=now",
         ended_states, "--format=JobIDRaw,State,Start,End,NodeList,User,JobName"},
        options, stop);
    return parse_sacct(said, mark);
  } catch (const Error& error) {
    const bool is_off = error.kind() == ErrorKind::missing_program ||
                        std::string_view(error.what()).find(no_accounts) != std::string_view::npos;
    if (is_off) return {};
    throw;
  }
}

JobList read_slurm_queue(const SlurmOptions& options, const StopSignal& stop) {
  const std::string mark = random_line_mark();
  const std::string said =
      said_by({options.squeue, "--noheader", "--states=all", "--format", squeue_format(mark)},
              options, stop);
  return parse_squeue(said, mark);
}

}  // namespace pssp
