// Stored verdicts begin, change and end, also across restarts, and old ones are deleted.

#include <catch2/catch.hpp>

#include "monitor/store/history_writer.h"
#include "monitor/store/verdict_rows.h"
#include "tests/temporary_folder.h"

using namespace pssp;

namespace {

VerdictRecord verdict_of(PortNumber port, std::int64_t since_ms) {
  VerdictRecord record;
  record.port = {0xfedc'ba98'7654'3210, port};
  record.what = "width";
  record.level = Level::bad;
  record.since_ms = since_ms;
  record.value = 1;
  record.limit = 4;
  record.reason = "width 1x, but both ends support 4x";
  return record;
}

}  // namespace

TEST_CASE("verdicts are stored with their beginning and end", "[monitor]") {
  test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  options.hours_days = 1;
  {
    HistoryWriter writer(options);
    writer.write_verdicts(std::vector{verdict_of(1, 1'000), verdict_of(2, 2'000)});
    VerdictRecord changed = verdict_of(1, 1'000);
    changed.value = 2;
    writer.write_verdicts(std::vector{changed});
    VerdictRecord ended = verdict_of(2, 2'000);
    ended.until_ms = 5'000;
    writer.write_verdicts(std::vector{ended});
    writer.write_verdicts({});
  }
  const auto all = read_verdict_rows(options.file, {});
  REQUIRE(all.size() == 2);
  CHECK(all[0].port == verdict_of(1, 0).port);
  CHECK(all[0].value == 2);
  CHECK(all[0].limit == 4);
  CHECK(all[0].level == Level::bad);
  CHECK(all[0].reason == verdict_of(1, 0).reason);
  CHECK_FALSE(all[0].until_ms);
  CHECK(all[1].until_ms == 5'000);
  CHECK(read_verdict_rows(options.file, {5'000, 9'000}).size() == 1);
  CHECK(read_verdict_rows(options.file, {0, 1'500}).size() == 1);
  CHECK(read_standing_verdicts(options.file).size() == 1);
  {
    HistoryWriter writer(options);
    writer.write_verdicts(std::vector{verdict_of(3, 86'400'000 + 6'000)});
  }
  CHECK(read_verdict_rows(options.file, {}).size() == 2);
}
