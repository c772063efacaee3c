// A source that stops answering leaves what it said; job_span.h says when a job ran.

#include <catch2/catch.hpp>

#include "base/file_io.h"
#include "monitor/jobs/job_span.h"
#include "monitor/jobs/job_watch.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

TEST_CASE("jobs of a file are read when it changes, and stay, stale, when it is gone") {
  test::TemporaryFolder folder;
  const auto file = folder.path() / "jobs";
  JobWatch watch(file);
  const JobReportPointer none = watch.ask(1000);
  CHECK(none->jobs == nullptr);
  CHECK(none->stale_since_ms == 1000);
  CHECK_FALSE(none->problem.empty());
  write_file(file, std::string_view(R"({"id": "1", "nodes": ["n1"]})"
                                    "\n"));
  const JobReportPointer one = watch.ask(2000);
  REQUIRE(one->jobs);
  CHECK(one->problem.empty());
  CHECK(one->jobs->jobs.size() == 1);
  const JobReportPointer same = watch.ask(3000);
  CHECK(same->jobs == one->jobs);
  CHECK(same->time_ms == 3000);
  std::filesystem::remove(file);
  const JobReportPointer gone = watch.ask(4000);
  CHECK(gone->jobs == one->jobs);
  CHECK(gone->time_ms == 3000);
  CHECK(gone->stale_since_ms == 4000);
  CHECK(watch.ask(5000)->stale_since_ms == 4000);
  write_file(file, std::string_view("{\"id\": 2, \"nodes\": []}\n{\"id\": 3, \"nodes\": []}\nx"));
  const JobReportPointer back = watch.ask(6000);
  CHECK(back->jobs->jobs.size() == 2);
  CHECK(back->jobs->bad_lines == 1);
  CHECK(back->problem.empty());
}

TEST_CASE("a scheduler that cannot be asked is a problem, no exception") {
  SlurmOptions options;
  options.squeue = "/nonexistent/squeue";
  CHECK_FALSE(JobWatch(options).ask(1)->problem.empty());
}

TEST_CASE("when a job ran is what its scheduler knows") {
  Job job;
  CHECK_FALSE(span_of(job));
  job.start_s = 100;
  CHECK(span_of(job)->since_ms == 100'000);
  CHECK(span_of(job)->until_ms == std::numeric_limits<std::int64_t>::max());
  job.end_s = 200;
  CHECK(span_of(job)->until_ms == 200'000);
  job.state = "RUNNING";  // its end is a limit
  CHECK(span_of(job)->until_ms == std::numeric_limits<std::int64_t>::max());
  CHECK(span_of(job, 150'000)->until_ms == 150'000);
  job.state = "TIMEOUT";
  CHECK(span_of(job, 250'000)->until_ms == 200'000);
  job.end_s = 50;
  CHECK_FALSE(span_of(job));
  job.state = "PENDING";
  job.end_s = {};
  CHECK_FALSE(span_of(job));
}

}  // namespace
}  // namespace pssp
