#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "monitor/jobs/slurm.h"

using namespace pssp;
using namespace std::chrono_literals;

TEST_CASE("lines of squeue are parsed as jobs") {
  const JobList list = parse_squeue(
      "M|1|RUNNING|1700000000|NONE|n[1-2]|anna|a|b <x>\"\n"
      "M|2|PENDING|N/A|N/A||root|x\n"
      "M|3|COMPLETING|1700000000|1700000100|n7|bob|\n",
      "M");
  CHECK(list.bad_lines == 0);
  REQUIRE(list.jobs.size() == 3);
  CHECK(list.jobs[0].id == "1");
  CHECK(list.jobs[0].state == "RUNNING");
  CHECK(list.jobs[0].start_s == 1'700'000'000);
  CHECK(!list.jobs[0].end_s);
  CHECK(list.jobs[0].nodes == std::vector<std::string>{"n1", "n2"});
  CHECK(list.jobs[0].user == "anna");
  CHECK(list.jobs[0].name == "a|b <x>\"");
  CHECK(!list.jobs[1].start_s);
  CHECK(list.jobs[1].nodes.empty());
  CHECK(list.jobs[2].end_s == 1'700'000'100);
  CHECK(list.jobs[2].name.empty());
  CHECK(parse_squeue("", "M").jobs.empty());
}

TEST_CASE("a job name with line breaks does not create another job") {
  const JobList list = parse_squeue(
      "M|1|RUNNING|1|NONE|n1|anna|x\n9|RUNNING|1|2|n1|root|forged\n\n"
      "M|2|RUNNING|1|NONE|n2|anna|y\n",
      "M");
  REQUIRE(list.jobs.size() == 2);
  CHECK(list.jobs[0].name == "x\n9|RUNNING|1|2|n1|root|forged\n");
  CHECK(list.jobs[1].id == "2");
  CHECK(random_line_mark() != random_line_mark());
}

TEST_CASE("invalid output of squeue is counted as bad lines") {
  const JobList list = parse_squeue(
      "slurm_load_jobs error: \x1b[1m\nM|1|RUNNING|1|2|n[1-|anna|x\nM|2\nM||R|1|2|n1|u|n\n"
      "M|4|R|1|2|n1|u|n",
      "M");
  CHECK(list.bad_lines == 4);
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].id == "4");
  CHECK(list.problems[0].find('\x1b') == std::string::npos);
  CHECK(parse_squeue("nonsense", "M").bad_lines == 1);
}

TEST_CASE("jobs are read from the configured squeue program") {
  const auto path = std::filesystem::temp_directory_path() / "pssp_test_squeue.sh";
  {
    std::ofstream file(path);
    file << "#!/bin/sh\n"
            "mark=${4%%|*}\n"
            "[ \"$1 $2 $3\" = '--noheader --states=all --format' ] || exit 1\n"
            "[ \"$SLURM_TIME_FORMAT\" = %s ] || exit 1\n"
            "echo \"$mark|7|RUNNING|1700000000|NONE|n1|anna|cfd\"\n";
  }
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  SlurmOptions options;
  options.squeue = path.string();
  const JobList list = read_slurm_queue(options);
  std::filesystem::remove(path);
  CHECK(list.bad_lines == 0);
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].id == "7");
}

TEST_CASE("output of sacct is parsed as jobs, whatever the job names contain") {
  const std::string mark = "job-1234";
  const auto line = [&](const std::vector<std::string>& fields) {
    std::string text;
    for (const std::string& field : fields) text += (text.empty() ? "" : mark) + field;
    return text + "\n";
  };
  const JobList list = parse_sacct(
      line({"7", "COMPLETED", "1700000000", "1700000100", "n[1-2]", "anna", "a|b\n\n8|x\n"}) +
          line({"9", "CANCELLED by 1000", "1700000000", "1700000200", "n3", "bert", ""}) +
          line({"10", "TIMEOUT", "Unknown", "1700000300", "None assigned", "", "c"}),
      mark);
  CHECK(list.bad_lines == 0);
  REQUIRE(list.jobs.size() == 3);
  CHECK(list.jobs[0].id == "7");
  CHECK(list.jobs[0].name == "a|b\n\n8|x\n");
  CHECK(list.jobs[0].end_s == 1'700'000'100);
  CHECK(list.jobs[0].nodes == std::vector<std::string>{"n1", "n2"});
  CHECK(list.jobs[1].state == "CANCELLED");
  CHECK(list.jobs[1].user == "bert");
  CHECK(list.jobs[1].name.empty());
  CHECK(list.jobs[2].name == "c");
  CHECK(!list.jobs[2].start_s);
  CHECK(list.jobs[2].nodes.empty());
  CHECK(parse_sacct("", mark).jobs.empty());
  // Truncated lines and other text count as bad lines and give no job.
  const JobList cut = parse_sacct(
      line({"7", "COMPLETED", "1", "2", "n1", "anna", "x"}) + line({"8", "COMPLETED", "1"}), mark);
  CHECK(cut.jobs.size() == 1);
  CHECK(cut.bad_lines == 1);
  CHECK(parse_sacct("what is that?", mark).bad_lines == 1);
  const JobList bad = parse_sacct(line({"7", "COMPLETED", "1", "2", "n[", "anna", "x"}) +
                                      line({"8", "COMPLETED", "1", "2", "n1", "anna", "x"}),
                                  mark);
  CHECK(bad.bad_lines == 1);
  REQUIRE(bad.jobs.size() == 1);
  CHECK(bad.jobs[0].id == "8");
}
