// Tests JobWatch, which keeps the last list of a source that stops answering, and the time span of
// a job (job_span.h).

#include <catch2/catch.hpp>

#include "base/file_io.h"
#include "monitor/jobs/job_span.h"
#include "monitor/jobs/job_watch.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

TEST_CASE("a job file is read when it changes, and its last list is kept when it is gone") {
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

TEST_CASE("a scheduler that cannot be queried is reported as a problem, not as an exception") {
  SlurmOptions options;
  options.squeue = "/nonexistent/squeue";
  CHECK_FALSE(JobWatch(options).ask(1)->problem.empty());
}

/// A fake Slurm: squeue and sacct print the content of files, and sacct records its arguments.
class FakeSlurm {
 public:
  FakeSlurm() {
    write_program("squeue", R"(for format; do :; done; sed "s,^,${format%%|*}|," )" +
                                (folder_.path() / "queue").string());
    write_program("sacct",
                  "echo \"$@\" >>" + (folder_.path() / "asked").string() + "; cat " +
                      (folder_.path() / "said").string() +
                      R"( | sed "s,|,$(echo "$@" | sed 's/.*--delimiter=\([^ ]*\) .*/\1/'),g")");
    options.squeue = (folder_.path() / "squeue").string();
    options.sacct = (folder_.path() / "sacct").string();
  }
  void queue(const std::string& lines) { write_file(folder_.path() / "queue", lines); }
  void accounts(const std::string& lines) { write_file(folder_.path() / "said", lines); }
  void fails(const std::string& sentence) {
    write_program("sacct", "echo '" + sentence + "' >&2; exit 1");
  }
  /// The arguments of sacct, one line per call.
  std::string asked() {
    const auto file = folder_.path() / "asked";
    return std::filesystem::exists(file) ? read_file(file) : std::string();
  }

  SlurmOptions options;

 private:
  void write_program(const std::string& name, const std::string& script) {
    const auto file = folder_.path() / name;
    write_file(file, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  test::TemporaryFolder folder_;
};

TEST_CASE("jobs that ended unseen are requested from the accounting once") {
  FakeSlurm slurm;
  slurm.queue("2|RUNNING|1700000000|NONE|n1|anna|runs\n");
  slurm.accounts(
      "1|COMPLETED|1700000000|1700000100|n2|anna|ended\n"
      "2|FAILED|1690000000|1690000001|n9|anna|an earlier one\n");
  // A watch without an earlier list has missed no job.
  JobWatch first(slurm.options);
  CHECK(first.ask(1'000'000)->accounting == Accounting::not_asked);
  CHECK(slurm.asked().empty());
  // The daemon was down for ten minutes.
  JobWatch watch(slurm.options, 1'000'000);
  const JobReportPointer report = watch.ask(1'600'000);
  CHECK(report->problem.empty());
  CHECK(report->accounting == Accounting::asked);
  REQUIRE(report->jobs->jobs.size() == 2);
  CHECK(report->jobs->jobs[0].name == "runs");
  CHECK(report->jobs->jobs[1].name == "ended");
  CHECK(report->jobs->jobs[1].end_s == 1'700'000'100);
  CHECK(slurm.asked().find("--starttime=now-601seconds") != std::string::npos);
  const std::string once = slurm.asked();
  CHECK(watch.ask(1'630'000)->jobs->jobs.size() == 1);
  CHECK(slurm.asked() == once);
  // The scheduler did not answer for 170 s.
  CHECK(watch.ask(1'800'000)->jobs->jobs.size() == 2);
  CHECK(slurm.asked().find("--starttime=now-171seconds") != std::string::npos);
}

TEST_CASE("silent accounting is queried again until it turns out to be disabled") {
  FakeSlurm slurm;
  slurm.queue("2|RUNNING|1700000000|NONE|n1|anna|runs\n");
  slurm.fails("sacct: error: slurmdbd: Unable to connect");
  JobWatch watch(slurm.options, 1'000'000);
  CHECK(watch.ask(1'600'000)->accounting == Accounting::silent);
  CHECK(watch.ask(1'615'000)->jobs->jobs.size() == 1);
  slurm.fails("Slurm accounting storage is disabled");
  CHECK(watch.ask(1'630'000)->accounting == Accounting::silent);
  const JobReportPointer none = watch.ask(1'661'000);
  CHECK(none->accounting == Accounting::none);
  CHECK(none->problem.empty());
  CHECK(none->jobs->jobs.size() == 1);
  slurm.options.sacct = "/nonexistent/sacct";
  CHECK(JobWatch(slurm.options, 1'000'000).ask(1'600'000)->accounting == Accounting::none);
}

TEST_CASE("the span of a job follows from its state, start and end") {
  Job job;
  CHECK_FALSE(span_of(job));
  job.start_s = 100;
  CHECK(span_of(job)->since_ms == 100'000);
  CHECK(span_of(job)->until_ms == std::numeric_limits<std::int64_t>::max());
  job.end_s = 200;
  CHECK(span_of(job)->until_ms == 200'000);
  job.state = "RUNNING";  // the end of a running job is its time limit
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
