// Each line is parsed independently: if a script has written only part of the last line, or an
// invalid line in the middle, only that line is lost.

#include "monitor/jobs/job_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "monitor/jobs/job_collector.h"

namespace pssp {
namespace {

using JobJson = nlohmann::json;

/// The year 9999 in seconds since 1970. Larger values are milliseconds, not seconds.
constexpr std::int64_t last_second = 253'402'300'799;

[[noreturn]] void bad_job(const std::string& what) {
  throw Error(ErrorKind::unreadable_input, what);
}

std::string text_of(const JobJson& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  if (!found->is_string()) bad_job(fmt::format("'{}' is not a string", key));
  return found->get<std::string>();
}

std::string id_of(const JobJson& object) {
  const auto found = object.find("id");
  if (found != object.end() && found->is_number_integer()) return found->dump();
  std::string id = text_of(object, "id");
  if (id.empty()) bad_job("the job has no 'id'");
  return id;
}

std::optional<std::int64_t> time_of(const JobJson& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_number_unsigned() && found->get<std::uint64_t>() <= last_second) {
    return found->get<std::int64_t>();
  }
  bad_job(fmt::format("'{}' is neither null nor a number of seconds since 1970", key));
}

void take_nodes(const JobJson& object, Job& job, JobCollector& jobs) {
  const auto found = object.find("nodes");
  if (found == object.end() || !found->is_array()) bad_job("the job has no list 'nodes'");
  for (const JobJson& each : *found) {
    if (!each.is_string()) bad_job("an element of 'nodes' is not a string");
    jobs.add_nodes(job, each.get_ref<const std::string&>());
  }
}

void take_line(std::string_view line, JobCollector& jobs) {
  const JobJson object = JobJson::parse(line.begin(), line.end(), nullptr, false);
  if (object.is_discarded()) bad_job("the line is not complete JSON");
  if (!object.is_object()) bad_job("the line is not a JSON object");
  Job job;
  job.id = id_of(object);
  job.name = text_of(object, "name");
  job.user = text_of(object, "user");
  job.state = text_of(object, "state");
  job.start_s = time_of(object, "start");
  job.end_s = time_of(object, "end");
  if (job.start_s && job.end_s && *job.end_s < *job.start_s) {
    bad_job(fmt::format("job '{}' ends before it starts", excerpt(job.id)));
  }
  take_nodes(object, job, jobs);
  jobs.add(std::move(job));
}

class JobFileReader {
 public:
  explicit JobFileReader(std::string_view name) : name_(name) {}

  /// Processes the next part of the file, which may end within a line.
  void take(std::string_view part) {
    while (!part.empty()) {
      const std::size_t end = part.find('\n');
      add(part.substr(0, end));
      if (end == std::string_view::npos) return;
      end_line();
      part.remove_prefix(end + 1);
    }
  }

  JobList finish() {
    if (!line_.empty() || too_long_) end_line();
    return jobs_.finish();
  }

 private:
  void add(std::string_view piece) {
    too_long_ = too_long_ || line_.size() + piece.size() > longest_job_line;
    if (too_long_) {
      line_.clear();
    } else {
      line_ += piece;
    }
  }

  void end_line() {
    ++number_;
    try {
      if (too_long_) bad_job(fmt::format("the line is longer than {} bytes", longest_job_line));
      const std::string_view line = without_line_end();
      if (!line.empty()) take_line(line, jobs_);
    } catch (const Error& error) {
      jobs_.refuse(fmt::format("{}:{}: {}", printable(name_), number_, error.what()));
    }
    line_.clear();
    too_long_ = false;
  }

  std::string_view without_line_end() const {
    std::string_view line = trimmed(line_);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return trimmed(line);
  }

  std::string_view name_;
  std::size_t number_ = 0;
  std::string line_;
  bool too_long_ = false;
  JobCollector jobs_;
};

}  // namespace

JobList parse_jobs(std::string_view text, std::string_view name) {
  JobFileReader reader(name);
  reader.take(text);
  return reader.finish();
}

JobList read_jobs(const std::filesystem::path& path) {
  FileReader file(path);
  JobFileReader reader(file.name());
  std::vector<char> block(std::size_t{1} << 16);
  for (;;) {
    const std::size_t size = file.read(block.data(), block.size());
    if (size == 0) return reader.finish();
    reader.take({block.data(), size});
  }
}

}  // namespace pssp
