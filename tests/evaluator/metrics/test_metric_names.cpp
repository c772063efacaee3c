#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "evaluator/metrics/metric.h"

using namespace pssp;

TEST_CASE("metrics are found by their names in the ORCS report") {
  CHECK(metric_by_name("sum_max_cong") == Metric::sum_max_cong);
  CHECK(metric_by_name("hist_max_cong") == Metric::hist_max_cong);
  CHECK(metric_by_name("hist_acc_band") == Metric::hist_acc_band);
  CHECK(metric_by_name("dep_max_delay") == Metric::dep_max_delay);
  CHECK(metric_by_name("get_cable_cong") == Metric::get_cable_cong);
  CHECK(metric_by_name("get_cong_map") == Metric::get_cable_cong);
  CHECK(metric_by_name("bounds") == Metric::bounds);
}

TEST_CASE("metric names are unique, and each finds its metric") {
  std::set<std::string_view> names;
  for (const MetricDescription& description : metric_registry()) {
    names.insert(description.name);
    CHECK(metric_by_name(description.name) == description.metric);
    CHECK(description_of(description.metric).name == description.name);
    CHECK_FALSE(description.summary.empty());
  }
  CHECK(names.size() == metric_registry().size());
}

TEST_CASE("an unknown metric is refused with a list of all metrics") {
  try {
    metric_by_name("max_cong");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    const std::string message = error.what();
    CHECK(message.find("max_cong'") != std::string::npos);
    for (const MetricDescription& known : metric_registry()) {
      CHECK(message.find(known.name) != std::string::npos);
    }
  }
}
