#include <catch2/catch.hpp>

#include "operations/diagnosis/rate_unit.h"

using namespace pssp;

TEST_CASE("rate units are read in the notations that programs use") {
  struct Case {
    const char *text, *name;
    double gigabits;
  };
  for (const Case& each :
       {Case{"Gbit/s", "Gbit/s", 1}, Case{"Gb/sec", "Gbit/s", 1}, Case{"Gbps", "Gbit/s", 1},
        Case{"GB/s", "GB/s", 8}, Case{"MB/sec", "MB/s", .008}, Case{"MiB/s", "MiB/s", .008388608},
        Case{"GiB/sec", "GiB/s", 8.589934592}, Case{"Tb/s", "Tbit/s", 1000},
        Case{"Kbit/s", "kbit/s", 1e-6}, Case{"B/s", "B/s", 8e-9}, Case{"bit/s", "bit/s", 1e-9}}) {
    const auto unit = parse_rate_unit(each.text);
    INFO(each.text);
    REQUIRE(unit);
    CHECK(unit->name == each.name);
    CHECK(unit->gigabits == Approx(each.gigabits));
    CHECK(parse_rate_unit(unit->name) == unit);
  }
  for (const char* text : {"", "G", "Gb", "GB", "GX/s", "Mpps", "usec", "i/s", "iB/s", "GBits",
                           "GB/s ", " GB/s", "GB/h"}) {
    INFO(text);
    CHECK_FALSE(parse_rate_unit(text));
  }
  CHECK(gigabits_per_second() == *parse_rate_unit("Gbit/s"));
}
