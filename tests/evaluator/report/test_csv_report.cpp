#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "evaluator/report/csv_report.h"

namespace {

using namespace pssp;

struct Collected {
  std::string text;
  std::size_t largest_part = 0;

  ContentSink sink() {
    return [this](std::string_view part) {
      text += part;
      largest_part = std::max(largest_part, part.size());
    };
  }
};

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::size_t start = 0;
    for (;;) {
      const std::size_t comma = line.find(',', start);
      rows.back().push_back(line.substr(start, comma - start));
      if (comma == std::string::npos) break;
      start = comma + 1;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the CSV report has a header and one line for each run") {
  std::vector<RunResult> runs(2);
  runs[0] = {.flows = 4,
             .unrouted = 1,
             .levels = 2,
             .bandwidth_sum = 2.5,
             .max_congestion_sum = 5,
             .mean_congestion_sum = 4,
             .delay = 3};
  Collected csv;
  write_csv(runs, 17, csv.sink());
  CHECK(csv.text ==
        "run,flows,unrouted,levels,bandwidth,sum_max_cong,dep_max_delay,optimistic_bandwidth,"
        "pessimistic_bandwidth\n"
        "17,4,1,2,0.625,5,3,0.5,0.4\n"
        "18,0,0,0,,0,0,,\n");
}

TEST_CASE("the CSV report has one line for each bisection and exact numbers") {
  std::vector<double> bandwidths;
  for (int i = 0; i < 1000; ++i) bandwidths.push_back(std::sqrt(i + 0.3) / 32);
  Collected csv;
  write_csv(bandwidths, csv.sink());
  const auto rows = rows_of(csv.text);
  REQUIRE(rows.size() == 1001);
  CHECK(rows[0] == std::vector<std::string>{"bisection", "bandwidth"});
  for (std::size_t i = 0; i < 1000; ++i) {
    CHECK(rows[i + 1][0] == std::to_string(i));
    CHECK(std::strtod(rows[i + 1][1].c_str(), nullptr) == bandwidths[i]);
  }
}

TEST_CASE("a CSV report without rows consists of the header") {
  Collected csv;
  write_csv(std::span<const double>{}, csv.sink());
  CHECK(csv.text == "bisection,bandwidth\n");
}

TEST_CASE("the CSV report passes many lines on in blocks") {
  Collected csv;
  write_csv(std::vector<double>(50'000, 0.123456789), csv.sink());
  CHECK(csv.text.size() > 700'000);
  CHECK(csv.largest_part < 70'000);
}
