#include <catch2/catch.hpp>

#include "monitor/store/retention_plan.h"

namespace pssp {
namespace {

constexpr HistoryLoad large{25'704, 10, 2.0 / 3};

TEST_CASE("the predicted size follows from the numbers of rows and ports") {
  const HistorySize size = history_size(large, {});
  CHECK(size.rows[0] == 2160);
  CHECK(size.rows[1] == 14 * 288);
  CHECK(size.rows[2] == 400 * 24);
  HistoryLoad faster = large;
  faster.interval_s = 1;
  CHECK(history_size(faster, {}).bytes[0] / 10 <= size.bytes[0]);
  CHECK(history_size(faster, {}).bytes[1] == size.bytes[1]);
  CHECK(history_size({0, 10, 1}, {}).total() == 0);
}

TEST_CASE("retention is shortened from the finest level, by no more than necessary") {
  HistoryOptions options;
  options.max_bytes = history_size(large, options).total();
  CHECK(fitting(large, options).raw_hours == options.raw_hours);
  options.max_bytes -= 1;
  CHECK(fitting(large, options).raw_hours == options.raw_hours - 1);
  CHECK(fitting(large, options).five_minutes_days == options.five_minutes_days);
  options.max_bytes /= 4;
  const HistoryOptions cut = fitting(large, options);
  CHECK(cut.raw_hours == 1);
  CHECK(cut.five_minutes_days == 1);
  CHECK(cut.hours_days < 400);
  CHECK(history_size(large, cut).total() <= options.max_bytes);
  HistoryOptions longer = cut;
  ++longer.hours_days;
  CHECK(history_size(large, longer).total() > options.max_bytes);
  options.max_bytes = 1;
  CHECK(fitting(large, options).hours_days == 7);
}

}  // namespace
}  // namespace pssp
