#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "evaluator/scoring/comparison.h"
#include "tools/eval_lft/json/report_json.h"

using namespace pssp;

TEST_CASE("the JSON report of a comparison shows a significant difference") {
  // 100 runs with noise that both tables share, and small noise of each table alone.
  std::mt19937_64 random(3);
  std::normal_distribution<double> luck(0.5, 0.1), own(0, 0.004);
  std::vector<std::vector<double>> samples(2);
  for (int run = 0; run < 100; ++run) {
    const double shared = luck(random);
    samples[0].push_back(shared + own(random));
    samples[1].push_back(shared + 0.02 + own(random));
  }
  Comparison comparison;
  comparison.tables.resize(2);
  compare(comparison, samples);
  const auto json = to_json(comparison);
  CHECK(json["tables"][0]["difference"].is_null());
  CHECK(json["tables"][1]["difference"]["verdict"] == "better");
  CHECK(json["tables"][1]["credit_loop"].is_null());
  CHECK(json["tables"][1]["mean"].get<double>() - json["tables"][0]["mean"].get<double>() ==
        Approx(json["tables"][1]["difference"]["mean"].get<double>()));
}
