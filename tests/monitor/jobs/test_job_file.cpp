#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "monitor/jobs/job_file.h"

using namespace pssp;

namespace {

JobList jobs_of(const std::string& text) { return parse_jobs(text, "jobs.jsonl"); }

}  // namespace

TEST_CASE("a job file has one job per line") {
  const JobList list = jobs_of(
      R"({"id": "4711", "name": "a|b <x>\"", "user": "anna", "state": "RUNNING", "start": 1700000000, "end": null, "nodes": ["n1", "n[2-3]", "n1"], "more": 1})"
      "\r\n\n  \n"
      R"({"id": 12, "nodes": []})");
  CHECK(list.bad_lines == 0);
  REQUIRE(list.jobs.size() == 2);
  const Job& job = list.jobs[0];
  CHECK(job.id == "4711");
  CHECK(job.name == "a|b <x>\"");
  CHECK(job.user == "anna");
  CHECK(job.state == "RUNNING");
  CHECK(job.start_s == 1'700'000'000);
  CHECK(!job.end_s);
  CHECK(job.nodes == std::vector<std::string>{"n1", "n2", "n3"});
  CHECK(list.jobs[1].id == "12");
}

TEST_CASE("invalid lines of a job file are reported and left out") {
  const JobList list = jobs_of(
      "{\"id\": \"1\", \"nodes\": [\"n1\"]}\n"
      "{\"id\": \"2\", \"nodes\": [\"n\n"
      "[]\n"
      "{\"nodes\": [\"n1\"]}\n"
      "{\"id\": \"\", \"nodes\": [\"n1\"]}\n"
      "{\"id\": \"3\"}\n"
      "{\"id\": \"3\", \"nodes\": \"n1\"}\n"
      "{\"id\": \"3\", \"nodes\": [1]}\n"
      "{\"id\": \"3\", \"nodes\": [\"n[\"]}\n"
      "{\"id\": \"3\", \"nodes\": [], \"start\": 20, \"end\": 10}\n"
      "{\"id\": \"3\", \"nodes\": [], \"start\": -1}\n"
      "{\"id\": \"3\", \"nodes\": [], \"start\": 1700000000000}\n"
      "{\"id\": \"3\", \"nodes\": [], \"name\": 7}\n"
      "{\"id\": \"9\", \"nodes\": [\"n9\"]}");
  REQUIRE(list.jobs.size() == 2);
  CHECK(list.jobs[0].id == "1");
  CHECK(list.jobs[1].id == "9");
  CHECK(list.bad_lines == 12);
  REQUIRE(list.problems.size() == 12);
  CHECK(list.problems[0] == "jobs.jsonl:2: the line is not complete JSON");
  CHECK(list.problems[8] == "jobs.jsonl:10: job '3' ends before it starts");
}

TEST_CASE("the last line with a job id replaces earlier ones") {
  const JobList list = jobs_of(
      "{\"id\": \"1\", \"nodes\": [\"n1\"]}\n{\"id\": \"2\", \"nodes\": []}\n"
      "{\"id\": \"1\", \"nodes\": [\"n2\"]}\n");
  REQUIRE(list.jobs.size() == 2);
  CHECK(list.jobs[0].nodes == std::vector<std::string>{"n2"});
}

TEST_CASE("lines and node lists that are too long are refused") {
  const std::string good = "{\"id\": \"1\", \"nodes\": [\"n1\"]}\n";
  const JobList list = jobs_of(std::string(longest_job_line + 1, 'x') + "\n" + good);
  CHECK(list.jobs.size() == 1);
  CHECK(list.bad_lines == 1);
  CHECK(jobs_of("{\"id\": 1, \"nodes\": [\"n[1-65536]\", \"m\"]}").bad_lines == 1);
  // The total number of node names is limited, including those of replaced jobs.
  std::string many;
  for (int i = 0; i < 20; ++i) many += "{\"id\": 1, \"nodes\": [\"n[1-65536]\"]}\n";
  const JobList replaced = jobs_of(many);
  CHECK(replaced.jobs.size() == 1);
  CHECK(replaced.bad_lines == 4);
}

TEST_CASE("a job file is read in parts without losing lines at the boundaries") {
  const auto path = std::filesystem::temp_directory_path() / "pssp_test_jobs.jsonl";
  {
    std::ofstream file(path);
    for (int i = 0; i < 5000; ++i) file << "{\"id\": " << i << ", \"nodes\": [\"n" << i << "\"]}\n";
  }
  const JobList list = read_jobs(path);
  std::filesystem::remove(path);
  CHECK(list.bad_lines == 0);
  REQUIRE(list.jobs.size() == 5000);
  CHECK(list.jobs[4999].nodes == std::vector<std::string>{"n4999"});
  CHECK_THROWS_AS(read_jobs(path), Error);
}
