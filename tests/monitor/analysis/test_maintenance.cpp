// Ports in maintenance: parsing, errors, and the end of maintenance.

#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "base/utc_time.h"
#include "monitor/analysis/maintenance.h"

using namespace pssp;

TEST_CASE("a list of ports in maintenance is parsed, and entries expire", "[monitor]") {
  const auto all = parse_maintenance(
      "# a remark\n\n0x00a1 17 2026-02-01T12:00:00Z cable ordered, row 7 # by phone\r\n"
      "0x00a2 *  2026-02-02\n",
      "list");
  REQUIRE(all.size() == 2);
  CHECK(all[0].node == 0xa1);
  CHECK(all[0].port == 17);
  CHECK(utc_text(all[0].until_ms) == "2026-02-01T12:00:00Z");
  CHECK(all[0].why == "cable ordered, row 7");
  CHECK(all[1].port == 0);
  const std::int64_t end = all[0].until_ms;
  CHECK(maintenance_of(all, 0xa1, 17, end - 1) == &all[0]);
  CHECK(maintenance_of(all, 0xa1, 17, end) == nullptr);
  CHECK(maintenance_of(all, 0xa1, 18, end - 1) == nullptr);
  CHECK(maintenance_of(all, 0xa2, 18, end) == &all[1]);
  CHECK(read_maintenance("").empty());
}

TEST_CASE("an invalid line is reported with its number and without control characters",
          "[monitor]") {
  const std::string line = GENERATE(
      "0xa1 17", "0xa1 17 tomorrow", "a1 17 2026-02-01", "0xa1 0 2026-02-01", "0xa1 255 2026-02-01",
      "0xa1 ** 2026-02-01", "0x0 1 2026-02-01", "0xa1 17 2026-02-30", "0xg 17 2026-02-01",
      "0xa1 -1 2026-02-01", "0x1ffffffffffffffff 1 2026-02-01", "\x1b]0; 1 2026-02-01");
  CAPTURE(line);
  CHECK_THROWS_WITH(parse_maintenance("\n" + line + "\n", "list"),
                    Catch::Contains("list:2: ") && !Catch::Contains("\x1b"));
}
