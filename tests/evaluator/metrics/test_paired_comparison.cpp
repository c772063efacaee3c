#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "evaluator/metrics/paired_comparison.h"
#include "evaluator/report/comparison_report.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using Catch::Matchers::Contains;
using Samples = std::vector<std::vector<double>>;

/// 100 runs of each sample. Each run adds a random value that all samples share and a random value
/// of the individual sample.
Samples shared_luck(const std::vector<double>& means, double own_deviation) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> luck(0.5, 0.1);
  std::normal_distribution<double> own(0, own_deviation);
  Samples samples(means.size());
  for (int run = 0; run < 100; ++run) {
    const double shared = luck(random);
    for (std::size_t i = 0; i < means.size(); ++i) {
      samples[i].push_back(shared + means[i] + own(random));
    }
  }
  return samples;
}

Comparison compared(const Samples& samples, const std::vector<std::string>& names) {
  Comparison comparison;
  comparison.seed = 1;
  for (const std::string& name : names) {
    comparison.tables.push_back({.name = name, .edge_forwarding_index = 12, .usable = true});
  }
  compare(comparison, samples);
  return comparison;
}

}  // namespace

TEST_CASE("a paired difference matches values calculated by hand") {
  // 32 differences: 16 times 1 and 16 times 3. Mean 2, variance 32/31, standard error sqrt(1/31).
  Samples samples(2);
  for (int run = 0; run < 32; ++run) {
    samples[0].push_back(run);
    samples[1].push_back(run + (run % 2 == 0 ? 1 : 3));
  }
  const PairedDifference found = compare_with_first(samples, Better::higher).at(0);
  CHECK(found.runs == 32);
  CHECK(found.mean == Approx(2));
  CHECK(found.standard_error == Approx(std::sqrt(1.0 / 31)));
  CHECK(found.z == Approx(2 * std::sqrt(31.0)));
  CHECK(found.lower_95 == Approx(2 - 1.959964 * std::sqrt(1.0 / 31)));
  CHECK(found.verdict == PairedVerdict::better);
  CHECK(compare_with_first(samples, Better::lower).at(0).verdict == PairedVerdict::worse);
}

TEST_CASE("p values match the two-sided normal distribution") {
  // 900 differences with mean z / 30 and standard error 1/30. The pairs of z and p are from tables.
  for (const auto& [z, p] : {std::pair{1.959964, 0.05}, {2.575829, 0.01}, {0.674490, 0.5}}) {
    Samples samples(2);
    const double spread = std::sqrt(899.0 / 900);  // so that the sample variance is 1
    for (int run = 0; run < 900; ++run) {
      samples[0].push_back(0);
      samples[1].push_back(z / 30 + (run % 2 == 0 ? spread : -spread));
    }
    const PairedDifference found = compare_with_first(samples, Better::higher).at(0);
    CHECK(found.z == Approx(z));
    CHECK(found.p == Approx(p).epsilon(1e-4));
  }
}

TEST_CASE("pairing detects a difference that the shared randomness would hide") {
  const Samples samples = shared_luck({0, 0.002, 0}, 0.004);
  const auto found = compare_with_first(samples, Better::higher);
  CHECK(found[0].verdict == PairedVerdict::better);
  CHECK(found[1].verdict == PairedVerdict::no_difference);
  CHECK(found[0].standard_error < 0.001);  // 0.014 without pairing
}

TEST_CASE("adjusted verdicts match Holm's procedure as published") {
  // Holm rejects hypotheses in the order of their p values while p <= 0.05 / (number of remaining
  // hypotheses).
  std::mt19937_64 random(17);
  int differing = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<double> means{0};
    for (int i = 0; i < 6; ++i) means.push_back(0.0002 * static_cast<double>(random() % 7));
    const Samples samples = shared_luck(means, 0.004 * (1 + static_cast<double>(random() % 3)));
    const auto found = compare_with_first(samples, Better::higher);
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return found[a].p < found[b].p; });
    bool rejecting = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const PairedDifference& each = found[order[k]];
      rejecting = rejecting && each.p < 0.05 / static_cast<double>(order.size() - k);
      CHECK((each.verdict != PairedVerdict::no_difference) == rejecting);
      CHECK(each.adjusted_p >= each.p);
      if (!rejecting && each.p < 0.05) ++differing;
    }
  }
  CHECK(differing > 0);  // the correction made a difference in some rounds
}

