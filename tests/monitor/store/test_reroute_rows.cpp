#include <catch2/catch.hpp>

#include "monitor/store/history_writer.h"
#include "monitor/store/reroute_rows.h"
#include "tests/temporary_folder.h"

using namespace pssp;

TEST_CASE("reroutes are read back as written, and old ones are deleted") {
  const test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  RerouteRecord first{1000, 2000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "", {}};
  first.jobs = {{std::string("4\0 711\xff", 7), 4, 3, 2, 1}, {"b", 1, 1, 0, 0}};
  RerouteRecord second = first;
  second.begin_ms = 3000;
  second.problem = "two fabrics";
  second.jobs.clear();
  {
    HistoryWriter writer(options);
    writer.write_reroutes({});
    writer.write_reroutes(std::vector{first, second});
  }
  CHECK(read_reroute_rows(options.file, 10) == std::vector{first, second});
  CHECK(read_reroute_rows(options.file, 1) == std::vector{second});
  RerouteRecord late = second;
  late.begin_ms = second.begin_ms + (std::int64_t{options.hours_days} * 24 * 3600 + 1) * 1000;
  HistoryWriter(options).write_reroutes(std::vector{late});
  CHECK(read_reroute_rows(options.file, 10) == std::vector{late});
}
