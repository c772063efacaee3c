#include <catch2/catch.hpp>

#include "base/error.h"
#include "simulator/model_values.h"
#include "simulator/values.h"

using namespace pssp;

TEST_CASE("times, sizes, rates and shares are read with their units") {
  CHECK(read_time("250us") == 250 * picoseconds_per_microsecond);
  CHECK(read_time("0.7s") == 700 * picoseconds_per_millisecond);
  CHECK(read_time("1.5 ms") == 1'500'000'000);
  CHECK(read_time("12ps") == 12);
  CHECK(read_time("0") == 0);
  CHECK(read_size("2176") == 2176);
  CHECK(read_size("2176B") == 2176);
  CHECK(read_size("64KiB") == 65536);
  CHECK(read_size("1MiB") == 1U << 20);
  CHECK(read_size("1.5kB") == 1500);
  CHECK(read_rate("19.8GB/s") == Approx(19.8e9));
  CHECK(read_rate("8Gbit/s") == Approx(1e9));
  CHECK(read_rate("1GByte/s") == Approx(1e9));
  CHECK(read_share("8%") == Approx(0.08));
  CHECK(read_share(".5") == Approx(0.5));
}

TEST_CASE("invalid times, sizes, rates and shares are refused") {
  for (const char* text : {"", "5", "-1ms", "1e3s", "nan", "1001s", "5 minutes", "1ms1", "ms"}) {
    INFO(text);
    CHECK_THROWS_AS(read_time(text), Error);
  }
  for (const char* text : {"", "0", "0.2", "1TiB", "1PiB", "-5", "B", "99999999999999999999"}) {
    INFO(text);
    CHECK_THROWS_AS(read_size(text), Error);
  }
  for (const char* text : {"5", "0GB/s", "5Gbps", "GB/s"}) CHECK_THROWS_AS(read_rate(text), Error);
  for (const char* text : {"101%", "1.01", "-1", "half"}) CHECK_THROWS_AS(read_share(text), Error);
}

TEST_CASE("times and rates are printed in a suitable unit") {
  CHECK(time_text(0) == "0s");
  CHECK(time_text(1500) == "1.5ns");
  CHECK(time_text(100 * picoseconds_per_millisecond) == "100ms");
  CHECK(rate_text(1e9) == "1.000 GByte/s");
  CHECK(rate_text(2.5e8) == "250.0 MByte/s");
}

TEST_CASE("each model value can be set by name and printed") {
  Model model;
  set_model_value(model, "marking", "every-nth");
  set_model_value(model, "root", "any");
  set_model_value(model, "buffer", "340");
  set_model_value(model, "host-rate", "4xSDR");
  set_model_value(model, "vl-weights", "1,2");
  set_model_value(model, "becn", "ideal");
  set_model_value(model, "switching", "store-and-forward");
  CHECK(model.marking == Marking::every_nth);
  CHECK(model.root == RootTest::any);
  CHECK(model.buffer_credits == 340);
  CHECK(model.host_rate == LinkRate{4, 2000});
  CHECK(model.lane_weights == std::vector<std::uint32_t>{1, 2});
  CHECK(model.becn == BecnDelivery::ideal);
  CHECK(model.switching == Switching::store_and_forward);
  for (const ModelValue& value : model_values()) CHECK_FALSE(value.show(model).empty());
  CHECK_THROWS_WITH(set_model_value(model, "buffers", "1"),
                    Catch::Contains("expected one of marking"));
  CHECK_THROWS_WITH(set_model_value(model, "marking", "often"),
                    Catch::Contains("unmarked-between or every-nth"));
}