TEST_CASE("paired comparison handles equal, constant, few and missing runs") {
  const std::vector<double> base(50, 0.1);
  std::vector<double> higher(50, 0.1 + 0.2);
  const auto found = compare_with_first(Samples{base, base, higher}, Better::higher);
  CHECK(found[0].verdict == PairedVerdict::same);
  CHECK(found[0].p == 1);
  CHECK(found[1].verdict == PairedVerdict::better);
  CHECK(found[1].p == 0);
  CHECK(std::isinf(found[1].z));

  const std::vector<double> few(29, 1);
  CHECK(compare_with_first(Samples{few, few}, Better::higher)[0].verdict ==
        PairedVerdict::too_few_runs);
  CHECK(compare_with_first(Samples{{}, {}}, Better::higher)[0].verdict ==
        PairedVerdict::too_few_runs);
  CHECK(compare_with_first(Samples{base}, Better::higher).empty());

  higher[3] = std::numeric_limits<double>::infinity();
  higher[4] = std::numeric_limits<double>::quiet_NaN();
  const PairedDifference partial = compare_with_first(Samples{base, higher}, Better::higher)[0];
  CHECK(partial.runs == 48);
  CHECK(partial.verdict == PairedVerdict::better);
}

TEST_CASE("the comparison report contains every table in text and CSV") {
  const Comparison comparison =
      compared(shared_luck({0, 0.02, 0, -0.02}, 0.004), {"a.lft", "b,\"2\".lft", "c.lft", "d.lft"});
  const std::string text = to_text(comparison);
  CHECK_THAT(text, Contains("100 runs each") && Contains("(first)"));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  REQUIRE(lines.size() == 8);
  CHECK_THAT(lines[3], Contains("b,\"2\".lft") && Contains("better") && Contains("< 0.0001"));
  CHECK_THAT(lines[4], Contains("c.lft") && Contains("no difference shown"));
  CHECK_THAT(lines[5], Contains("d.lft") && Contains("worse"));

  const std::string csv = to_csv(comparison);
  CHECK_THAT(csv, Contains("\n\"b,\"\"2\"\".lft\",100,"));
  const auto fields = [](std::string line) { return std::count(line.begin(), line.end(), ','); };
  CHECK(fields(csv.substr(0, csv.find('\n'))) == 20);
  const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  CHECK(fields(last) == 20);
}

TEST_CASE("a comparison takes its columns from the evaluations of the tables") {
  const test::RoutedFabric good = test::cluster_2008_figure_1();
  test::RoutedFabric bad = test::cluster_2008_figure_1();
  // Leaf 1 sends all traffic over one of its two cables to each upper switch.
  for (const Lid lid : bad.fabric.lids()) {
    const PortNumber port = bad.tables.at(SwitchId(0), lid);
    if (port == 6 || port == 8) bad.tables.set(SwitchId(0), lid, static_cast<PortNumber>(port - 1));
  }
  EvaluationOptions options;
  options.bisections.patterns = 200;
  options.verify.credit_loops = false;
  const Evaluation first = evaluate(good.fabric, good.tables, options);
  const Evaluation second = evaluate(bad.fabric, bad.tables, options);
  Comparison comparison;
  comparison.tables = {compared_tables("good", first), compared_tables("bad", second)};
  compare(comparison, {first.bandwidths, second.bandwidths});
  CHECK(comparison.tables[0].edge_forwarding_index == 12);
  CHECK(comparison.tables[1].edge_forwarding_index == 24);
  CHECK_FALSE(comparison.tables[1].credit_loop);
  CHECK_FALSE(comparison.tables[1].lanes);
  CHECK(comparison.tables[1].index_bound == 12);
  CHECK(comparison.tables[0].metric.mean == first.bandwidth.mean);
  CHECK(comparison.tables[1].difference.verdict == PairedVerdict::worse);
}
